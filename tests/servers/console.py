"""A client of the console that keeps its cookie and sends the token of its forms, as a browser does."""

from __future__ import annotations

import http.client
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')


@dataclass(frozen=True)
class ConsoleAnswer:
    status: int
    headers: Mapping[str, str]
    text: str


class ConsoleClient:
    def __init__(self, base: str) -> None:
        self.host = urlsplit(base).netloc
        self.cookie = ""
        self.token = ""

    def get(self, path: str, **headers: str) -> ConsoleAnswer:
        answer = self._send("GET", path, None, headers)
        found = _TOKEN.search(answer.text)
        if found:
            self.token = found[1]
        return answer

    def post(self, path: str, fields: Mapping[str, str] | None = None, **headers: str) -> ConsoleAnswer:
        values = {"form_token": self.token, **(fields or {})}
        sent = {"content-type": "application/x-www-form-urlencoded", **headers}
        return self._send("POST", path, urlencode(values).encode(), sent)

    def post_pairs(self, path: str, fields: Sequence[tuple[str, str]]) -> ConsoleAnswer:
        """Send a form whose fields may come several times."""
        sent = {"content-type": "application/x-www-form-urlencoded"}
        return self._send("POST", path, urlencode([("form_token", self.token), *fields]).encode(), sent)

    def upload_files(
        self, path: str, fields: Sequence[tuple[str, str]], files: Sequence[tuple[str, str, bytes]]
    ) -> ConsoleAnswer:
        """Send a form with several files."""
        parts = [
            f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, value in fields
        ]
        for field, name, content in files:
            head = f'--x\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
            parts.append(head.encode() + b"Content-Type: text/html\r\n\r\n" + content + b"\r\n")
        body = b"".join([*parts, b"--x--\r\n"])
        return self._send("POST", path, body, {"content-type": "multipart/form-data; boundary=x"})

    def upload(self, path: str, content: bytes, name: str = "page.html", url: str = "") -> ConsoleAnswer:
        parts = [
            f'--x\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
            for field, value in (("form_token", self.token), ("url", url))
        ]
        head = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        parts.append(head.encode() + b"Content-Type: text/html\r\n\r\n" + content + b"\r\n--x--\r\n")
        return self._send("POST", path, b"".join(parts), {"content-type": "multipart/form-data; boundary=x"})

    def _send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> ConsoleAnswer:
        connection = http.client.HTTPConnection(self.host, timeout=60)
        try:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, {"cookie": self.cookie, **sent})
            answer = connection.getresponse()
            text = answer.read().decode("utf-8", "replace")
            for value in answer.headers.get_all("set-cookie") or ():
                self.cookie = value.partition(";")[0]
            return ConsoleAnswer(answer.status, {k.lower(): v for k, v in answer.headers.items()}, text)
        finally:
            connection.close()
