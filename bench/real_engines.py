"""A real engine that no part of Threadmill was written for: install, fill, crawl, let time pass, crawl again.

    python3 dev.py run python -m bench.real_engines [--keep DIR] [--language de]

Spirit (Django) comes from PyPI into an environment of its own. The judge knows what was written.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench.engines.world import TruePost, World
from threadmill.lab.simulate.content.language import load_language

_HERE = Path(__file__).parent
_WORD = re.compile(r"\W+")
_PORT = 8801


def main() -> None:
    """Print how many posts each crawl found, how right they are, and what it fetched."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="a directory for the engine, used again next time")
    parser.add_argument("--language", default="en")
    parser.add_argument("--threads", type=int, default=88)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        home = (arguments.keep or Path(scratch)).resolve()
        python = _install(home)
        world = World(load_language(arguments.language), arguments.threads, seed=4)
        _measure(home, python, world, Path(scratch) / "workspace")


def _install(home: Path) -> Path:
    """Spirit with an empty database of its own."""
    python = home / "venv/bin/python"
    if not python.exists():
        home.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", str(home / "venv")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "django-spirit"], check=True)
        path = {"PATH": f"{python.parent}:/usr/bin:/bin"}
        spirit = [str(python.parent / "spirit"), "startproject", "site_of_posts"]
        subprocess.run(spirit, cwd=home, env=path, check=True, stdout=subprocess.DEVNULL)
    site = home / "site_of_posts"
    (site / "db.sqlite3").unlink(missing_ok=True)
    for words in (["migrate"], ["createcachetable"]):
        command = [str(python), "manage.py", *words]
        subprocess.run(command, cwd=site, check=True, stdout=subprocess.DEVNULL)
    return python


def _measure(home: Path, python: Path, world: World, workspace: Path) -> None:
    site = home / "site_of_posts"
    _fill(site, python, world)
    serve = [str(python), "manage.py", "runserver", "--noreload", f"127.0.0.1:{_PORT}"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(serve, cwd=site, stdout=quiet, stderr=quiet) as server:
        try:
            time.sleep(5)
            for days in (0, 2, 2, 30):
                if days:
                    world.pass_days(days)
                    _fill(site, python, world)
                _crawl(workspace)
                print(f"after {days:2} days: {_judge(workspace, world)}", flush=True)
        finally:
            server.terminate()
    _run("report", workspace)


def _fill(site: Path, python: Path, world: World) -> None:
    script = [str(python), str(_HERE / "engines/spirit_fill.py")]
    subprocess.run(script, cwd=site, input=json.dumps(world.as_json()), text=True, check=True)


def _crawl(workspace: Path) -> None:
    _run("crawl", workspace, f"http://127.0.0.1:{_PORT}/", "--delay", "0", "--quiet")


def _run(verb: str, workspace: Path, *words: str) -> None:
    threadmill = [sys.executable, "-m", "threadmill", verb, *words, "--workspace", str(workspace)]
    subprocess.run(threadmill, check=True)


def _judge(workspace: Path, world: World) -> str:
    """Found, invented, twice; authors and days right of those found."""
    command = [sys.executable, "-m", "threadmill", "posts", "--workspace", str(workspace)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    posts = [json.loads(line) for line in lines]
    truth: dict[str, TruePost] = {
        _fold(" ".join(post.body)): post for thread in world.threads for post in thread.posts
    }
    found = Counter(_fold(post["text"]) for post in posts)
    right = [(post, truth[key]) for post in posts if (key := _fold(post["text"])) in truth]
    authors = sum(post["author"] == true.author for post, true in right)
    # As precise as shown: Django prints a full hour as "2 a.m.".
    dates = sum(true.when.startswith((post["date"] or "-")[:16]) for post, true in right)
    return (
        f"{len(found.keys() & truth.keys())} of {len(truth)} posts, "
        f"{sum(found[key] for key in found.keys() - truth.keys())} not true, "
        f"{len(right) - len(found.keys() & truth.keys())} twice, "
        f"authors {authors}, dates {dates} of {len(right)}"
    )


def _fold(text: str) -> str:
    return _WORD.sub("", text)


if __name__ == "__main__":
    main()
