"""A WARC to vertical, one core, beside the usual Python chain: warcio, jusText, py3langid, NLTK's tokenisers.

python -m bench.vert FILE_OR_DIRECTORY [--pages 500] [--processes 2] [--no-parallel]
python -m bench.vert FILE_OR_DIRECTORY --annotated     # with --tags --lemma, which the chain does not give
python -m bench.vert FILE_OR_DIRECTORY --only-parallel
python -m bench.vert EXTRACT --wiki
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from bench.figures import Figure, at_least, at_most, write_figures
from threadmill.archive.warc_reader import read_captures, warc_files
from threadmill.corpus.build.corpus_file import BuildProgress, CorpusJob
from threadmill.corpus.build.corpus_options import CorpusOptions
from threadmill.corpus.build.page_to_corpus import Assembler
from threadmill.corpus.build.pipeline import run_job
from threadmill.corpus.vertical import Writer, dialect
from threadmill.page.clean import CleanedPage, PageInput, clean_pages
from threadmill.page.parse.tree import parse
from threadmill.types import Capture

_CURVE_STEP = 200  # pages between two looks at the memory
_STAGES = ("parsing", "cleaning", "good paragraphs and title", "sentences, tokens and links", "lines")
_TURN = 300  # pages; with few, each would find the other's data in the processor's cache
_AT_ONCE = 16  # pages that are worked on together, as vert does


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("warc", type=Path, help="a WARC, or a directory of them (see bench.vert_data)")
    parser.add_argument("--pages", type=int, default=500, help="of the peer, which is slow: every n-th page")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--no-parallel", action="store_true")
    parser.add_argument("--only-parallel", action="store_true", help="several processes against one, no more")
    parser.add_argument("--annotated", action="store_true", help="the speed with tags and lemmas, no more")
    parser.add_argument("--wiki", action="store_true", help="the input is a Wikipedia extract: memory alone")
    arguments = parser.parse_args()
    if arguments.only_parallel:
        one_file = arguments.warc.is_file() or len(warc_files(arguments.warc)) == 1
        name = "vert.parallel.one_file" if one_file else "vert.parallel"
        write_figures(name, [_parallel_figure(arguments.warc, arguments.processes)])
        return
    if arguments.annotated:
        count = sum(1 for _ in read_captures(arguments.warc))
        ratio = in_new_process(arguments.warc, max(1, count // arguments.pages), annotated=True)
        what = "speed of vert --tags --lemma, against the chain without tags and lemmas"
        write_figures("vert.annotated", [Figure("corpus", what, ratio, at_least(3), "×")])
        return
    pages, seconds, memory = ours(
        arguments.warc, wiki=arguments.wiki
    )  # first: its memory is that of a new process
    print(f"threadmill  {pages} pages, {1000 * seconds / pages:.2f} ms of CPU a page, alone")
    if arguments.wiki:
        write_figures("vert.wiki", [Figure("corpus", "memory of vert --wiki", memory, at_most(120), "MB")])
        return
    figures = [Figure("corpus", f"memory of vert, {pages:,} pages", memory, at_most(200), "MB")]
    where(arguments.warc)
    ratio = in_new_process(arguments.warc, max(1, pages // arguments.pages))
    figures.append(
        Figure(
            "corpus", "speed of vert, against warcio + jusText + py3langid + NLTK", ratio, at_least(9), "×"
        )
    )
    if not arguments.no_parallel:
        figures.append(_parallel_figure(arguments.warc, arguments.processes))
    write_figures("vert", figures)


def in_new_process(warc: Path, step: int, *, annotated: bool = False) -> float:
    """Both sides in a process that has learnt nothing yet."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
        return fresh.submit(side_by_side, warc, step, annotated=annotated).result()


def _parallel_figure(warc: Path, processes: int) -> Figure:
    files = len(list(warc_files(warc)))
    what = f"speed of vert with {processes} processes, against one, {files} WARC file{'s' * (files > 1)}"
    return Figure("corpus", what, parallel(warc, processes), at_least(1.8), "×")


def ours(warc: Path, *, wiki: bool = False) -> tuple[int, float, float]:
    """Pages, CPU seconds and megabytes at most; prints the memory as the run goes on."""
    curve: list[str] = []

    def look(progress: BuildProgress) -> None:
        if progress.pages // _CURVE_STEP >= len(curve):
            curve.append(f"{_resident():.0f}")

    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        progress = run_job(CorpusJob((warc,), Path(folder) / "c.vert", wiki=wiki), look)
        seconds = time.process_time() - started
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"            MB resident every {_CURVE_STEP} pages: {' '.join(curve)}; at most {most:.0f}")
    print(f"            {progress.inventory.tokens:,} positions, {progress.octets / 1e6:.0f} MB of pages")
    return progress.pages, seconds, most


