# mypy: ignore-errors
"""Addresses of a site with pybbm for the bench."""

from django.conf.urls import include, url
from django.contrib import admin
from django.http import HttpResponse


def _login(_request):
    return HttpResponse("<form method=post><input name=username><input name=password type=password></form>")


urlpatterns = [
    url(r"^admin/", admin.site.urls),
    url(r"^accounts/login/$", _login, name="auth_login"),
    url(r"^accounts/register/$", _login, name="registration_register"),
    url(r"^", include("pybb.urls", namespace="pybb")),
]
