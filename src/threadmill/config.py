"""Settings and their defaults. A TOML file overrides the defaults, environment variables override both."""

from __future__ import annotations

import dataclasses
import inspect
import math
import os
import re
import tomllib
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from threadmill import __version__
from threadmill.errors import SettingsError

ENVIRONMENT_PREFIX = "THREADMILL_"
SETTINGS_FILE = "threadmill.toml"


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """How a request is made, and when it is given up."""

    contact: str = "https://threadmill.readthedocs.io/crawler"
    user_agent: str = ""  # empty: "threadmill/VERSION (+contact)"
    timeout: float = 30.0  # seconds for one whole request
    max_body_bytes: int = 20_000_000
    max_bytes_in_flight: int = 100_000_000  # of unfinished bodies, over all connections
    max_redirects: int = 10
    retries: int = 4
    retry_seconds: float = 1.0  # pause before the first retry; it doubles each time, with jitter
    max_retry_after: float = 300.0  # seconds; a longer Retry-After sets the host aside for a while
    private_targets: bool = True  # allow private, loopback and link-local addresses
    verify_tls: bool = True  # refuse certificates that are expired, self-signed or for another name
    browser: bool = False  # pages that scripts make are made by a real Chromium
    browser_program: str = ""  # a path or name of Chromium; empty: the one that is installed

    @property
    def agent(self) -> str:
        """The User-Agent that is sent with every request."""
        return self.user_agent or f"threadmill/{__version__} (+{self.contact})"


@dataclass(frozen=True, slots=True)
class AccessSettings:
    """How to get into a closed site, and through which proxy. Nothing of it is archived or printed."""

    site: str = ""  # https://forum.example.org: user, password and headers go there only; crawl: its URL
    user: str = ""  # of HTTP basic authentication
    password: str = ""  # better in the variable THREADMILL_ACCESS_PASSWORD
    headers: str = ""  # more headers, "Name: value", one a line
    cookies: str = ""  # a file cookies.txt in the Netscape format, as browser extensions export it
    login: str = ""  # a file with the recipe of a log-in form
    proxy: str = ""  # http://HOST:PORT or socks5://HOST:PORT; none; empty: as HTTP_PROXY and its kin say


@dataclass(frozen=True, slots=True)
class CrawlSettings:
    """How fast hosts are visited, and how far a crawl goes."""

    delay: float = 1.0  # least seconds between two requests to one host
    concurrency: int = 16  # requests at the same time, over all hosts
    host_concurrency: int = 2  # requests at the same time to one host
    max_crawl_delay: float = 60.0  # seconds; a longer Crawl-delay in robots.txt is cut to this
    robots: bool = True  # obey robots.txt
    sitemaps: bool = False  # a site crawl also starts from the URLs in sitemaps and feeds
    max_pages: int = 0  # 0: no limit
    max_depth: int = 0  # links from the start URL; 0: no limit
    max_seconds: float = 0.0  # of one run; 0: no limit
    # It is longer than max_crawl_delay, so that obeying a Crawl-delay never ends a run.
    patience: float = 90.0  # seconds; a run ends if it had to wait longer, once fetch.retries are used up


@dataclass(frozen=True, slots=True)
class ArchiveSettings:
    """How the answers of servers are archived."""

    enabled: bool = True
    max_file_bytes: int = 1_000_000_000  # a WARC file that reaches this size is closed and a new one begins
    join_file_bytes: int = 50_000_000  # a smaller WARC file is continued by the next crawl; 0: never
    compression_level: int = 1  # of gzip: 0 to 9


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """The database that keeps the state of crawls."""

    url: str = ""  # postgresql://USER@HOST/DATABASE; empty: a SQLite file in the workspace


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """The HTTP service that compares sites."""

    host: str = "127.0.0.1"
    port: int = 8000
    token: str = ""  # for private calls: "Authorization: Bearer TOKEN"; empty: private calls are refused
    broker: str = ""  # amqp://USER:PASSWORD@HOST/VHOST; empty: `threadmill serve` needs no broker
    processes: int = 1  # worker processes of `threadmill serve`; 2 or more add one to fetch; 0: none
    together: int = 100  # sites that one process fetches at the same time; crawl.delay holds for each host
    private_targets: bool = False  # allow sites at private and loopback addresses; for tests only
    max_sites: int = 100_000  # in one task; a longer list is refused
    max_body_bytes: int = 10_000_000  # of one request to the service: 100,000 URLs of 100 bytes
    vocabulary: str = ""  # a file made by `threadmill sites train`; empty: the vocabulary in the package


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """How often `threadmill watch` visits forums."""

    budget: int = 2000  # most requests to one host in 24 hours
    posts: float = 3.0  # a board is visited when this many new posts are expected
    period_hours: float = 0.0  # visit every forum this often; 0: busy boards are checked more often
    lease_seconds: float = 60.0  # a worker of a fleet that was silent for this time has died


