"""Settings of `make run`: one machine, embedded services, files served as they are."""

from urllib.parse import urlsplit

from config import env
from config.settings.base import *  # noqa: F403 -- a settings module is the base plus what differs
from config.settings.base import DATA_DIR, PUBLIC_URL

# Nobody has collected the static files of a fresh clone.
WHITENOISE_USE_FINDERS = True
STATIC_ROOT = None

# A machine that only its own people reach needs no mail server: its mail is shown on a page.
if not env.text("EMAIL_URL", "") and urlsplit(PUBLIC_URL).hostname in {"127.0.0.1", "localhost", "::1"}:
    EMAIL_BACKEND = "apps.dashboard.mailbox.MailboxBackend"
    MAILBOX_DIR = DATA_DIR / "mail"
