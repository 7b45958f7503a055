# mypy: ignore-errors
# ruff: noqa: F403
"""Settings of HyperKitty for the bench: its own test settings with a database and no Mailman behind it."""

from pathlib import Path

from hyperkitty.tests.settings_test import *

DEBUG = True
TESTING = False
ALLOWED_HOSTS = ["*"]
DATABASES = {
    "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": Path(__file__).parent / "data.sqlite"}
}
HYPERKITTY_BATCH_MODE = True
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
HAYSTACK_SIGNAL_PROCESSOR = "haystack.signals.BaseSignalProcessor"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
Q_CLUSTER = {"name": "bench", "sync": True, "orm": "default", "timeout": 30, "retry": 60}
LOGGING = {"version": 1, "disable_existing_loggers": False}
FILTER_VHOST = False
WSGI_APPLICATION = None
