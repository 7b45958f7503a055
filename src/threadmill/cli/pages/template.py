"""`threadmill template`: learn what repeats over the pages of a site, and show, remove or colour it."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadmill.cli.arguments import add_workers, refuse_unused, share, whole_number
from threadmill.cli.tables import TableColumns, print_table
from threadmill.cli.terminal import counted, live_text
from threadmill.errors import NothingFoundError, ThreadmillError, UsageError
from threadmill.parallel.workers import LOCAL, Workers, WorkPlace, WorkTask, open_workers

if TYPE_CHECKING:
    from threadmill.cli.pages.site_pages import SitePages
    from threadmill.store import Store
    from threadmill.template import FramingMethod, Template, TemplateFit, TemplateSettings

EXAMPLES = """\
  threadmill template remove pages/ --output clean/       learn from a directory, and remove the framing
  threadmill template mark pages/ --output marked/        … or colour it; open the files in a browser
  threadmill template mark crawl.warc.gz --output marked/ --method paper
  threadmill template learn work/ --workspace work/       learn every site of a workspace, and store it there
  threadmill template learn pages/ --save site.template   … in a file, for: threadmill clean --template
  threadmill template show --workspace work/              list the stored templates
  threadmill template show example.org --workspace work/  show one, place by place
  threadmill template remove new/ --site example.org --workspace work/ --output clean/"""


_PAPER = (
    "min_fragmenters_chain", "min_nav_length", "lowest_nav_length", "nav_length_step", "duplicate_share",
    "min_cluster",
)  # fmt: skip
_APPLIED = ("workspace", "site", "json", "output", "method", "relearn", *_PAPER)
# The options that each action uses.
_WORKERS = ("on", "processes")
USED = {
    "learn": ("workspace", "site", "json", "save", "relearn", *_WORKERS, *_PAPER),
    "show": ("workspace", "site", "json"),
    "remove": (*_APPLIED, *_WORKERS),
    "mark": (*_APPLIED, *_WORKERS),
}
_PAGES_SENT = 16  # pages that a worker changes at once


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "action", choices=("learn", "show", "remove", "mark"), help="what to do with the framing"
    )
    parser.add_argument(
        "source",
        nargs="?",
        metavar="SOURCE",
        help="a directory of HTML files of one site; for many sites, WARC files, a directory or URL of them, "
        "or a workspace; with show, a site's name",
    )
    parser.add_argument("--workspace", type=Path, metavar="DIR", help="store templates in this workspace")
    parser.add_argument("--site", metavar="NAME", help="only this site; for a directory, its name")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="DIR", help="with remove and mark: write the pages here"
    )
    parser.add_argument(
        "--method",
        choices=("places", "paper"),
        default="places",
        help="by places that repeat (default), or by chains of fragments, as the paper does",
    )
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="with learn: write the template of one site to this file"
    )
    parser.add_argument("--json", action="store_true", help="print JSON: one object per site")
    add_workers(parser, 1)
    parser.add_argument("--relearn", action="store_true", help="learn again even if a template is stored")
    paper = parser.add_argument_group("parameters of the paper", "of --method paper of remove and mark")
    paper.add_argument(
        "--min-fragmenters-chain",
        type=whole_number(1),
        default=6,
        metavar="N",
        help="shortest sequence of fragments, shared by two pages, that is framing (6)",
    )
    for name, default, text in (
        (
            "min-nav-length",
            0.8,
            "share of the framing of the first two pages that each further page must have",
        ),
        ("lowest-nav-length", 0.4, "the lowest such share that is tried when too few pages have it"),
        ("nav-length-step", 0.2, "by how much the share is lowered each time"),
        ("duplicate-share", 0.7, "two pages that share more than this do not begin a group"),
    ):
        paper.add_argument(f"--{name}", type=share, default=default, metavar="X", help=f"{text} ({default})")
    paper.add_argument(
        "--min-cluster", type=whole_number(1), default=4, metavar="N", help="fewest pages of a group (4)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the action. The exit code is 1 when no framing was learnt."""
    refuse_unused(arguments, add_arguments, USED[arguments.action], f"template {arguments.action}")
    if arguments.action == "show":
        return _show(arguments)
    if arguments.source is None:
        raise UsageError(
            f"threadmill template {arguments.action} needs a SOURCE of pages; see: threadmill template --help"
        )
    if arguments.action != "learn" and arguments.output is None:
        raise UsageError(
            f"threadmill template {arguments.action} needs --output DIR, where the pages are written"
        )
    from threadmill.cli.pages.site_pages import read_sites

    place = WorkPlace(arguments.on, arguments.processes)
    sites = read_sites(arguments.source, arguments.site, folder=_folder_for_workers(arguments, place))
    if arguments.save is not None and len(sites) > 1:
        raise UsageError(
            f"--save writes one site, but {arguments.source} holds {len(sites)}; choose with --site"
        )
    learnt = []
    with ExitStack() as stack:
        store = _open_store(arguments.workspace)
        if store is not None:
            stack.callback(store.close)
        workers = None if place.is_here() else stack.enter_context(open_workers(place.on, place.processes))
        work = _SiteWork(arguments, store, workers)
        for site, known in work.learn_ahead(sites):
            template, told = work.process(site, known, alone=len(sites) == 1)
            learnt.append(bool(template.framing.places or template.clusters))
            print(json.dumps(told, ensure_ascii=False) if arguments.json else _sentence(told))
    return 0 if any(learnt) else 1


