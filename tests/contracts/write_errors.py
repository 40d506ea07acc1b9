"""Brings docs/errors.md up to date: ``.venv/bin/python -m tests.contracts.write_errors``."""

import os

import django

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
    django.setup()
    from tests.contracts import error_table

    error_table.write()
