"""Settings of a real deployment: refuses to start with anything that is only good for a laptop."""

from django.core.exceptions import ImproperlyConfigured

from config import env
from config.settings.base import *  # noqa: F403 -- a settings module is the base plus what differs
from config.settings.base import ENCRYPTION_KEYS, PUBLIC_URL, SECRET_KEY

_MIN_SECRET_KEY_LENGTH = 32

if len(SECRET_KEY) < _MIN_SECRET_KEY_LENGTH:
    raise ImproperlyConfigured(
        f"SECRET_KEY is shorter than {_MIN_SECRET_KEY_LENGTH} characters. Set a long random one."
    )
if not ENCRYPTION_KEYS:
    raise ImproperlyConfigured("ENCRYPTION_KEYS is empty. Set at least one key, as id:base64 of 32 random bytes.")
if not PUBLIC_URL.startswith("https://"):
    raise ImproperlyConfigured(f"PUBLIC_URL is {PUBLIC_URL!r}. Give the https:// address that callers use.")
if env.boolean("DEBUG", default=False):
    raise ImproperlyConfigured("DEBUG is on. Unset it: it shows the inside of the service to strangers.")

SECURE_HSTS_SECONDS = 31_536_000
# The proxy in front of the service ends TLS and tells so in this header; it must set it on every request.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
