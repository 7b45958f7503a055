# mypy: ignore-errors
"""Settings of a site with pybbm for the bench."""

import inspect
from pathlib import Path

inspect.getargspec = inspect.getfullargspec  # the name it had when pybbm was written
HERE = Path(__file__).parent
SECRET_KEY = "bench"  # noqa: S105
DEBUG = False
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "addresses"
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.sites",
    "django.contrib.messages",
    "django.contrib.admin",
    "django.contrib.staticfiles",
    "pybb",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "pybb.middleware.PybbMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [str(HERE / "templates")],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "pybb.context_processors.processor",
            ]
        },
    }
]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(HERE / "data.sqlite")}}
STATIC_URL = "/static/"
SITE_ID = 1
USE_TZ = USE_I18N = USE_L10N = True
TIME_ZONE = "UTC"
PYBB_DISABLE_NOTIFICATIONS = PYBB_DISABLE_SUBSCRIPTIONS = True
PYBB_PROFILE_RELATED_NAME = "pybb_profile"
