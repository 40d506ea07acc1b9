"""The entry point of the web server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")

from apps.kernel import large_pages
from config import celery  # noqa: F401 -- requests call workers, and without it Celery knows no broker

application = get_wsgi_application()
large_pages.keep_moving()
