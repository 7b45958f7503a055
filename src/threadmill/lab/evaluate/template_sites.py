"""Real sites with hand-written truth about their framing: manuals packaged by Debian, and recorded forums."""

from __future__ import annotations

import json
import lzma
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from threadmill.errors import UsageError


@dataclass(frozen=True, slots=True)
class FramingTruth:
    """CSS selectors of the content of a site. All other text of the body is framing.

    Doubtful text (permalink signs, buttons, member cards in posts) counts as neither.
    """

    name: str
    content: str
    neither: str = ""
    package: str = ""  # the Debian package
    files: str = ""  # a glob in the package
    rows: str = ""  # an SQL condition for the pages of a recorded forum
    framing: str = ""  # framing inside the content, where no content selector can leave it out


_DOC = "usr/share/doc"
MANUALS = (
    FramingTruth("python", "div.body", "a.headerlink", "python3.11-doc", f"{_DOC}/python3.11/html/**/*.html"),
    FramingTruth(
        "postgresql",
        "body > :not(.navheader):not(.navfooter)",
        package="postgresql-doc-15",
        files=f"{_DOC}/postgresql-doc-15/html/*.html",
    ),
    FramingTruth(
        "apache",
        "body > :not(#page-header):not(#path):not(#footer):not(.bottomlang)",
        ".toplang, a.permalink, div.top, #quickview",  # boxes inside the content: doubtful
        "apache2-doc",
        f"{_DOC}/apache2-doc/manual/en/**/*.html*",
    ),
    FramingTruth(
        "gtk",
        "body > div:not(.footer)",
        package="libgtk-3-doc",
        files="usr/share/gtk-doc/html/gtk3/*.html",
    ),
    FramingTruth(
        "django",
        "#yui-main",
        "a.headerlink, .c-tab-unix, .c-tab-win",
        "python-django-doc",
        f"{_DOC}/python-django-doc/html/**/*.html",
    ),
    FramingTruth(
        "erlang",
        "#content",
        "#content > .footer",
        "erlang-doc",
        f"{_DOC}/erlang-doc/lib/[!j]*/doc/html/*.html",  # jinterface is made by another tool
    ),
    FramingTruth(
        "sqlalchemy",
        "#docs-body",
        "a.headerlink",
        "python-sqlalchemy-doc",
        f"{_DOC}/python-sqlalchemy-doc/html/**/*.html",
    ),
    FramingTruth(
        "java",
        "main",
        "main .sub-title",  # module and package above the title: a breadcrumb
        package="openjdk-17-doc",
        files=f"{_DOC}/openjdk-17-jre-headless/api/java.base/java/**/*.html",
    ),
    FramingTruth("cmake", "div.body", "a.headerlink", "cmake-doc", f"{_DOC}/cmake-data/html/**/*.html"),
    FramingTruth(
        "debian-reference",
        "body > :not(.navheader):not(.navfooter)",
        package="debian-reference-en",
        files="usr/share/debian-reference/*.html",
    ),
    FramingTruth("bind", "[role=main]", "a.headerlink", "bind9-doc", f"{_DOC}/bind9-doc/arm/*.html"),
    # Documentation tools that were not looked at when the thresholds of PlaceSettings were set.
    FramingTruth(
        "eigen",
        "#doc-content",
        "#doc-content .summary, .ttc, .permalink",
        "libeigen3-doc",
        f"{_DOC}/libeigen3-dev/html/*.html",
    ),
    FramingTruth(
        "octave",
        "body > div:not(.header) > :not(.header), body > p",  # the latter on redirect pages
        package="octave-doc",
        files=f"{_DOC}/octave/octave.html/[!X]*.html",  # XREF….html are redirects
    ),
    FramingTruth("nodejs", "#apicontent", "#toc, .mark", "nodejs-doc", f"{_DOC}/nodejs/api/*.html"),
    FramingTruth(
        "sfml",
        "body > .header, body > .contents, body > div:not([id]) .contents",
        ".header .summary, .permalink, .ttc",
        "libsfml-doc",
        f"{_DOC}/libsfml-dev/html/*.html",
    ),
    FramingTruth("mkdocs", "[role=main]", "a.headerlink", "mkdocs-doc", f"{_DOC}/mkdocs/html/**/*.html"),
    # Four more tools, first tested after framing was also found by class names.
    FramingTruth(
        "sqlite",
        "body",  # half of its pages have text directly in the body
        ".fancy_toc",
        "sqlite3-doc",
        f"{_DOC}/sqlite3/*.html",
        framing="body > .nosearch, p[align=center]:last-of-type small",
    ),
    FramingTruth(
        "haddock",
        "#content",
        # The box names licence and maintainer, the same on nearly all pages: content only by its place.
        "#table-of-contents, #content a.link, #content a.selflink, #module-header .info",
        "libghc-lens-doc",
        f"{_DOC}/libghc-lens-doc/html/*.html",
    ),
    FramingTruth(
        "qt",
        ".main > .content",
        ".content .sidebar",
        "qtbase5-doc-html",
        "usr/share/qt5/doc/qtwidgets/*.html",
    ),
    FramingTruth(
        "freepascal",
        "body > :not(.bar)",
        package="fp-docs-3.2.2",
        files=f"{_DOC}/fp-docs/3.2.2/rtl/*/*.html",
    ),
    # Ten more tools. Their truth was written before the first run: Scribble, the Ada manual's own, rustdoc,
    # Tomcat's own, another Sphinx theme, texi2any with a frame, GAPDoc, ikiwiki, DocBook, GRASS's own.
    FramingTruth(
        "racket",
        ".main",
        package="racket-doc",
        files=f"{_DOC}/racket/[gr]*/*.html",
        framing=".navsettop, .navsetbottom, .versionbox",
    ),
    FramingTruth(
        "ada",
        "body > :not(div), body > div[class]",
        package="ada-reference-manual-2012",
        files=f"{_DOC}/ada-reference-manual-2012/arm2012.html/*.html",
    ),
    FramingTruth(
        "rust",
        "#main-content, body > p",  # the latter on redirect pages
        "#main-content .out-of-band, summary.hideme",
        "rust-doc",
        f"{_DOC}/rust-doc/html/std/**/*.html",
    ),
    FramingTruth(
        "tomcat",
        "body",  # some pages have their text directly in the body
        package="tomcat10-docs",
        files="usr/share/tomcat10-docs/docs/**/*.html",
        framing="#wrapper > header, #mainLeft, #wrapper > footer",
    ),
    FramingTruth("krb5", "div.body", "a.headerlink", "krb5-doc", f"{_DOC}/krb5-doc/**/*.html"),
    FramingTruth(
        "lilypond",
        "#main > :not(.nav_table):not(#footer)",
        package="lilypond-doc-html",
        files=f"{_DOC}/lilypond/html/Documentation/notation/*.html",
    ),
    FramingTruth(
        "gap",
        "body > :not(.chlinktop):not(.chlinkprevnexttop):not(.chlinkprevnextbot):not(.chlinkbot)"
        ":not(.foot):not(#mathjaxlink)",
        ".ChapSects",
        "gap-doc",
        "usr/share/gap/doc/*/chap*[0-9].html",
    ),
    FramingTruth(
        "ikiwiki",
        "#pagebody",
        ".pageheader .title, .tags",  # the page name appears nowhere else
        "ikiwiki",
        f"{_DOC}/ikiwiki/html/**/*.html",
    ),
    FramingTruth(
        "gimp",
        "body > :not(.navheader):not(.navfooter)",
        package="gimp-help-en",
        files="usr/share/gimp/2.0/help/en/*.html",
    ),
    FramingTruth(
        "grass",
        "#container",
        "#container > .toc",
        "grass-doc",
        f"{_DOC}/grass-doc/html/*.html",
        framing="#container > hr.header:last-of-type ~ p",
    ),
    # Three more, tested later: Quickbook, Scaladoc, Asciidoctor.
    FramingTruth(
        "boost",
        "body > div:not(.spirit-nav)",
        package="libboost1.74-doc",
        files=f"{_DOC}/libboost1.74-doc/doc/html/**/*.html",
    ),
    FramingTruth(
        "scala",
        "#definition, #signature, #comment, #template",
        "#definition .morelinks, #owner",
        "scala-doc",
        f"{_DOC}/scala-2.11/api/library/scala/**/*.html",
    ),
    FramingTruth(
        "ntpsec",
        "#header, #content, #footnotes",
        "#toc",
        "ntpsec-doc",
        f"{_DOC}/ntpsec-doc/html/*.html",
    ),
    # Four more. Their truth was written first: MediaWiki, gi-docgen, Publican, Exim's own tool.
    FramingTruth(
        "cppreference",
        "#firstHeading, #mw-content-text",
        "#toc, .editsection, .ambox, #catlinks",
        "cppreference-doc-en-html",
        "usr/share/cppreference/doc/html/en/**/*.html",
        framing="#mw-content-text > .t-navbar",
    ),
    FramingTruth(
        "pango", "#main", "#toc", "libpango1.0-doc", f"{_DOC}/libpango1.0-doc/reference/Pango/*.html"
    ),
    FramingTruth(
        "handbook",
        "body > div:not(#banner)",
        package="debian-handbook",
        files=f"{_DOC}/debian-handbook/html/en-US/*.html",
    ),
    FramingTruth(
        "exim",
        "#inner",
        package="exim4-doc-html",
        files=f"{_DOC}/exim4-doc-html/spec_html/*.html",
        framing="a.previous_page, a.next_page, a.toc_page",
    ),
    # Four more: mdBook, a Sphinx theme of pydata, LibreOffice's own, Perl's manuals (without framing).
    FramingTruth("mdbook", "#content", package="rust-doc", files=f"{_DOC}/rust-doc/html/book/ch*.html"),
    FramingTruth(
        "pandas",
        "main > div:not(.prev-next-area)",
        "a.headerlink, .bd-toc",
        "python-pandas-doc",
        f"{_DOC}/python-pandas-doc/html/**/*.html",
    ),
    FramingTruth(
        "libreoffice",
        "#DisplayArea",
        package="libreoffice-help-en-us",
        files="usr/share/libreoffice/help/en-US/text/**/*.html",
    ),
    FramingTruth(
        "modperl",
        "body",
        "#index",  # the table of contents of each page
        "libapache2-mod-perl2-doc",
        f"{_DOC}/libapache2-mod-perl2-doc/docs/**/*.html",
    ),
)

