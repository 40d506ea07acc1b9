"""Settings of `make run`: one machine, embedded services, files served as they are."""

from config.settings.base import *  # noqa: F403 -- a settings module is the base plus what differs

# Nobody has collected the static files of a fresh clone.
WHITENOISE_USE_FINDERS = True
STATIC_ROOT = None
