"""Trains a small character tagger for dates and compares grammar, model and both (docs/decisions/0009-dates-grammar.md).

    python -m venv tagger && tagger/bin/pip install torch==2.13.0 onnx onnxruntime onnxscript babel -e .
    tagger/bin/python tools/train_dates_tagger.py --minutes 12

Trained on texts made from CLDR's patterns and names in bylines and markup, and on real bylines; tried on forms that neither the grammar
nor the training has: misspelt, damaged and transliterated names, unusual orders; and on hard negatives.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch
from babel import Locale
from babel.dates import format_date, format_time
from torch import nn

from bench.dates_engines import make as make_third
from bench.dates_fresh import make as make_second
from bench.dates_npm import CODES as PACKAGES
from bench.dates_npm import answers, items_of
from bench.dates_set import NEGATIVES, USERS, Item, make
from threadmill.dates import find_dates

LANGUAGES = "en ru de es fr it pl tr nl cs ro sv bg uk pt hu el fi da hr zh ja ko vi".split()  # noqa: SIM905
FRAMES = ["{d} {t}", "by {u} on {d}, {t}", "{u} {d}", "<span class='x'>{d}</span> {t}", "({d} {t})", "{t} {d}",
          "<i title=\"{d} {t}\">x</i>", "{u} wrote: {d} - {t}", "{d}", "posts: 12 {d}"]  # fmt: skip
LABELS = ("O", "DATE", "TIME")
WIDTH, CODES = 96, 4096
# A span counts when every character of it is at least so surely a date; all are tried.
SURE = (0.8, 0.99, 0.999)


def labelled(item: Item) -> tuple[str, list[int]]:
    """An item's text and the label of each of its characters."""
    labels = [0] * len(item.text)
    for start, end, label in item.spans:
        labels[start:end] = [LABELS.index(label)] * (end - start)
    return item.text, labels


# Real bylines, and negatives, that a person wrote down; the third check's stay unseen.
BYLINES = [labelled(item) for item in make_second()]


def invent(rng: random.Random) -> tuple[str, list[int]]:
    """A training text and the label of each of its characters."""
    if rng.random() < 0.4:
        text = without_date(rng)
        return text, [0] * len(text)
    if rng.random() < 0.1:
        return rng.choice(BYLINES)
    locale = Locale.parse(rng.choice(LANGUAGES))
    at = datetime(2000, 1, 1) + timedelta(minutes=rng.randrange(60 * 24 * 365 * 26))
    pattern = rng.choice(
        ["full", "long", "medium", "short", "d MMM yyyy", "dd.MM.yyyy", "MMM d, yyyy", "yyyy-MM-dd"]
    )
    day = format_date(at, pattern, locale)
    parts = {
        "d": damage(day, rng) if rng.random() < 0.3 else day,
        "t": format_time(at, rng.choice(["short", "medium"]), locale=locale),
    }
    text, labels = "", []
    frame = rng.choice(FRAMES).replace("{u}", rng.choice(USERS))
    for piece in frame.replace("{d}", "\0d\0").replace("{t}", "\0t\0").split("\0"):
        value = parts.get(piece, piece)
        text += value
        labels += [{"d": 1, "t": 2}.get(piece, 0)] * len(value)
    return text, labels


def without_date(rng: random.Random) -> str:
    """A hard negative (every second template; the others are for the test) or a byline with its date left out."""
    if rng.random() < 0.5:
        return fill(rng.choice(NEGATIVES[::2]), rng)
    frame = rng.choice(FRAMES).replace("{u}", rng.choice(USERS)).replace("{t}", "")
    number = f"{rng.randrange(1, 9999)} {rng.choice(USERS)}"
    return frame.replace("{d}", rng.choice(["", number, fill("#{h}", rng), fill("v{a}.{b}", rng)]))


def fill(template: str, rng: random.Random) -> str:
    """A hard negative with numbers as its template means them."""
    small = {k: rng.randrange(1, 10) for k in "abc"}
    two = {k: f"{rng.randrange(1, 99):02d}" for k in ("e", "e2", "f")}
    return template.format(**small, **two, h=rng.randrange(10, 999), y=rng.randrange(1990, 2026))


