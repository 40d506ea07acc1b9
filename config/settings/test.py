"""Settings of the test suite, which connects as the application's role to a throw-away cluster."""

import os

# Type checking and linting load the settings without any service; the suite sets the real addresses itself.
os.environ.setdefault("SECRET_KEY", "a key for tests that guards nothing")
os.environ.setdefault("DATABASE_URL", "postgres://mawrid_app@/mawrid?host=/nowhere")
os.environ.setdefault("MIGRATION_DATABASE_URL", "postgres://mawrid_owner@/mawrid?host=/nowhere")
os.environ.setdefault("REDIS_URL", "unix:///nowhere")
os.environ.setdefault("ENCRYPTION_KEYS", "test:" + "A" * 43 + "=")

from config.settings.base import *  # noqa: F403 -- the variables above come first
from config.settings.base import DATABASES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Tests open one connection a thread and close it themselves; a pool would outlive the test database.
DATABASES["default"]["OPTIONS"].pop("pool")
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
WHITENOISE_AUTOREFRESH = True