def _resident() -> float:
    """Megabytes in memory now."""
    with Path("/proc/self/statm").open() as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def parallel(warc: Path, processes: int, pairs: int = 3) -> float:
    """One process and several by turns: the clock, the CPU of all, and whether the bytes are the same."""
    clocks: dict[int, list[float]] = {1: [], processes: []}
    spent: dict[int, list[float]] = {1: [], processes: []}
    digests = set()
    with tempfile.TemporaryDirectory() as folder:
        run_job(CorpusJob((warc,), Path(folder) / "warm.vert"))  # processes inherit what this one has learnt
        for number in (1, processes) * pairs:
            output = Path(folder) / f"{number}.vert"
            clock, cpu = time.monotonic(), _cpu()
            run_job(CorpusJob((warc,), output, processes=number))
            clocks[number].append(time.monotonic() - clock)
            spent[number].append(_cpu() - cpu)
            digests.add(hashlib.sha256(output.read_bytes()).digest())
    ratios = [one / several for one, several in zip(*clocks.values(), strict=True)]
    print(
        f"{processes} processes: {median(ratios):.2f} times as fast by the clock as one "
        f"({', '.join(f'{ratio:.2f}' for ratio in ratios)}), load {os.getloadavg()[0]:.0f}"
    )
    print(
        f"            CPU: {median(spent[1]):.1f} s alone, {median(spent[processes]):.1f} s together; "
        f"the same bytes: {len(digests) == 1}"
    )
    return float(median(ratios))


def _cpu() -> float:
    """CPU seconds of this process and of those that have ended under it."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def where(warc: Path) -> None:
    """The shares of the stages, over every sixth page."""
    started = time.process_time()
    captures: list[Capture] = list(read_captures(warc))
    parts = {"reading": (time.process_time() - started) / len(captures)}
    verticaliser, writer = Assembler(), Writer(dialect("sketch"))
    captures = captures[::6]
    for at in range(0, len(captures), _AT_ONCE):
        clock = [time.process_time()]
        trees = [
            parse(capture.payload, capture.url, capture.header("content-type") or "")
            for capture in captures[at : at + _AT_ONCE]
        ]
        clock.append(time.process_time())
        cleaned = [
            outcome for outcome in clean_pages(map(PageInput, trees)) if isinstance(outcome, CleanedPage)
        ]
        clock.append(time.process_time())
        drafts = [verticaliser.draft(page) for _, _, page in cleaned]
        clock.append(time.process_time())
        documents = verticaliser.documents(drafts)
        clock.append(time.process_time())
        for document in documents:
            writer.write(document)
        clock.append(time.process_time())
        for name, spent in zip(_STAGES, _steps(clock), strict=True):
            parts[name] = parts.get(name, 0.0) + spent / len(captures)
    whole = sum(parts.values())
    shares = ", ".join(
        f"{name} {100 * spent / whole:.0f} % ({1000 * spent:.1f} ms)" for name, spent in parts.items()
    )
    print(f"            {shares}")
    speed = writer.inventory.tokens / len(captures) / (parts["sentences, tokens and links"] + parts["lines"])
    print(f"            {speed:,.0f} positions a CPU-second from paragraphs to lines")


def _steps(clock: list[float]) -> list[float]:
    return [after - before for before, after in pairwise(clock)]


class Chain:
    """The peer: reads a WARC page by page, and works on every n-th page, because it is slow."""

    def __init__(self, warc: Path, step: int) -> None:
        import justext  # type: ignore[import-untyped,unused-ignore]
        import py3langid  # type: ignore[import-untyped,unused-ignore]
        from nltk.tokenize import NLTKWordTokenizer, PunktSentenceTokenizer  # type: ignore[import-untyped,unused-ignore]

        started = time.process_time()
        self._justext, self._classify = justext.justext, py3langid.classify
        self._stop_words = justext.get_stoplist("English")
        self._sentences, self._words = PunktSentenceTokenizer(), NLTKWordTokenizer()
        self._bodies = _bodies(warc)
        self._step = step
        self.seen = self.count = 0
        self.working = 0.0  # CPU seconds
        py3langid.classify("this loads its model")
        self.reading = time.process_time() - started

    def go_on(self, pages: int) -> None:
        """Read up to this page."""
        while self.seen < pages:
            started = time.process_time()
            body = next(self._bodies, None)
            self.reading += time.process_time() - started
            if body is None:
                return
            self.seen += 1
            if self.seen % self._step == 0:
                self.count += 1
                started = time.process_time()
                self._one(body)
                self.working += time.process_time() - started

    def a_page(self) -> float:
        """CPU seconds."""
        return self.reading / self.seen + self.working / self.count

    def _one(self, body: bytes) -> None:
        try:
            paragraphs = self._justext(body, self._stop_words)
        except Exception as error:
            print(f"            the chain fails on a page: {type(error).__name__}")
            return
        kept = [paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate]
        self._classify("\n".join(kept))
        for text in kept:
            for sentence in self._sentences.tokenize(text):
                self._words.tokenize(sentence)


def _bodies(warc: Path) -> Iterator[bytes]:
    from warcio.archiveiterator import ArchiveIterator

    for file in warc_files(warc):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type == "response":
                    yield record.content_stream().read()


def side_by_side(warc: Path, step: int, *, annotated: bool = False) -> float:
    """Both by turns, a second or two each: what else the machine does slows both down alike."""
    options = CorpusOptions(tags=annotated, lemma=annotated)
    peer = Chain(warc, step)
    others = 0.0

    def turn(progress: BuildProgress) -> None:
        nonlocal others
        if progress.pages - peer.seen >= _TURN:
            started = time.process_time()
            peer.go_on(progress.pages)
            others += time.process_time() - started

    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        pages = run_job(CorpusJob((warc,), Path(folder) / "c.vert", options), turn).pages
        own = (time.process_time() - started - others) / pages
        peer.go_on(pages)
    print(f"threadmill  {pages} pages, {1000 * own:.2f} ms of CPU a page")
    print(f"chain       {peer.count} pages, {1000 * peer.a_page():.2f} ms of CPU a page")
    print(f"ratio       {peer.a_page() / own:.2f}")
    return peer.a_page() / own


if __name__ == "__main__":
    main()