def damage(text: str, rng: random.Random) -> str:
    """A letter lost, doubled, swapped or broken, as typists and wrong encodings do it."""
    places = [i for i, c in enumerate(text) if c.isalpha()]
    if not places:
        return text
    i = rng.choice(places)
    kind = rng.randrange(4)
    if kind == 0:
        return text[:i] + text[i + 1 :]
    if kind == 1:
        return text[:i] + text[i] + text[i:]
    if kind == 2:
        return text[:i] + text[i + 1 : i + 2] + text[i] + text[i + 2 :]
    return text[:i] + "\ufffd" + text[i + 1 :]


# Month names that the grammar does not have, by what happened to them; the training damages names of its own, but
# has none of these.
UNSEEN_MONTHS = {
    "misspelt": "Janaury Febuary Setpember Ocotber Novmber Decmber Septemer Agust kwietna pazdziernka Agos Enro",
    "transliterated": "yanvarya fevralya aprelya maya iyunya avgusta sentyabrya noyabrya dekabrya",
    "broken": "M\ufffdrz f\ufffdvrier ao\ufffdt Dez\ufffdmber Marec-a",
}


def unseen(rng: random.Random, months: list[str]) -> tuple[str, tuple[int, int]]:
    """A form that is in neither the grammar nor the training, and where its date stands."""
    y, d, month = rng.randrange(1999, 2026), rng.randrange(1, 29), rng.choice(months)
    orders = (
        f"{d} {month} {y}",
        f"{month} {d}, {y}",
        f"{d}-{month}-{y}",
        f"{y} {month} {d}",
        f"day {d} of {month} {y}",
    )
    date = rng.choice(orders)
    before = rng.choice(["", "Posted: ", "by alan » ", "« ", "Joined "])
    after = rng.choice(["", " at 10:15", ", 22:03", " | 12 posts"])
    return before + date + after, (len(before), len(before) + len(date))