@dataclass(frozen=True, slots=True)
class ConsoleSettings:
    """The console: the web page on a workspace."""

    host: str = "127.0.0.1"  # on any other address the console asks for the password or a token
    port: int = 8400
    password: str = ""  # its hash, from `threadmill console --hash-password`; never the password itself
    max_upload_bytes: int = 20_000_000  # of a page or list that is uploaded
    readings: str = ""  # more readings to compare: "module:function, …", given HTML and URL, return text


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a workspace."""

    fetch: FetchSettings = field(default_factory=FetchSettings)
    access: AccessSettings = field(default_factory=AccessSettings)
    crawl: CrawlSettings = field(default_factory=CrawlSettings)
    archive: ArchiveSettings = field(default_factory=ArchiveSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    service: ServiceSettings = field(default_factory=ServiceSettings)
    watch: WatchSettings = field(default_factory=WatchSettings)
    console: ConsoleSettings = field(default_factory=ConsoleSettings)


@dataclass(frozen=True, slots=True)
class SectionDescription:
    """A section of the settings in words."""

    name: str
    meaning: str
    values: tuple[tuple[str, Any, str], ...]  # name, default, meaning


def describe_settings() -> Iterator[SectionDescription]:
    """All settings with their defaults and what they mean, as the comments of this file say it."""
    for section in dataclasses.fields(Settings):
        kind = type(getattr(Settings(), section.name))
        said = dict(_COMMENT.findall(inspect.getsource(kind)))
        values = tuple((one.name, one.default, said.get(one.name, "")) for one in dataclasses.fields(kind))
        yield SectionDescription(section.name, str(inspect.getdoc(kind)), values)


_COMMENT = re.compile(r"^    (\w+): [^#\n]*(?:#\s*(.*))?$", re.MULTILINE)


def load_settings(file: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Read settings from a TOML file, if it exists, and from variables THREADMILL_SECTION_NAME."""
    given = _read_toml(file) if file is not None and file.exists() else {}
    settings = _merge(Settings(), given, str(file))
    return _merge(settings, _read_environment(os.environ if environ is None else environ), "the environment")


def holds_secrets(settings: Settings) -> bool:
    """Is there a password or a token in these settings, or in a URL of them?"""
    access, service = settings.access, settings.service
    if access.password or access.headers or service.token:
        return True
    return any(_has_password(url) for url in (settings.store.url, service.broker, access.proxy))


def _has_password(url: str) -> bool:
    """Whether USER:PASSWORD@HOST or ?password=… is in a URL. One that cannot be parsed may have one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return True
    return bool(parts.password) or "password" in parse_qs(parts.query)


# The least and the largest value of settings. Other numbers may be anything from 0 on.
_LEAST: dict[str, float] = {
    "fetch.timeout": 0.001,
    "fetch.max_body_bytes": 1,
    "fetch.max_bytes_in_flight": 1,
    "crawl.concurrency": 1,
    "crawl.host_concurrency": 1,
    "archive.max_file_bytes": 1,
    "service.together": 1,
    "service.max_sites": 2,
    "service.max_body_bytes": 1,
    "watch.budget": 1,
    "watch.posts": 0.001,
    "watch.lease_seconds": 1,
}
# Each request at the same time is a task with its own memory: 100,000,000 of them took 11 GB and did nothing.
_LARGEST: dict[str, float] = {
    "crawl.concurrency": 10_000,
    "crawl.host_concurrency": 10_000,
    "service.port": 65535,
    "service.together": 10_000,
    "archive.compression_level": 9,
}


def check_range(section: str, name: str, value: Any, origin: str) -> None:
    """Raise SettingsError for a number that makes no sense as the value of a setting."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    key = f"{section}.{name}"
    least, largest = _LEAST.get(key, 0), _LARGEST.get(key, math.inf)
    if not least <= value <= largest or math.isinf(value):  # NaN is not in any range
        border = f"{least:g} or more" if largest == math.inf else f"from {least:g} to {largest:g}"
        raise SettingsError(f"{origin} sets {key} to {value}, but it must be {border}")


def override(settings: Settings, section: str, **values: Any) -> Settings:
    """A copy of the settings with other values in one section. A value of None changes nothing."""
    given = {name: value for name, value in values.items() if value is not None}
    for name, value in given.items():
        check_range(section, name, value, "the call")
    return dataclasses.replace(
        settings, **{section: dataclasses.replace(getattr(settings, section), **given)}
    )


# More parts of a key than any file of ours has: tomllib takes 13 s for a key of 20,000.
_LONG_KEY = re.compile(
    r"""(?<![\w.\-"'])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}""", re.ASCII
)


def parse_toml(text: str) -> dict[str, Any]:
    """Read TOML that people wrote. Raise ValueError, and no other error, if it is none."""
    if long_key := _LONG_KEY.search(text):
        line = text.count("\n", 0, long_key.start()) + 1
        raise ValueError(f"a key has more than 32 parts (at line {line})")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("values stand too deep in one another") from None


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return parse_toml(file.read_text(encoding="utf-8"))
    except ValueError as error:  # numbers of thousands of digits raise others than tomllib's own
        raise SettingsError(f"expected TOML in {file}, but {error}; fix this line") from None
    except OSError as error:
        raise SettingsError(f"cannot read the settings file {file}: {error.strerror}") from None


def _read_environment(environ: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """THREADMILL_CRAWL_MAX_PAGES=5 sets "max_pages" in section "crawl"."""
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
    known = [field.name for field in dataclasses.fields(settings)]
    for section, values in given.items():
        if section not in known or not isinstance(values, Mapping):
            raise SettingsError(
                f"{origin} has a section [{section}] that Threadmill does not know; "
                f"known are {', '.join(known)}"
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
        converted = _as_kind(value, wanted)
    except (TypeError, ValueError, OverflowError):
        raise SettingsError(
            f"{origin} sets {section}.{name} to {str(value)[:80]!r}, but it must be {wanted.__name__}"
        ) from None
    check_range(section, name, converted, origin)
    return converted


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
    if isinstance(value, bool):  # Python counts bool as int; in a settings file, true is not a number
        raise TypeError(value)
    return wanted(value)
