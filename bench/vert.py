"""A WARC to vertical, one core, beside the usual Python chain: warcio, jusText, py3langid, NLTK's tokenisers.

python -m bench.vert FILE.warc.gz [--pages 500] [--processes 2]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

from threadmill.archive.reader import read_captures
from threadmill.corpus.pipeline import Job, build
from threadmill.corpus.verticalise import Recipe, Verticaliser
from threadmill.types import Capture


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("warc", type=Path)
    parser.add_argument("--pages", type=int, default=500, help="of the peer, which is slow")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    pages, seconds = ours(arguments.warc)
    print(f"threadmill  {pages} pages, {1000 * seconds / pages:.1f} ms of CPU a page")
    where(arguments.warc)
    wall = [parallel(arguments.warc, processes) for processes in (1, arguments.processes)]
    print(f"{arguments.processes} processes: {wall[0] / wall[1]:.2f} times as fast by the clock as one")
    count, spent = chain(arguments.warc, arguments.pages)
    print(f"chain       {count} pages, {1000 * spent / count:.1f} ms of CPU a page")
    print(f"ratio       {(spent / count) / (seconds / pages):.1f}")
    print(
        f"memory      {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB, the chain included"
    )


def ours(warc: Path) -> tuple[int, float]:
    """Pages and CPU seconds."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        progress = build(Job((warc,), Path(folder) / "c.vert"))
        seconds = time.process_time() - started
    print(f"            {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB resident at most")
    return progress.pages, seconds


def parallel(warc: Path, processes: int) -> float:
    """Seconds by the clock."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        build(Job((warc,), Path(folder) / "c.vert", processes=processes))
        return time.monotonic() - started


def where(warc: Path) -> None:
    """The shares of reading, cleaning and the rest."""
    from threadmill.page.clean import clean

    started = time.process_time()
    captures: list[Capture] = list(read_captures(warc))
    read = time.process_time() - started
    started = time.process_time()
    for capture in captures:
        clean(capture.payload, capture.url, content_type=capture.header("content-type") or "")
    cleaned = time.process_time() - started
    verticaliser = Verticaliser(Recipe())
    started = time.process_time()
    verticaliser.batch(captures)
    whole = time.process_time() - started
    total = (read + whole) / 100
    shares = [round(part / total) for part in (read, cleaned, whole - cleaned)]
    print("            reading {} %, cleaning {} %, sentences to lines {} %".format(*shares))


def chain(warc: Path, most: int) -> tuple[int, float]:
    """The peer: pages and CPU seconds."""
    import justext  # type: ignore[import-untyped,unused-ignore]
    import py3langid  # type: ignore[import-untyped,unused-ignore]
    from nltk.tokenize import NLTKWordTokenizer, PunktSentenceTokenizer  # type: ignore[import-untyped,unused-ignore]
    from warcio.archiveiterator import ArchiveIterator

    stop_words = justext.get_stoplist("English")
    sentences, words = PunktSentenceTokenizer(), NLTKWordTokenizer()
    count = positions = 0
    started = time.process_time()
    with warc.open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type != "response" or count >= most:
                continue
            count += 1
            try:
                paragraphs = justext.justext(record.content_stream().read(), stop_words)
            except Exception as error:
                print(f"            the chain fails on a page: {type(error).__name__}")
                continue
            kept = [paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate]
            py3langid.classify("\n".join(kept))
            positions += sum(len(words.tokenize(s)) for text in kept for s in sentences.tokenize(text))
    return count, time.process_time() - started


if __name__ == "__main__":
    main()
