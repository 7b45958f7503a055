"""The incremental crawl on recorded forums: their replay server, four dates, their judge.

python -m bench.crawl_recordings DIRECTORY [SITE …]; there are replay.py, judge.py, data/ and truth/.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from threadmill.config import override
from threadmill.crawl.incremental.session import crawl_forum
from threadmill.store import open_store
from threadmill.store.export import export_posts
from threadmill.workspace import Workspace, open_workspace

SITES = {"fluxbb": "/", "smf": "/", "machina": "/forum/", "discuz": "/"}
DATES = ("2025-01-31", "2025-02-28", "2025-03-31", "2025-04-30")
SHOWN = (
    "precision",
    "page_recall",
    "downloads_per_oracle",
    "post_recall",
    "post_precision",
    "date_minute",
    "author",
    "body_f1",
)


def main() -> int:
    """Crawl each site on each date and print the judge's figures of the first crawl and of the later ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("site", nargs="*", help=f"of {', '.join(SITES)}; all by default")
    arguments = parser.parse_args()
    print("site", "crawl", *SHOWN, sep="\t")
    for site in arguments.site or SITES:
        with tempfile.TemporaryDirectory() as scratch:
            judged = crawl_and_judge(arguments.directory.resolve(), site, Path(scratch))
        print(site, "first", *(judged["dates"][DATES[0]].get(name) for name in SHOWN), sep="\t")
        print(site, "later", *(judged["dates"]["T1.."].get(name) for name in SHOWN), sep="\t", flush=True)
    return 0


def crawl_and_judge(directory: Path, site: str, scratch: Path) -> dict[str, dict[str, dict[str, float]]]:
    """The judge's figures of one site."""
    log = scratch / "requests.jsonl"
    exported = []
    workspace = _workspace(scratch / "workspace")
    with _replay(directory, site, log) as base:
        for date in DATES:
            if date != DATES[0]:
                urlopen(Request(f"{base}/__replay__/advance?date={date}", method="POST")).close()
            crawl_forum(workspace, base + SITES[site])
            exported.append(f"{date}={_export(workspace, scratch / f'{date}.jsonl')}")
    verdict = scratch / "verdict.json"
    command = [
        sys.executable,
        "judge.py",
        "--site",
        site,
        "--log",
        log,
        "--posts",
        *exported,
        "--json",
        verdict,
    ]
    subprocess.run(list(map(str, command)), cwd=directory, check=True, stdout=subprocess.DEVNULL)
    found: dict[str, dict[str, dict[str, float]]] = json.loads(verdict.read_text())
    return found


@contextmanager
def _replay(directory: Path, site: str, log: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["replay.py", "--site", site, "--date", DATES[0], "--port", str(port), "--log", str(log)]
    server = subprocess.Popen([sys.executable, *command], cwd=directory, stdout=subprocess.DEVNULL)
    base = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{base}/__replay__/stats")
        yield base
    finally:
        server.terminate()
        server.wait()


def _wait_for(url: str) -> None:
    for _ in range(200):
        try:
            urlopen(url).close()
        except URLError:
            time.sleep(0.2)
        else:
            return
    raise SystemExit(f"the replay server did not answer at {url}")


def _workspace(root: Path) -> Workspace:
    workspace = open_workspace(root, create=True)
    settings = override(workspace.settings, "crawl", delay=0.0, concurrency=2, host_concurrency=2)
    return replace(workspace, settings=override(settings, "archive", enabled=False))


def _export(workspace: Workspace, target: Path) -> Path:
    store = open_store(workspace.store_url)
    with store.reading() as connection, target.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(post, ensure_ascii=False) + "\n" for post in export_posts(connection))
    store.close()
    return target


if __name__ == "__main__":
    sys.exit(main())
