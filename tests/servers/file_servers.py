"""Servers of files on loopback: a web server, Google's object store, and the hub of Hugging Face.

They answer what the clients of fsspec ask when Threadmill reads, lists, writes and deletes files.
"""

import json
import re
import threading
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import md5, sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

_RANGE = re.compile(r"bytes=(\d+)-(\d*)$").match
_DELETE = re.compile(r"DELETE \S*/b/[^/]+/o/(\S+?)(?:\?\S*)? HTTP").findall
_CHANGED = "2026-01-02T03:04:05.000Z"


@dataclass(slots=True)
class ServedFiles:
    """What a server holds, and what it was asked."""

    files: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)  # method and path of each request
    sent: int = 0  # bytes of files
    failing: int = 0  # so many requests for content are cut off in the middle
    refusing: bool = False  # everything is answered with 403


class _Handler(BaseHTTPRequestHandler):
    """What the three servers have in common."""

    protocol_version = "HTTP/1.1"
    served: ClassVar[ServedFiles]

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing is printed."""

    def parse_request(self) -> bool:
        parsed = super().parse_request()
        if parsed:
            self.served.asked.append(f"{self.command} {self.path}")
        return parsed

    def refuse(self) -> bool:
        if self.served.refusing:
            self.send(b"no", status=403)
        return self.served.refusing

    def read_body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def send(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        headers.setdefault("Content_Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_json(self, value: object, status: int = 200, **headers: str) -> None:
        self.send(json.dumps(value).encode(), status, Content_Type="application/json", **headers)

    def send_file(self, name: str) -> None:
        """A file, or the range of it that was asked for."""
        content = self.served.files.get(name)
        if content is None:
            self.send(b"not found", status=404)
            return
        part = _RANGE(self.headers.get("Range") or "")
        start, end = (int(part[1]), int(part[2] or len(content) - 1) + 1) if part else (0, len(content))
        piece = content[start:end]
        mark = f'"{md5(content).hexdigest()}"'
        headers = {"ETag": mark, "Accept_Ranges": "bytes"}
        if part:
            headers["Content_Range"] = f"bytes {start}-{start + len(piece) - 1}/{len(content)}"
        if self.served.failing and self.command == "GET" and len(piece) > 1:
            self.served.failing -= 1
            self.send(
                piece[: len(piece) // 2], 206 if part else 200, Content_Length=str(len(piece)), **headers
            )
            self.close_connection = True
            return
        self.served.sent += len(piece) * (self.command == "GET")
        self.send(piece, 206 if part else 200, **headers)


class _WebHandler(_Handler):
    """A plain web server with ranges."""

    def do_GET(self) -> None:
        if not self.refuse():
            self.send_file(unquote(urlsplit(self.path).path).lstrip("/"))

    do_HEAD = do_GET  # noqa: N815


class _GoogleHandler(_Handler):
    """The JSON interface of Google Cloud Storage: objects, listings, uploads, deletions."""

    uploads: ClassVar[dict[str, bytearray]] = {}

    def do_GET(self) -> None:
        if self.refuse():
            return
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        bucket, _, name = url.path.partition("/b/")[2].partition("/o")
        name = unquote(name.lstrip("/"))
        if url.path.startswith("/download/"):
            self.send_file(name)
        elif name:
            known = name in self.served.files
            self.send_json(self._about(bucket, name) if known else {}, 200 if known else 404)
        else:
            self._list(bucket, query.get("prefix", ""), query.get("delimiter", ""))

    def _list(self, bucket: str, prefix: str, delimiter: str) -> None:
        items, folders = [], set()
        for name in sorted(self.served.files):
            if name.startswith(prefix):
                head, found, _ = name[len(prefix) :].partition(delimiter or "\0")
                if found:
                    folders.add(prefix + head + found)
                else:
                    items.append(self._about(bucket, name))
        self.send_json({"items": items, "prefixes": sorted(folders)})

    def _about(self, bucket: str, name: str) -> dict[str, str]:
        content = self.served.files[name]
        mark = md5(content).hexdigest()
        return {
            "bucket": bucket, "name": name, "size": str(len(content)), "etag": mark, "md5Hash": mark,
            "generation": "1", "updated": _CHANGED, "timeCreated": _CHANGED, "kind": "storage#object",
        }  # fmt: skip

    def do_POST(self) -> None:
        body = self.read_body()
        if self.refuse():
            return
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path.startswith("/batch/"):
            self._delete_many(body.decode())
        elif "upload_id" in query:
            self._continue_upload(query["upload_id"], body)
        elif query["uploadType"] == "resumable":
            self.uploads[query["name"]] = bytearray()
            where = f"http://{self.headers['Host']}/upload/resumable?upload_id={query['name']}"
            self.send(b"", Location=where)
        else:
            head, content = body.removesuffix(b"\n--==0==--").split(b"\n--==0==", 1)
            name = json.loads(head.partition(b"\n\n")[2])["name"]
            self.served.files[name] = content.partition(b"\n\n")[2]
            self.send_json(self._about("bucket", name))

    def _continue_upload(self, name: str, body: bytes) -> None:
        upload = self.uploads[name]
        upload += body
        if self.headers["Content-Range"].endswith("/*"):
            self.send(b"", status=308, Range=f"bytes=0-{len(upload) - 1}")
            return
        self.served.files[name] = bytes(self.uploads.pop(name))
        self.send_json(self._about("bucket", name))

    def _delete_many(self, body: str) -> None:
        parts = []
        for name in _DELETE(body):
            found = self.served.files.pop(unquote(name), None) is not None
            parts.append(f"--batch\nContent-Type: application/http\n\nHTTP/1.1 {204 if found else 404} x\n\n")
        self.send("".join([*parts, "--batch--"]).encode(), Content_Type="multipart/mixed; boundary=batch")

    def do_DELETE(self) -> None:
        url = urlsplit(self.path)
        if "upload_id" in url.query:
            self.uploads.pop(parse_qs(url.query)["upload_id"][0], None)
            self.send(b"", status=499)
        else:
            self.served.files.pop(unquote(url.path.partition("/o/")[2]), None)
            self.send(b"", status=204)


class _HubHandler(_Handler):
    """One dataset on the hub of Hugging Face: its files, their listing, and commits without large files."""

    def do_GET(self) -> None:
        if self.refuse():
            return
        path = unquote(urlsplit(self.path).path)
        if not path.removeprefix("/api").startswith("/datasets/forums/pages"):
            self.send_json({"error": "Repository not found"}, 404, X_Error_Code="RepoNotFound")
        elif "/resolve/" in path:
            self.send_file(path.partition("/resolve/")[2].partition("/")[2])
        elif "/tree/" in path:
            query = parse_qs(urlsplit(self.path).query)
            folder = path.partition("/tree/")[2].partition("/")[2]
            self._list(folder, recursive=query.get("recursive", [""])[0].lower() in {"true", "1"})
        else:
            self.send_json(
                {"_id": "1", "id": "forums/pages", "sha": "a" * 40, "private": False, "siblings": []}
            )

    do_HEAD = do_GET  # noqa: N815

    def _list(self, folder: str, *, recursive: bool) -> None:
        prefix = f"{folder.rstrip('/')}/" if folder else ""
        found: dict[str, dict[str, object]] = {}
        for name, content in sorted(self.served.files.items()):
            if not name.startswith(prefix):
                continue
            steps = name[len(prefix) :].split("/")
            for depth in range(1, len(steps) if recursive else min(2, len(steps))):
                path = prefix + "/".join(steps[:depth])
                found[path] = {"type": "directory", "path": path, "oid": "d", "size": 0}
            if recursive or len(steps) == 1:
                mark = sha1(content).hexdigest()
                found[name] = {"type": "file", "path": name, "oid": mark, "size": len(content)}
        if found:
            self.send_json(list(found.values()))
        else:
            self.send_json({"error": "no entry"}, 404, X_Error_Code="EntryNotFound")

    def do_POST(self) -> None:
        body = self.read_body()
        if self.refuse():
            return
        if "/preupload/" in self.path:
            files = [
                {"path": one["path"], "uploadMode": "regular", "shouldIgnore": False}
                for one in json.loads(body)["files"]
            ]
            self.send_json({"files": files})
        elif "/commit/" in self.path:
            self._commit(body)
        else:
            self.send_json({"error": "unknown"}, 501)

    def _commit(self, body: bytes) -> None:
        for line in body.splitlines():
            change = json.loads(line)
            if change["key"] == "file":
                self.served.files[change["value"]["path"]] = b64decode(change["value"]["content"])
            elif change["key"].startswith("deleted"):
                gone = change["value"]["path"]
                for name in [
                    name for name in self.served.files if f"{name}/".startswith(f"{gone.rstrip('/')}/")
                ]:
                    del self.served.files[name]
        self.send_json(
            {
                "commitUrl": f"http://{self.headers['Host']}/datasets/forums/pages/commit/{'b' * 40}",
                "commitOid": "b" * 40,
            }
        )


class _QuietServer(ThreadingHTTPServer):
    """Says nothing about clients that end in the middle of an answer."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients of tests are killed or end early."""


@contextmanager
def _serving(handler: type[_Handler]) -> Iterator[tuple[str, ServedFiles]]:
    served = ServedFiles()
    fresh = type(handler.__name__, (handler,), {"served": served})
    server = _QuietServer(("127.0.0.1", 0), fresh)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def run_web_server() -> Any:
    """A web server: its URL, and what it holds."""
    return _serving(_WebHandler)


def run_google_storage() -> Any:
    """An object store for STORAGE_EMULATOR_HOST, and what its only bucket holds."""
    return _serving(_GoogleHandler)


def run_hub() -> Any:
    """A hub for HF_ENDPOINT with the dataset forums/pages, and what that holds."""
    return _serving(_HubHandler)