class Tagger(nn.Module):
    """Characters → embedding → two bidirectional GRU layers → a label each."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(CODES, 32)
        self.rnn = nn.GRU(32, 64, num_layers=2, bidirectional=True, batch_first=True)
        self.out = nn.Linear(128, len(LABELS))

    def forward(self, codes: torch.Tensor) -> torch.Tensor:
        """Scores of the labels of each character."""
        states, _ = self.rnn(self.embed(codes))
        return self.out(states)


def encode(text: str) -> list[int]:
    """Character codes, the rare ones folded together, padded to one width."""
    return ([ord(c) % (CODES - 1) + 1 for c in text] + [0] * WIDTH)[:WIDTH]


def train(minutes: float) -> Tagger:
    """Train for so many minutes of processor time."""
    rng, model = random.Random(3), Tagger()
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    start, step = time.process_time(), 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        while (gone := (time.process_time() - start) / (minutes * 60)) < 1:
            for group in optimiser.param_groups:
                group["lr"] = 3e-3 * (1 - 0.9 * gone)
            batch = [invent(rng) for _ in range(64)]
            codes = torch.tensor([encode(text) for text, _ in batch])
            wanted = torch.tensor([(labels + [0] * WIDTH)[:WIDTH] for _, labels in batch])
            loss = nn.functional.cross_entropy(model(codes).reshape(-1, len(LABELS)), wanted.reshape(-1))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            step += 1
            if step % 100 == 0:
                print(f"step {step}, {gone:.0%}, loss {loss.item():.4f}", flush=True)
    except KeyboardInterrupt:  # what was learnt so far is still compared
        print(f"stopped after {(time.process_time() - start) / 60:.1f} minutes of processor time")
    print(f"{step} steps, {step * len(batch):,} texts, loss {loss.item():.4f}")
    return model.eval()


def spans_of(session: Any, text: str, sure: float) -> set[tuple[int, int]]:
    """Date spans the exported model finds, every character of them at least so surely a date."""
    scores = torch.tensor(session.run(None, {"codes": torch.tensor([encode(text)]).numpy()})[0][0])
    belief = scores.softmax(-1)[: len(text), 1].tolist()
    tags = [*scores.argmax(-1)[: len(text)].tolist(), 0]
    spans, start = set(), None
    for index, tag in enumerate(tags):
        if tag == 1 and start is None:
            start = index
        elif tag != 1 and start is not None:
            certain = min(belief[start:index]) >= sure and any(c.isdigit() for c in text[start:index])
            if certain and index - start > 4:
                spans.add((start, index))
            start = None
    return spans


def grammar_spans(text: str) -> set[tuple[int, int]]:
    """Date spans the grammar finds."""
    return {(span.start, span.end) for span in find_dates(text) if span.label == "DATE"}


Texts = list[tuple[str, set[tuple[int, int]]]]


def test_sets(packages: Path | None) -> dict[str, Texts]:
    """Texts with their date spans: forms unseen by both, sets the grammar was measured on, and negatives."""
    rng = random.Random(9)
    known = [i for i in make(5, 20) if i.kind not in {"exact", "negative"}]
    third = list(make_third())
    sets: dict[str, Texts] = {}
    for kind, names in UNSEEN_MONTHS.items():
        texts = (unseen(rng, names.split()) for _ in range(200))
        sets[f"{kind} months"] = [(text, {span}) for text, span in texts]
    for package in sorted(PACKAGES):
        if packages is None:
            break
        items = [i for answer in answers(package, packages, 23, 8) for i in items_of(answer)]
        sets[f"{package}'s own locales"] = [(i.text, dates_of(i)) for i in items if i.spans]
    sets["held-out set"] = [(i.text, dates_of(i)) for i in known if i.spans]
    sets["third check"] = [(i.text, dates_of(i)) for i in third if i.spans]
    sets["negatives, other templates"] = [
        (fill(template, rng), set()) for template in NEGATIVES[1::2] for _ in range(20)
    ]
    sets["negatives of third check"] = [(i.text, set()) for i in third if i.kind == "negative"]
    return {title: [t for t in texts if len(t[0]) < WIDTH] for title, texts in sets.items()}


def dates_of(item: Item) -> set[tuple[int, int]]:
    """The date spans of an item."""
    return {(start, end) for start, end, label in item.spans if label == "DATE"}


def compare(session: Any, packages: Path | None) -> None:
    """Exact-span F1 and false alarms of grammar, model, and the model where the grammar finds nothing."""
    readers = {"grammar": grammar_spans}
    for sure in SURE:
        readers[f"model {sure}"] = lambda text, sure=sure: spans_of(session, text, sure)
        readers[f"both {sure}"] = lambda text, sure=sure: grammar_spans(text) or spans_of(session, text, sure)
    for title, items in test_sets(packages).items():
        for name, read in readers.items():
            start = time.process_time()
            found = [read(text) for text, _ in items]
            speed = len(items) / (time.process_time() - start)
            right = sum(len(f & w) for f, (_, w) in zip(found, items, strict=True))
            total = sum(len(f) + len(w) for f, (_, w) in zip(found, items, strict=True))
            alarms = sum(bool(f) for f in found) / len(items)
            figure = f"false alarms {alarms:.3f}" if "negatives" in title else f"F1 {2 * right / total:.3f}"
            print(f"{title:28} {name:12} {figure}  {speed:,.0f} texts a second of {len(items)}")


def main() -> int:
    """Train, export, compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=12)
    parser.add_argument("--out", default="dates_tagger.onnx")
    parser.add_argument("--compare", action="store_true", help="train nothing, compare what lies in --out")
    parser.add_argument(
        "--npm", type=Path, help="a folder with the packages of bench.dates_npm: tried as well"
    )
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if not arguments.compare:
        model = train(arguments.minutes)
        torch.onnx.export(
            model, (torch.zeros(1, WIDTH, dtype=torch.long),), arguments.out, input_names=["codes"]
        )
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    compare(onnxruntime.InferenceSession(arguments.out, options), arguments.npm)
    files = Path(arguments.out).parent.glob(
        Path(arguments.out).name + "*"
    )  # the weights lie beside the graph
    print(f"model files: {sum(file.stat().st_size for file in files):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
