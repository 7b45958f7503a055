# mypy: ignore-errors
# ruff: noqa: F403, F405
"""Settings of Misago for the bench: those that it is developed with, and a database of its own."""

import os

from devproject.settings import *

DEBUG = False
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "devproject.urls"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "postgres",
        "USER": "misago",
        "HOST": os.environ["BENCH_DATABASE"],
    }
}
MIDDLEWARE = [name for name in MIDDLEWARE if not name.startswith("debug_toolbar")]
CELERY_TASK_ALWAYS_EAGER = True
