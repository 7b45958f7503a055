"""Proxies: which one a request goes through, and the way through it."""

from __future__ import annotations

import base64
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment

from threadmill.crawl.fetch.target import RequestTarget
from threadmill.errors import RefusedError, SettingsError

_SCHEMES = {"http": 80, "socks4": 1080, "socks5": 1080, "socks5h": 1080}
NO_PROXY = "none"


@dataclass(frozen=True, slots=True)
class Proxy:
    """One proxy."""

    url: str  # with name and password, if it asks for them
    scheme: str
    host: str
    port: int

    @property
    def shown(self) -> str:
        """The proxy without its password, for messages."""
        return f"{self.scheme}://{self.host}:{self.port}"

    @property
    def authorization(self) -> bytes:
        """The header line that tells an HTTP proxy who we are. Empty if it does not ask."""
        parts = urlsplit(self.url)
        if parts.username is None:
            return b""
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        octets = pair.encode("utf-8", "surrogateescape")  # as the environment has it
        return b"Proxy-Authorization: Basic " + base64.b64encode(octets) + b"\r\n"

    async def open_tunnel(self, host: str, port: int, seconds: float) -> socket.socket:
        """A socket to a host, through the proxy. Raise RefusedError if there is no way."""
        from python_socks import ProxyError as SocksError
        from python_socks import ProxyTimeoutError
        from python_socks.async_.asyncio import Proxy as SocksProxy

        # The name is looked up by the proxy: behind one, this machine often cannot.
        way = SocksProxy.from_url(self.url.replace("socks5h://", "socks5://", 1), rdns=True)
        try:
            return await way.connect(dest_host=host, dest_port=port, timeout=seconds)
        except (SocksError, ProxyTimeoutError, OSError) as error:
            raise RefusedError(f"no connection to {host} through the proxy {self.shown}: {error}") from None


def read_proxy(text: str) -> Proxy:
    """A proxy from its URL. Raise SettingsError if it is none."""
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    # A word alone is more often a slip than the name of a machine whose port goes without saying.
    has_port = port is not None or "://" in text
    if parts.scheme not in _SCHEMES or not parts.hostname or not has_port:
        raise SettingsError(
            "expected a proxy such as http://proxy.example.org:3128 or socks5://localhost:1080, "
            f"but got {_without_password(text)!r}"
        )
    url = f"{parts.scheme}://{parts.netloc}" + ("" if port else f":{_SCHEMES[parts.scheme]}")
    return Proxy(url, parts.scheme, parts.hostname, port or _SCHEMES[parts.scheme])


class ProxyChoice:
    """Chooses the proxy of a request: the one of the settings, or else that of the environment."""

    def __init__(self, setting: str, environ: Mapping[str, str] | None = None) -> None:
        self._fixed = read_proxy(setting) if setting and setting != NO_PROXY else None
        told = getproxies_environment() if environ is None else dict(environ)
        self._told: dict[str, str] = {} if setting else told
        self._known: dict[str, Proxy] = {}

    def choose(self, target: RequestTarget) -> Proxy | None:
        """The proxy for a request, or None. The environment's proxies are never asked for this machine."""
        if self._fixed is not None:
            return self._fixed
        told = self._told.get(target.scheme) or self._told.get("all")
        if not told or _is_loopback(target.host) or _is_left_out(target, self._told.get("no", "")):
            return None
        if told not in self._known:
            self._known[told] = read_proxy(told)
        return self._known[told]


def _is_left_out(target: RequestTarget, names: str) -> bool:
    """Whether NO_PROXY names the host, a domain above it, or everything ("*")."""
    for name in filter(None, (name.strip().lower() for name in names.split(","))):
        domain = name.lstrip("*").lstrip(".")
        if name == "*" or domain in {target.host, target.authority} or target.host.endswith(f".{domain}"):
            return True
    return False


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _without_password(text: str) -> str:
    return f"…@{text.rpartition('@')[2]}" if "@" in text else text
