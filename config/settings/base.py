"""What every way of running Mawrid shares; the other settings modules start from here."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from apps.outbound import parse_trusted_origins
from config import env, logs

BASE_DIR = Path(__file__).resolve().parents[2]
DATA_DIR = Path(env.text("DATA_DIR", str(BASE_DIR / ".data")))

# The standard library would write down the keys of every TLS connection.
if os.environ.get("SSLKEYLOGFILE"):
    raise ImproperlyConfigured("SSLKEYLOGFILE is set. Unset it: it writes down the keys of all connections.")

SECRET_KEY = env.text("SECRET_KEY")
ENCRYPTION_KEYS = env.items("ENCRYPTION_KEYS")
DEBUG = False

PORT = env.integer("PORT", 8000, low=1, high=65_535)
PUBLIC_URL = env.url("PUBLIC_URL", f"http://127.0.0.1:{PORT}", schemes=frozenset({"http", "https"}))
_PUBLIC_HOST = urlsplit(PUBLIC_URL).hostname or ""
if not _PUBLIC_HOST or urlsplit(PUBLIC_URL).query:
    raise ImproperlyConfigured(f"PUBLIC_URL is {PUBLIC_URL!r}. Give scheme, host and port, such as https://host.")
ALLOWED_HOSTS = [_PUBLIC_HOST, "127.0.0.1", "localhost", "[::1]", *env.items("ALLOWED_HOSTS")]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]

INSTALLED_APPS = [
    # Before allauth, whose pages it gives its own looks.
    "apps.dashboard",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "django_prometheus",
    "apps.rest",
    "apps.projects",
    "apps.vault",
    "apps.webhooks",
    "apps.knowledge",
    "apps.knowledge.documents",
    "apps.agents",
    "apps.gateway",
    "apps.demo",
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "apps.rest.request_id.RequestIdMiddleware",
    "apps.rest.bodies.ContentLengthMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "apps.dashboard.context.frame",
            ]
        },
    }
]


def _database(name: str, default: str | None = None) -> dict[str, Any]:
    url = env.text(name, default)
    if not url.startswith(("postgres://", "postgresql://")):
        raise ImproperlyConfigured(f"{name} does not start with postgres://. Mawrid needs PostgreSQL.")
    return dict(environ.Env.db_url_config(url))


_POOL_SIZE = env.integer("DATABASE_POOL_SIZE", 8, low=1, high=200)
DATABASES: dict[str, Any] = {
    "default": {
        **_database("DATABASE_URL"),
        "CONN_MAX_AGE": 0,
        # A connection that died in the pool, with a restarted server say, is found out before a request gets it.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            **_database("DATABASE_URL").get("OPTIONS", {}),
            "pool": {"min_size": 1, "max_size": _POOL_SIZE, "timeout": 10},
        },
    }
}
# The owner's role; only `migrate` connects with it.
MIGRATION_DATABASE = _database("MIGRATION_DATABASE_URL", env.text("DATABASE_URL"))
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.url("REDIS_URL", schemes=frozenset({"redis", "rediss", "unix"}))

AUTH_USER_MODEL = "projects.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "apps.dashboard.accounts.passwords.LongEnough", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
# Nobody learns from signing up or resetting a password whether an address has an account.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
# What concerns the security of an account asks again who is there.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = {"password", "mfa"}
vars().update(environ.Env.email_url_config(env.text("EMAIL_URL", "consolemail://")))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", "Mawrid <mawrid@localhost>")
# Where mail is kept to be shown on a page; only the settings of one machine have such a folder.
MAILBOX_DIR: Path | None = None
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "apps.dashboard.accounts.adapter.AccountAdapter"
# Closed, only who was invited to a project gets an account.
SIGNUP_OPEN = env.boolean("SIGNUP_OPEN", default=True)
MFA_ADAPTER = "apps.dashboard.accounts.adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Mawrid"
# A phone's clock may be half a minute off either way.
MFA_TOTP_TOLERANCE = 1
# How many proxies in front add themselves to X-Forwarded-For; with none the header is a caller's invention.
TRUSTED_PROXIES = env.integer("TRUSTED_PROXIES", 0, low=0, high=10)
# Beside allauth's own limits: wrong passwords, and mail that a member has sent to others.
ACCOUNT_RATE_LIMITS = {"login_failed": "10/m/ip,5/300s/key", "invite": "100/d/user"}
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = PUBLIC_URL.startswith("https://")
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "apps.dashboard.errors.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"

CACHES = {
    # A Redis that hangs must not hold up who signs in.
    "default": {
        "BACKEND": "apps.rest.cache.OpenRedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_timeout": 0.5, "socket_connect_timeout": 0.5},
    },
    "locks": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL},
}

LANGUAGE_CODE = "ar"
LANGUAGES = [("ar", "العربية"), ("en", "English")]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT: Path | None = BASE_DIR / "staticfiles"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

# Bodies are counted by apps.rest on raw bytes; Django's own limit only has to stay out of the way.
DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024
FILE_UPLOAD_HANDLERS = [
    "apps.dashboard.uploading.BoundedUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["apps.projects.auth.KeyAuthentication"],
    "DEFAULT_RENDERER_CLASSES": ["apps.rest.renderers.JsonRenderer"],
    "DEFAULT_PARSER_CLASSES": ["apps.rest.parsers.StrictJsonParser"],
    "DEFAULT_SCHEMA_CLASS": "apps.rest.schema.OperationSchema",
    "EXCEPTION_HANDLER": "apps.rest.errors.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
}
REST_SCOPE = "apps.projects.scoping.project_scope"
REST_IDEMPOTENCY_STORE = "apps.projects.idempotency.IdempotencyStore"

RATE_LIMIT_PER_KEY = env.integer("RATE_LIMIT_PER_KEY", 1_200, low=1, high=10_000_000)
RATE_LIMIT_PER_PROJECT = env.integer("RATE_LIMIT_PER_PROJECT", 6_000, low=1, high=10_000_000)
RATE_LIMIT_PER_AGENT_SESSION = env.integer("RATE_LIMIT_PER_AGENT_SESSION", 600, low=1, high=10_000_000)

# Logins of agents: how long a token is good for, which renews itself, and after how long a person is asked again.
AGENT_ACCESS_TOKEN_SECONDS = env.integer("AGENT_ACCESS_TOKEN_SECONDS", 900, low=1, high=86_400)
AGENT_SESSION_DAYS = env.integer("AGENT_SESSION_DAYS", 30, low=1, high=366)

# Where requests that tenants cause may go besides the public internet, and which further authorities vouch there.
OUTBOUND_TRUSTED_ORIGINS = env.parsed("OUTBOUND_TRUSTED_ORIGINS", parse_trusted_origins, "")
OUTBOUND_EXTRA_CA_FILE = env.text("OUTBOUND_EXTRA_CA_FILE", "") or None

# Deliveries of webhooks: a second of the retry schedule can be made shorter, so that failures play out in a test.
WEBHOOK_TIMEOUT_SECONDS = env.integer("WEBHOOK_TIMEOUT_SECONDS", 15, low=1, high=20)
WEBHOOK_LEASE_SECONDS = env.integer("WEBHOOK_LEASE_SECONDS", 60, low=WEBHOOK_TIMEOUT_SECONDS + 1, high=3_600)
WEBHOOK_TIME_UNIT_MS = env.integer("WEBHOOK_TIME_UNIT_MS", 1_000, low=1, high=1_000)
# How long one task claims deliveries, and how many it sends at once.
WEBHOOK_DRAIN_SECONDS = env.integer("WEBHOOK_DRAIN_SECONDS", 12, low=1, high=20)
WEBHOOK_CONCURRENCY = env.integer("WEBHOOK_CONCURRENCY", 48, low=1, high=200)

# Syncs of feeds. The lease outlives the fetch and the work on its answer; the unit is a minute of refresh_minutes
# and the beat of the schedule, shorter only where a failure is to be played through in seconds.
SYNC_DEADLINE_SECONDS = env.integer("SYNC_DEADLINE_SECONDS", 10, low=1, high=30)
SYNC_LEASE_SECONDS = env.integer("SYNC_LEASE_SECONDS", 120, low=SYNC_DEADLINE_SECONDS + 1, high=3_600)
SYNC_INTERVAL_UNIT_SECONDS = env.integer("SYNC_INTERVAL_UNIT_SECONDS", 60, low=1, high=60)

# Text of segments that one process keeps in memory for searching, least recently used go first.
SEARCH_CACHE_BYTES = env.integer("SEARCH_CACHE_MIB", 512, low=16, high=65_536) * 1024 * 1024

SPECTACULAR_SETTINGS = {
    "TITLE": "Mawrid",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.1",
    # Requests refuse fields that only answers have, so the two are described apart.
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["apps.rest.schema.add_shared_components"],
}

LOG_LEVEL = env.text("LOG_LEVEL", "INFO")
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "config.logs.json_formatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
}
# Left as it comes, structlog prints the local variables of every frame of a traceback, secrets among them.
logs.configure_structlog()
