"""ikiwiki: articles with comments, written as files and compiled into a static site; from Debian."""

from __future__ import annotations

import re
import shutil
import sys

from bench.engines.engine import LiveEngine, need_program
from bench.engines.world import TruePost, TrueThread, World

_SETUP = """wikiname: Bench
srcdir: {home}/wiki
destdir: {home}/www
url: {root}
cgiurl: {root}/ikiwiki.cgi
add_plugins: [goodstuff, comments, meta]
comments_pagespec: articles/*/* and !*/Discussion
comments_closed_pagespec: ''
discussion: 0
rss: 1
timezone: UTC
timeformat: '%a %d %b %Y %T %Z'
rcs: ''
ENV: {{}}
"""
_LIST = '[[!inline pages="{pages} and !*/Discussion" show=0 feeds=no sort="-meta(date)"]]\n'


class IkiWiki(LiveEngine):
    """Compiled pages: a category shows its articles whole, each article has its comments below it."""

    name = "ikiwiki"
    shape = (
        "articles as static pages: lists with whole articles, comments under an article in the order written"
    )

    def install(self) -> None:
        """From Debian, with empty folders."""
        need_program("ikiwiki", "ikiwiki")
        for folder in ("wiki", "www"):
            shutil.rmtree(self.home / folder, ignore_errors=True)
            (self.home / folder).mkdir()
        setup = _SETUP.format(home=self.home, root=self.root)
        (self.home / "bench.setup").write_text(f"# IkiWiki::Setup::Yaml\n---\n{setup}")

    def fill(self, world: World) -> None:
        """Write what is there as files, and compile."""
        wiki = self.home / "wiki"
        names = [_slug(title) for title in world.boards]
        rows = "".join(
            f"* [[{title}|articles/{name}]]\n" for name, title in zip(names, world.boards, strict=True)
        )
        (wiki / "index.mdwn").write_text(f"# Articles\n\n{rows}")
        for name, title in zip(names, world.boards, strict=True):
            (wiki / "articles" / name).mkdir(parents=True, exist_ok=True)
            text = f'[[!meta title="{title}"]]\n' + _LIST.format(pages=f"articles/{name}/*")
            (wiki / f"articles/{name}.mdwn").write_text(text)
        for thread in world.threads:
            article = wiki / "articles" / names[thread.board] / _slug(thread.title)
            article.with_suffix(".mdwn").write_text(article_text(thread))
            article.mkdir(exist_ok=True)
            for place, post in enumerate(thread.posts[1:], 1):
                comment = article / f"comment_{place:03}_{post.number:06}._comment"
                comment.write_text(comment_text(thread, post))
        self.run(["ikiwiki", "--setup", self.home / "bench.setup", "--refresh"])

    def command(self, port: int) -> list[str]:
        """Any web server will do."""
        words = ["-m", "http.server", str(port), "--bind", "127.0.0.1", "-d", str(self.home / "www")]
        return [sys.executable, *words]


def article_text(thread: TrueThread) -> str:
    """An article as ikiwiki reads it."""
    first = thread.posts[0]
    heads = {"title": thread.title, "author": first.author, "date": f"{first.when}Z"}
    lines = [f'[[!meta {name}="{value}"]]' for name, value in heads.items()]
    return "\n".join([*lines, "", "\n\n".join(first.body), ""])


def comment_text(thread: TrueThread, post: TruePost) -> str:
    """A comment as ikiwiki keeps it."""
    quote = f"> {post.quoted} wrote: {post.quote}\n\n" if post.quote else ""
    body = quote + "\n\n".join(post.body)
    fields = {"format": "mdwn", "username": post.author, "date": f"{post.when}Z"}
    lines = [f' {name}="{value}"' for name, value in fields.items()]
    subject = f' subject="""Re: {thread.title}"""'
    return "\n".join(["[[!comment", *lines, subject, f' content="""\n{body}\n"""]]', ""])


def _slug(title: str) -> str:
    return re.sub(r"\W+", "-", title.lower()).strip("-")