def _folder_for_workers(arguments: argparse.Namespace, place: WorkPlace) -> Path | None:
    """Where workers on other machines find the pages: beside what this command writes."""
    if place.on == LOCAL:
        return None
    saved = arguments.save.parent if arguments.save is not None else None
    folder: Path | None = arguments.output or saved or arguments.workspace
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        folder = folder.resolve()
    return folder


def _open_store(workspace: Path | None) -> Store | None:
    if workspace is None:
        return None
    from threadmill.store import open_store
    from threadmill.workspace import open_workspace, refuse_lost_database

    opened = open_workspace(workspace, create=True)
    refuse_lost_database(opened)
    return open_store(opened.store_url)


@dataclass(frozen=True, slots=True)
class _SiteWork:
    """Learns templates of sites, and applies them to the pages: here, or by workers."""

    arguments: argparse.Namespace
    store: Store | None
    workers: Workers | None

    def learn_ahead(self, sites: Sequence[SitePages]) -> Iterator[tuple[SitePages, Template | None]]:
        """The sites in order, with the templates that workers learnt of them, several at a time."""
        if self.workers is None:
            yield from ((site, None) for site in sites)
            return
        for outcome in self.workers.run(map(self._learning_task, sites)):
            yield outcome.about, next(iter(outcome.results), None)

    def _learning_task(self, site: SitePages) -> WorkTask:
        pages = site.pages if self._stored(site.name) is None else []
        return WorkTask(learn_task, _template_settings(self.arguments), [pages], site)

    def _stored(self, site: str) -> Template | None:
        """The template to use. None: it must be learnt."""
        if self.arguments.relearn or self.arguments.action == "learn":
            return None
        return _load(self.store, site)

    def process(
        self, site: SitePages, known: Template | None, *, alone: bool
    ) -> tuple[Template, dict[str, Any]]:
        """Learn or load the template of a site, and apply it to its pages. Return it, and what was done."""
        arguments, store = self.arguments, self.store
        template = self._stored(site.name) or _learn(site, store, arguments, known)
        told = _as_dict(site.name, template)
        if arguments.action != "learn":
            folder = arguments.output if alone else arguments.output / site.name
            fit = self._write(site, template, folder)
            if fit.fallen:
                print(
                    f"{site.name}: the framing has changed (fit {fit.mean:.2f}); learning it again",
                    file=sys.stderr,
                )
                template = _learn(site, store, arguments)
                fit = self._write(site, template, folder)
            _note_fit(store, site.name, fit.mean)
            told = _as_dict(site.name, template) | {"fit": round(fit.mean, 4), "output": str(folder)}
        return template, told

    def _write(self, site: SitePages, template: Template, folder: Path) -> TemplateFit:
        from rich.console import Console
        from rich.progress import track

        from threadmill.template import TemplateFit

        fit = TemplateFit()
        console = Console(stderr=True)
        changed = track(
            self._apply(site, template),
            site.name,
            len(site.pages),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        for name, (html, figure) in zip(site.names, changed, strict=True):
            fit.note(figure)
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(html)
        return fit

    def _apply(self, site: SitePages, template: Template) -> Iterator[tuple[bytes, float]]:
        """The pages without their framing, or with it in colour, and how well the template fits each."""
        options = (template, self.arguments.method, self.arguments.action)
        starts = range(0, len(site.pages), _PAGES_SENT)
        groups = (
            [site.pages[number] for number in range(start, min(start + _PAGES_SENT, len(site.pages)))]
            for start in starts
        )
        if self.workers is None:
            for pages in groups:
                yield from apply_task(options, pages)
            return
        for outcome in self.workers.run(WorkTask(apply_task, options, pages, weight=4) for pages in groups):
            for _, why in outcome.failures:
                raise ThreadmillError(f"a page of {site.name} cannot be changed: {why}")
            for done in outcome.results:
                yield from done


def learn_task(settings: TemplateSettings, sites: Sequence[Sequence[bytes]]) -> Template | None:
    """The template of the pages of one site. None if there are no pages. Workers call this."""
    from threadmill.template import learn_template

    [pages] = sites
    return learn_template(pages, settings) if pages else None


def apply_task(options: tuple[Template, str, str], pages: Sequence[bytes]) -> list[tuple[bytes, float]]:
    """Pages of a site with their framing removed or marked. Workers call this."""
    from threadmill.template import FramingMethod

    template, method, action = options
    return [_apply(template, page, FramingMethod(method), action) for page in pages]


def _template_settings(arguments: argparse.Namespace) -> TemplateSettings:
    from threadmill.template import ClusterSettings, TemplateSettings

    clusters = ClusterSettings(
        min_fragmenters_chain=arguments.min_fragmenters_chain,
        duplicate_share=arguments.duplicate_share,
        min_nav_share=arguments.min_nav_length,
        lowest_nav_share=arguments.lowest_nav_length,
        nav_share_step=arguments.nav_length_step,
        min_cluster=arguments.min_cluster,
    )
    return TemplateSettings(clusters=clusters)


def _as_dict(site: str, template: Template) -> dict[str, Any]:
    return {
        "site": site,
        "learnt_from": template.pages,
        "places": len(template.framing.outermost()),
        "clusters": len(template.clusters),
        "pages_in_clusters": sum(known.pages for known in template.clusters),
    }


def _sentence(told: dict[str, Any]) -> str:
    learnt = (
        f"{told['site']}: learnt from {counted(told['learnt_from'], 'page')}: "
        f"{counted(told['places'], 'place')}, {counted(told['clusters'], 'cluster')} "
        f"of {counted(told['pages_in_clusters'], 'page')}"
    )
    return f"{learnt}; fit {told['fit']:.2f}, pages in {told['output']}" if "fit" in told else learnt


def _learn(
    site: SitePages, store: Store | None, arguments: argparse.Namespace, known: Template | None = None
) -> Template:
    """Learn the template of a site, unless a worker did, and store it."""
    from threadmill.template import learn_template, pack_template

    template = known
    if template is None:
        with live_text(f"learning the framing of {site.name} from {len(site.pages):,} pages …") as show:
            pages = site.pages if show is None else _WatchedPages(site, show)
            template = learn_template(pages, _template_settings(arguments))
    if arguments.save is not None:
        arguments.save.write_bytes(pack_template(template))
    if store is not None:
        from threadmill.store.templates import TemplateRow, save_template

        with store.writing() as connection:
            row = TemplateRow(site.name, datetime.now(UTC), template.pages, pack_template(template))
            save_template(connection, row)
    return template


class _WatchedPages(Sequence[bytes]):
    """The pages of a site. Shows how many have been read; learning reads some of them more than once."""

    def __init__(self, site: SitePages, show: Callable[[str], None]) -> None:
        self._site = site
        self._show = show
        self._read = 0
        self._started = time.monotonic()

    def __len__(self) -> int:
        return len(self._site.pages)

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
        self._read += 1
        rate = self._read / max(0.001, time.monotonic() - self._started)
        self._show(
            f"learning the framing of {self._site.name} from {len(self):,} pages; {self._read:,} read, "
            f"{rate:,.0f} a second"
        )
        return self._site.pages[index]


def _load(store: Store | None, site: str) -> Template | None:
    if store is None:
        return None
    from threadmill.store.templates import load_template
    from threadmill.template import unpack_template

    with store.reading() as connection:
        row = load_template(connection, site)
    return unpack_template(row.data) if row else None


def _note_fit(store: Store | None, site: str, fit: float) -> None:
    if store is not None:
        from threadmill.store.templates import note_fit

        with store.writing() as connection:
            note_fit(connection, site, fit)


def _apply(template: Template, html: bytes, method: FramingMethod, action: str) -> tuple[bytes, float]:
    from threadmill.template import find_framing
    from threadmill.template.apply.marking import mark_spans, remove_spans

    found = find_framing(template, html, method)
    changed = remove_spans(html, found.removable) if action == "remove" else mark_spans(html, found.spans)
    return changed, found.fit


def _show(arguments: argparse.Namespace) -> int:
    """Print one line per stored template, or all of one template."""
    if arguments.workspace is None:
        raise UsageError("threadmill template show needs --workspace DIR, where templates are stored")
    store = _open_store(arguments.workspace)
    assert store is not None
    wanted = arguments.source or arguments.site
    try:
        if wanted is None:
            return _show_all(store, as_json=arguments.json)
        template = _load(store, wanted)
    finally:
        store.close()
    if template is None:
        raise NothingFoundError(
            f"there is no template of {wanted}; list them: threadmill template show --workspace DIR"
        )
    if arguments.json:
        places = [asdict(row) for row in _places(template)]
        print(json.dumps(_as_dict(wanted, template) | {"framing": places}, ensure_ascii=False))
        return 0
    print(f"{wanted}: learnt from {template.pages} pages")
    columns = ("pages", "characters", "repeated", "linked")
    rows = (
        asdict(row) | {"repeated": f"{row.repeated:.0%}", "linked": f"{row.linked:.0%}"}
        for row in _places(template)
    )
    print_table(rows, TableColumns((*columns, "place"), right=columns), title="places, for each page:")
    sizes = ({"pages": known.pages, "bytes": known.chains.size} for known in template.clusters)
    if template.clusters:
        title = "clusters of the paper's method, with the bytes of their framing:"
        print_table(sizes, TableColumns(("pages", "bytes"), right=("pages", "bytes")), title=title)
    return 0


def _show_all(store: Store, *, as_json: bool) -> int:
    from threadmill.store.templates import list_templates

    with store.reading() as connection:
        rows = list_templates(connection)
    known = [
        {
            "site": row.site,
            "learnt": f"{row.learnt:%Y-%m-%dT%H:%M}",
            "pages": row.pages,
            "fit": round(row.fit, 2),
        }
        for row in rows
    ]
    if as_json:
        for one in known:
            print(json.dumps(one, ensure_ascii=False))
    elif known:
        print_table(known, TableColumns(("site", "learnt", "pages", "fit"), right=("pages", "fit")))
    else:
        print("no template is stored in this workspace yet", file=sys.stderr)
    return 0 if rows else 1


@dataclass(frozen=True, slots=True)
class _FramingRow:
    """A place of a template: on how many pages, how long, and how much of it repeats and is linked."""

    pages: int
    characters: int
    repeated: float
    linked: float
    place: str


def _places(template: Template) -> Iterator[_FramingRow]:
    for number in template.framing.outermost():
        place = template.framing.places[number]
        path = template.framing.path(number)
        yield _FramingRow(
            place.pages, round(place.characters), round(place.repeated, 4), round(place.linked, 4), path
        )