FORUMS = (
    FramingTruth(
        "fluxbb",
        ".blockpost, .blocktable, #punindex #brdmain",
        ".postfootleft, .postfootright, .blockpost .postleft",
        rows="key like '/viewtopic.php?id=%' or key like '/viewforum.php?id=%' or key in ('/', '/index.php')",
    ),
    FramingTruth(
        "smf",
        "#forumposts, #messageindex, .display_title, #display_head p, #boardindex_table",
        ".poster, .post_wrapper .quickbuttons, .keyinfo, .moderatorbar, #topic_icons, #info_center, "
        "#topic_header",
        rows="key like '/index.php?topic=%' or key like '/index.php?board=%' or key in ('/', '/index.php')",
    ),
    FramingTruth(
        "machina",
        ".post, .topiclist, .topic-list, h1, .forum-list, .forumlist",
        ".post .btn, .post-controls, .poster-infos",
        rows="key like '/forum/forum/%' or key = '/forum/'",
    ),
    FramingTruth(
        "discuz",
        "#postlist, #threadlist, #category_1, .fl",
        ".pls, .po, .pob, .pi, .pstatus, #threadlist .th",
        rows="(key like '%mod=viewthread%' or key like '%mod=forumdisplay%' or key = '/') "
        "and key not like '%printable%' and key not like '%authorid%' and key not like '%ordertype%'",
    ),
)


