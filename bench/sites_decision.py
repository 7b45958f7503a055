"""The whole decision over a long list: files of read sites in, scored pairs out. CPU seconds and memory.

    python3 dev.py run python -m bench.sites_decision [--sites 100000]

The sites are generated: keywords of the shipped vocabulary by Zipf's law and by trade, contact data, names,
accounts, pictures, class names and links, about as many as 204 real sites have. Each tenth site is the second
site of a company (another language, the same contact data); each twentieth has words of the one before.
The decision runs in a process of its own, whose CPU time and largest memory are read by the system.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

from bench.figures import Figure, at_least, at_most, write_figures
from threadmill.service.work import stage_files
from threadmill.service.work.cpu_work import compare_sites_from_files
from threadmill.sites.decide.vocabulary import load_vocabulary
from threadmill.sites.model import CompanySite, Fact, ReadOutcome, SiteFacts
from threadmill.sites.read.names import sounds_of
from threadmill.sites.read.read_site import sketch_of

_TERMS = 320  # different keywords of a site: the mean of 204 real sites
_SECOND = 10  # each so many sites is the second one of a company
_COPY = 20  # each so many sites has the words of the one before
_FOLDERS = 1000  # sites of one folder, so that no folder has too many entries


class Generator:
    """Draws sites by seed."""

    def __init__(self, seed: int = 8) -> None:
        self._chance = random.Random(seed)
        terms = sorted(load_vocabulary().frequencies.items(), key=lambda item: -item[1])
        self._terms = [term for term, _ in terms[:48_232]]
        self._trades = [self._chance.sample(self._terms[200:], 300) for _ in range(500)]

    def sites(self, count: int) -> Iterator[CompanySite]:
        """Sites one after the other."""
        before: CompanySite | None = None
        for number in range(count):
            words = self._words()
            if before is not None and number % _COPY == _COPY - 1:
                words = {word: n for word, n in before.keywords.items() if self._chance.random() < 0.8}
            second = before if number % _SECOND == _SECOND - 1 else None
            before = CompanySite(
                f"http://site-{number}.example-{number % 7}.test/",
                ReadOutcome.OK,
                language="en",
                keywords=words,
                facts=self._facts(number, second),
                pages=6,
            )
            yield before

    def _words(self) -> dict[str, int]:
        trade = self._chance.choice(self._trades)
        most = len(self._terms)
        found: dict[str, int] = {}
        while len(found) < _TERMS:
            general = self._terms[min(most - 1, int(2.7 * ((most / 2.7) ** self._chance.random() - 1)))]
            word = self._chance.choice(trade) if self._chance.random() < 0.3 else general
            found[word] = found.get(word, 0) + 1
        return found

    def _facts(self, number: int, second: CompanySite | None) -> SiteFacts:
        chance = self._chance
        domain = f"site-{number}.test"
        page = f"http://{domain}/contact"
        name = f"{chance.choice(self._terms)} {chance.choice(self._terms)}"
        phone = f"{chance.randrange(10**8):08}"
        found = [
            Fact("e-mail", f"info@{domain}", f"info@{domain}", f"Write to us: info@{domain} or call", page),
            Fact("mail domain", domain, domain, f"Write to us: info@{domain} or call", page),
            Fact("label", f"site-{number}", domain, "its address", page),
            Fact("phone", phone, f"+49 {phone}", f"Telephone: +49 {phone}, from Monday to Friday", page),
            Fact(
                "address",
                f"{chance.randrange(10**5):05} lindenstr {number % 200}",
                "Lindenstraße 1",
                "",
                page,
            ),
            Fact("name", name, name.title(), f"© 2024 {name.title()}", f"http://{domain}/"),
            Fact(
                "account", f"Google Analytics UA-{chance.randrange(10**8)}", "UA", "ga('create', 'UA')", page
            ),
            Fact("picture", f"{chance.getrandbits(160):040x}", f"http://{domain}/logo.png", "", page),
            *(Fact("title", chance.choice(self._terms), "x", "x | y", page) for _ in range(2)),
        ]
        if second is not None:
            found = [fact for fact in second.facts.found if chance.random() < 0.6] + found[:2]
        keys = {fact.key for fact in found} | {("sound", sound) for sound in sounds_of(name)}
        links = frozenset(f"site-{chance.randrange(10**6)}.test" for _ in range(15))
        pictures = frozenset(f"picture-{chance.randrange(10**6)}.jpg" for _ in range(20))
        classes = sketch_of(f"class-{chance.randrange(3000)}" for _ in range(200))
        names = frozenset(fact.value for fact in found if fact.kind == "name")
        return SiteFacts(frozenset(keys), domain, links, names, pictures, classes, tuple(found))


def _decide(root: Path, folders: list[str], answer: object) -> None:
    begun = time.process_time()
    pairs = compare_sites_from_files(root, folders)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    good = sum(pair.score >= 0.5 for pair in pairs)
    answer.send((time.process_time() - begun, peak, len(pairs), good))  # type: ignore[attr-defined]


def main() -> None:
    """Generate, decide, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sites", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="keep the generated sites here for the next run")
    arguments = parser.parse_args()
    root = arguments.folder or Path(tempfile.mkdtemp(prefix="threadmill-decision-"))
    folders = [f"sites/{number // _FOLDERS}/{number}" for number in range(arguments.sites)]
    try:
        if not (root / folders[-1]).exists():
            for folder, site in zip(folders, Generator().sites(arguments.sites), strict=True):
                stage_files.save(root, folder, stage_files.READ, site)
        context = get_context("spawn")  # a process of its own, without the memory of the generator
        ours, theirs = context.Pipe()
        process = context.Process(target=_decide, args=(root, folders, theirs))
        process.start()
        spent, peak, pairs, good = ours.recv()
        process.join()
    finally:
        if arguments.folder is None:
            shutil.rmtree(root)
    companies = arguments.sites // _SECOND
    print(
        f"{arguments.sites:,} sites: {spent:.0f} s of CPU, {peak:,.0f} MB, {pairs:,} pairs kept, "
        f"{good:,} scored 0.5 or more ({companies:,} companies have two sites)"
    )
    size = f"decision over {arguments.sites:,} sites"
    is_full = arguments.sites == 100_000
    figures = [
        Figure("sites", f"{size}, CPU", spent, at_most(120) if is_full else None, "s"),
        Figure("sites", f"{size}, memory", peak, at_most(2000) if is_full else None, "MB"),
        Figure("sites", f"{size}, companies found", good / companies, at_least(0.9)),
    ]
    write_figures("sites_decision", figures)


if __name__ == "__main__":
    main()
