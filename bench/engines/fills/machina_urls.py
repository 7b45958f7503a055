# mypy: ignore-errors
"""Addresses of a site with django-machina for the bench."""

from django.http import HttpResponse
from django.urls import include, path


def _login(_request):
    return HttpResponse("<form method=post><input name=username><input name=password type=password></form>")


urlpatterns = [
    path("accounts/login/", _login, name="login"),
    path("accounts/register/", _login, name="registration"),
    path("", include("machina.urls")),
]