def manual_pages(truth: FramingTruth, cache: Path) -> list[bytes]:
    """Return the pages of a manual. Its Debian package is downloaded once and unpacked, not installed."""
    root = cache / truth.package
    if not root.exists():
        _unpack(truth.package, root)
    files = sorted(path for path in root.glob(truth.files) if path.is_file() and path.stat().st_size > 300)
    return [path.read_bytes() for path in files]


def _unpack(package: str, root: Path) -> None:
    with tempfile.TemporaryDirectory() as directory:
        asked = subprocess.run(  # noqa: S603 -- our own names
            ["apt-get", "download", package],  # noqa: S607
            cwd=directory,
            capture_output=True,
            text=True,
            check=False,
        )
        archives = list(Path(directory).glob("*.deb"))
        if asked.returncode or not archives:
            raise UsageError(
                f"cannot download the Debian package {package}: {asked.stderr.strip()[-200:]}; "
                "run apt-get update first, or leave the site out with --site"
            )
        root.mkdir(parents=True)
        subprocess.run(["dpkg", "-x", str(archives[0]), str(root)], check=True)  # noqa: S603, S607


def forum_pages(truth: FramingTruth, recorded: Path, limit: int = 2000) -> list[bytes]:
    """Return the pages of a recorded forum at its last date."""
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as file:
        file.write(lzma.decompress((recorded / "data" / f"{truth.name}.sqlite.xz").read_bytes()))
        file.flush()
        database = sqlite3.connect(f"file:{file.name}?mode=ro", uri=True)
        try:
            return list(_bodies(database, truth.rows, limit))
        finally:
            database.close()


def _bodies(database: sqlite3.Connection, rows: str, limit: int) -> Iterator[bytes]:
    @lru_cache(256)
    def body(number: int) -> bytes:
        """Return a body. Some are stored as changes to the lines of another body."""
        base, patch, data = database.execute(
            "select base, patch, data from body where id = ?", (number,)
        ).fetchone()
        if not patch:
            return bytes(data)
        lines = body(base).decode().split("\n")
        parts: list[str] = []
        for part in json.loads(data):
            parts += [part] if isinstance(part, str) else lines[part[0] : part[0] + part[1]]
        return "\n".join(parts).encode()

    wanted = (
        "select body from resp where status = 200 and date = (select max(date) from resp) "  # noqa: S608
        f"and ({rows}) group by body order by min(key) limit {limit}"
    )
    for (number,) in database.execute(wanted).fetchall():
        yield body(number)
