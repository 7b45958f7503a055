"""Settings: defaults here, one TOML file over them, environment variables over both."""

from __future__ import annotations

import dataclasses
import os
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from threadmill import __version__
from threadmill.errors import SettingsError

ENVIRONMENT_PREFIX = "THREADMILL_"
SETTINGS_FILE = "threadmill.toml"


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """How a request is made and when it is given up."""

    contact: str = "https://threadmill.readthedocs.io/crawler"
    user_agent: str = ""  # empty: threadmill/VERSION (+contact)
    timeout: float = 30.0  # seconds for one whole request
    max_body_bytes: int = 20_000_000
    max_redirects: int = 10
    retries: int = 4
    retry_seconds: float = 1.0  # first pause; doubles each time, with jitter
    max_retry_after: float = 300.0  # a longer Retry-After puts the host aside instead
    private_targets: bool = True  # may private, loopback and link-local addresses be fetched
    verify_tls: bool = True  # refuse certificates that are expired, self-made or of another name

    @property
    def agent(self) -> str:
        """The truthful User-Agent that is sent with every request."""
        return self.user_agent or f"threadmill/{__version__} (+{self.contact})"


@dataclass(frozen=True, slots=True)
class CrawlSettings:
    """How gently a host is visited, and how far a crawl goes."""

    delay: float = 1.0  # least seconds between two requests to one host
    concurrency: int = 16  # requests under way at once, over all hosts
    host_concurrency: int = 2
    max_crawl_delay: float = 60.0  # a robots.txt that asks for more is kept to, up to this
    robots: bool = True
    sitemaps: bool = False  # start a site crawl from what its sitemaps and feeds tell of, too
    max_pages: int = 0  # 0: no limit
    max_depth: int = 0
    max_seconds: float = 0.0
    # A run that could go on only after more seconds than this ends, and leaves the rest to the next one;
    # longer than max_crawl_delay, so that keeping to that is no reason to end.
    patience: float = 90.0


@dataclass(frozen=True, slots=True)
class ArchiveSettings:
    """How responses are kept."""

    enabled: bool = True
    max_file_bytes: int = 1_000_000_000
    compression_level: int = 1


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Where state is kept; an empty URL is the workspace's own SQLite file."""

    url: str = ""


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """The duplicate-sites service: its door, its queue, its limits."""

    host: str = "127.0.0.1"
    port: int = 8000
    token: str = ""  # opens the private calls, as "Authorization: Bearer TOKEN"; empty: they stay closed
    broker: str = ""  # amqp://USER:PASSWORD@HOST/VHOST; empty: everything happens in `threadmill serve`
    processes: int = 1  # that work for `threadmill serve`, one more to collect from 2 on; 0: it works itself
    together: int = 100  # sites one process collects at once; each is asked once a second (crawl.delay)
    private_targets: bool = False  # may sites at private and loopback addresses be asked for: for tests only
    max_sites: int = 10_000  # of one task
    max_body_bytes: int = 5_000_000  # of one request: 10,000 addresses of 500 bytes
    vocabulary: str = ""  # made by `threadmill sites train`; empty: the one shipped


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """How often watched forums are visited."""

    budget: int = 2000  # requests to a host in 24 hours
    posts: float = 3.0  # new posts a board is expected to have before it is visited
    period_hours: float = 0.0  # visit every forum this often instead; 0: as its boards are worth it


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a project."""

    fetch: FetchSettings = field(default_factory=FetchSettings)
    crawl: CrawlSettings = field(default_factory=CrawlSettings)
    archive: ArchiveSettings = field(default_factory=ArchiveSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    service: ServiceSettings = field(default_factory=ServiceSettings)
    watch: WatchSettings = field(default_factory=WatchSettings)


def load_settings(file: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Settings from a TOML file (if it exists) and from THREADMILL_SECTION_NAME variables."""
    given = _read_toml(file) if file is not None and file.exists() else {}
    settings = _merge(Settings(), given, str(file))
    return _merge(settings, _read_environment(os.environ if environ is None else environ), "the environment")


def override(settings: Settings, section: str, **values: Any) -> Settings:
    """The same settings with some values of one section replaced; None leaves a value as it is."""
    given = {name: value for name, value in values.items() if value is not None}
    return dataclasses.replace(
        settings, **{section: dataclasses.replace(getattr(settings, section), **given)}
    )


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"expected TOML in {file}, but {error}; mend that line") from None
    except OSError as error:
        raise SettingsError(f"cannot read the settings file {file}: {error.strerror}") from None


def _read_environment(environ: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """THREADMILL_CRAWL_MAX_PAGES=5 is section "crawl", name "max_pages"."""
    sections: dict[str, dict[str, str]] = {}
    known = {f.name for f in dataclasses.fields(Settings)}
    for key, value in environ.items():
        if not key.startswith(ENVIRONMENT_PREFIX):
            continue
        section, _, name = key.removeprefix(ENVIRONMENT_PREFIX).lower().partition("_")
        if section in known and name:
            sections.setdefault(section, {})[name] = value
    return sections


def _merge(settings: Settings, given: Mapping[str, Any], origin: str) -> Settings:
    for section, values in given.items():
        if not hasattr(settings, section) or not isinstance(values, Mapping):
            raise SettingsError(
                f"{origin} has a section [{section}] that Threadmill does not know; "
                f"known are {', '.join(f.name for f in dataclasses.fields(settings))}"
            )
        old = getattr(settings, section)
        hints = typing.get_type_hints(type(old))
        new = {name: _convert(section, name, value, hints, origin) for name, value in values.items()}
        settings = dataclasses.replace(settings, **{section: dataclasses.replace(old, **new)})
    return settings


def _convert(section: str, name: str, value: Any, hints: Mapping[str, Any], origin: str) -> Any:
    if name not in hints:
        raise SettingsError(
            f"{origin} sets {section}.{name}, which does not exist; known are {', '.join(sorted(hints))}"
        )
    wanted = hints[name]
    if isinstance(wanted, types.UnionType):
        wanted = next(kind for kind in typing.get_args(wanted) if kind is not type(None))
    try:
        return _as_kind(value, wanted)
    except (TypeError, ValueError):
        raise SettingsError(
            f"{origin} sets {section}.{name} to {value!r}, but it must be {wanted.__name__}"
        ) from None


_BOOLEANS = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}


def _as_kind(value: Any, wanted: type) -> Any:
    if wanted is bool:
        if isinstance(value, bool):
            return value
        if str(value).lower() in _BOOLEANS:
            return _BOOLEANS[str(value).lower()]
        raise ValueError(value)
    if isinstance(value, bool):  # bool is an int to Python, but not to a reader of settings
        raise TypeError(value)
    return wanted(value)
