"""Logs in by a form, as a recipe says: fetches its page, fills it in, sends it, and checks that it worked."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin

from threadmill.config import Settings, parse_toml
from threadmill.crawl.access.site_access import load_access
from threadmill.crawl.fetch.client import Fetcher
from threadmill.crawl.fetch.clock import Clock
from threadmill.crawl.fetch.decoding import decode_exchange
from threadmill.crawl.fetch.request_sender import RequestPermit
from threadmill.crawl.manners.robots import RobotsCache
from threadmill.errors import LoginError, NothingFoundError, UsageError
from threadmill.page.parse.tree import Tree, parse
from threadmill.types import Exchange

_KEYS = {"url", "fields", "proof"}
_EXAMPLE = 'url = "https://forum.example.org/login"'
_MOST_BYTES = 5_000_000
_MOST_FIELDS = 200
_TYPES_LEFT_OUT = {"submit", "button", "image", "reset", "file"}


@asynccontextmanager
async def open_fetcher(
    settings: Settings, clock: Clock, robots: RobotsCache, permit: RequestPermit | None = None
) -> AsyncIterator[Fetcher]:
    """A fetcher that gets in as the settings say: with credentials, and after logging in."""
    access = load_access(settings.access)
    recipe = load_recipe(access.recipe) if access.recipe is not None else None
    async with Fetcher(settings, clock=clock, robots=robots, credentials=access.credentials) as fetcher:
        if permit is not None:
            fetcher.ask_before_requests(permit)
        if recipe is not None:
            await log_in(fetcher, recipe)
        yield fetcher


@dataclass(frozen=True, slots=True)
class LoginRecipe:
    """How to log in. The values of fields never stand in messages."""

    url: str
    fields: tuple[tuple[str, str], ...]
    proof: str = ""  # a text that only members see; empty: no password field is left


def load_recipe(file: Path) -> LoginRecipe:
    """Read a recipe. Raise UsageError if something in it is missing or wrong."""
    try:
        given = parse_toml(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise NothingFoundError(f"cannot read the log-in recipe {file}: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"expected TOML in {file}, but {error}; fix this line") from None
    unknown = sorted(given.keys() - _KEYS)
    if unknown:
        raise UsageError(
            f"{file} sets {unknown[0]}, which a log-in recipe does not have; known are fields, proof, url"
        )
    url, fields, proof = given.get("url"), given.get("fields"), given.get("proof", "")
    if not isinstance(url, str) or not url.startswith(("http://", "https://")):
        raise UsageError(f"expected the address of the log-in page in {file}, such as {_EXAMPLE}")
    if not isinstance(fields, dict) or not fields:
        raise UsageError(f"expected a table [fields] in {file}: names of the form's fields, and their values")
    if not isinstance(proof, str):
        raise UsageError(f"expected a text as proof in {file}: words that only members see")
    return LoginRecipe(url, tuple((name, _value(file, name, value)) for name, value in fields.items()), proof)


def _value(file: Path, name: str, value: Any) -> str:
    """The value of a field: a text, or where to find it: {env = "VARIABLE"} or {file = "PATH"}."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and len(value) == 1:
        [(kind, place)] = value.items()
        if kind == "env" and isinstance(place, str):
            if place not in os.environ:
                raise UsageError(f"{file} takes {name} from the variable {place}, which is not set")
            return os.environ[place]
        if kind == "file" and isinstance(place, str):
            return _first_line(file, name, file.parent / place)
    raise UsageError(
        f'expected a text, {{env = "VARIABLE"}} or {{file = "PATH"}} as the value of {name} in {file}'
    )


def _first_line(file: Path, name: str, place: Path) -> str:
    try:
        return place.read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
    except (OSError, ValueError) as error:
        told = getattr(error, "strerror", None) or "it is not text"
        raise UsageError(f"{file} takes {name} from {place}, which cannot be read: {told}") from None


async def log_in(fetcher: Fetcher, recipe: LoginRecipe) -> None:
    """Log in with a fetcher: afterwards its cookies are those of a member. Raise LoginError if it failed.

    None of these exchanges is returned, so none is archived.
    """
    page = _read(await fetcher.send_unrecorded(recipe.url))
    form = _find_form(page, recipe)
    action = urljoin(page.url, form.attr("action") or "") if form.attr("action") else page.url
    fields = _fill_in(form, recipe)
    if (form.attr("method") or "get").lower() == "post":
        body = urlencode(fields).encode("ascii")
        answer = _read(await fetcher.send_unrecorded(action, body))
    else:
        joined = "&" if "?" in action else "?"
        answer = _read(await fetcher.send_unrecorded(f"{action}{joined}{urlencode(fields)}"))
    _check(answer, recipe)


def _read(exchange: Exchange) -> Tree:
    payload, _ = decode_exchange(exchange, _MOST_BYTES)
    kind = next((value for name, value in exchange.headers if name.lower() == "content-type"), "")
    return parse(payload, exchange.url, kind)


def _find_form(page: Tree, recipe: LoginRecipe) -> Any:
    """The form that has most of the recipe's fields; of several, the one with a password field."""
    wanted = {name for name, _ in recipe.fields}
    found = [
        (len(wanted & {field.attr("name") for field in form.select("input, select, textarea")}), form)
        for form in page.document.select("form")
    ]
    best = max(found, key=lambda one: (one[0], bool(one[1].select("input[type=password i]"))), default=None)
    if best is None or best[0] == 0:
        named = ", ".join(sorted(wanted))
        raise LoginError(
            f"expected a form with the fields {named} at {recipe.url}, but found none; "
            "look at the names of the fields in the source of the page"
        )
    return best[1]


def _fill_in(form: Any, recipe: LoginRecipe) -> list[tuple[str, str]]:
    """All fields of the form: hidden ones as they came, those of the recipe with its values."""
    given = dict(recipe.fields)
    found: dict[str, str] = {}
    for field in form.select("input[name], button[name]")[:_MOST_FIELDS]:
        kind = (field.attr("type") or "text").lower()
        if kind in _TYPES_LEFT_OUT or (kind in {"checkbox", "radio"} and field.attr("checked") is None):
            continue
        found[field.attr("name") or ""] = field.attr("value") or ""
    # Many engines look for the name of the button: without it nothing happens.
    button = next(iter(form.select("input[type=submit i][name], button[name]")), None)
    if button is not None:
        found.setdefault(button.attr("name") or "", button.attr("value") or "")
    return list((found | given).items())


def _check(answer: Tree, recipe: LoginRecipe) -> None:
    text = answer.document.text
    if recipe.proof:
        if recipe.proof not in text:
            raise LoginError(
                f"logging in at {recipe.url} failed: the page after it does not hold {recipe.proof!r}; "
                "check the name and the password, and the proof in the recipe"
            )
    elif answer.document.select("input[type=password i]"):
        raise LoginError(
            f"logging in at {recipe.url} failed: the page after it asks for a password again; "
            "check the name and the password"
        )
