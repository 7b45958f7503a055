"""Trains a small character tagger for dates and compares grammar, model and both (docs/decisions/0012-dates-tagger.md).

    python -m venv tagger && tagger/bin/pip install torch==2.13.0 onnx onnxruntime onnxscript babel -e .
    tagger/bin/python tools/train_dates_tagger.py --minutes 3

Trained on texts made from CLDR's patterns and names in bylines and markup; tried on forms that neither the grammar
nor the training has: misspelt, damaged and transliterated names, unusual orders; and on hard negatives.
"""

from __future__ import annotations

import argparse
import random
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
from bench.dates_set import NEGATIVES, USERS, make
from threadmill.dates import detect

LANGUAGES = "en ru de es fr it pl tr nl cs ro sv bg uk pt hu el fi da hr zh ja ko vi".split()  # noqa: SIM905
FRAMES = ["{d} {t}", "by {u} on {d}, {t}", "{u} {d}", "<span class='x'>{d}</span> {t}", "({d} {t})", "{t} {d}",
          "<i title=\"{d} {t}\">x</i>", "{u} wrote: {d} - {t}", "{d}", "posts: 12 {d}"]  # fmt: skip
LABELS = ("O", "DATE", "TIME")
WIDTH, CODES = 96, 4096
# A span counts when every character of it is at least so surely a date.
SURE = 0.8


def invent(rng: random.Random) -> tuple[str, list[int]]:
    """A training text and the label of each of its characters."""
    if rng.random() < 0.4:
        text = without_date(rng)
        return text, [0] * len(text)
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
    values = {k: rng.randrange(1, 999) for k in ("a", "b", "c", "h", "e", "e2", "f")}
    if rng.random() < 0.5:
        return rng.choice(NEGATIVES[::2]).format(**values, y=rng.randrange(1990, 2026))
    frame = rng.choice(FRAMES).replace("{u}", rng.choice(USERS)).replace("{t}", "")
    number = f"{rng.randrange(1, 9999)} {rng.choice(USERS)}"
    return frame.replace("{d}", rng.choice(["", number, f"#{values['h']}", f"v{values['a']}.{values['b']}"]))


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


def unseen(rng: random.Random) -> tuple[str, tuple[int, int]]:
    """A form that is in neither the grammar nor the training, and where its date stands."""
    y, d = rng.randrange(1999, 2026), rng.randrange(1, 29)
    month = rng.choice(
        [
            "Janaury",
            "Febuary",
            "Setpember",
            "Ocotber",
            "Novmber",
            "Decmber",
            "yanvarya",
            "fevralya",
            "aprelya",
            "maya",
            "iyunya",
            "avgusta",
            "sentyabrya",
            "noyabrya",
            "dekabrya",
            "M�rz",
            "f�vrier",
            "ao�t",
            "Dez�mber",
            "Septemer",
            "Agust",
            "kwietna",
            "pazdziernka",
            "Agos",
            "Marec-a",
            "Enro",
        ]
    )
    date = rng.choice(
        [
            f"{d} {month} {y}",
            f"{month} {d}, {y}",
            f"{d}-{month}-{y}",
            f"{y} {month} {d}",
            f"day {d} of {month} {y}",
        ]
    )
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
    print(f"{step} steps, loss {loss.item():.4f}")
    return model.eval()


def spans_of(session: Any, text: str) -> set[tuple[int, int]]:
    """Date spans the exported model finds."""
    scores = torch.tensor(session.run(None, {"codes": torch.tensor([encode(text)]).numpy()})[0][0])
    sure = scores.softmax(-1)[: len(text), 1].tolist()
    tags = [*scores.argmax(-1)[: len(text)].tolist(), 0]
    spans, start = set(), None
    for index, tag in enumerate(tags):
        if tag == 1 and start is None:
            start = index
        elif tag != 1 and start is not None:
            certain = min(sure[start:index]) >= SURE and any(c.isdigit() for c in text[start:index])
            if certain and index - start > 4:
                spans.add((start, index))
            start = None
    return spans


def grammar_spans(text: str) -> set[tuple[int, int]]:
    """Date spans the grammar finds."""
    return {(span.start, span.end) for span in detect(text) if span.label == "DATE"}


def compare(session: Any) -> None:
    """Exact-span F1 and false alarms of grammar, model, and the model where the grammar finds nothing."""
    rng = random.Random(9)
    readers = {
        "grammar": grammar_spans,
        "model": lambda text: spans_of(session, text),
        "both": lambda text: grammar_spans(text) or spans_of(session, text),
    }
    known = [i for i in make(5, 20) if len(i.text) < WIDTH and i.kind != "exact"]
    sets: dict[str, list[tuple[str, set[tuple[int, int]]]]] = {
        "forms unseen by both": [(text, {span}) for text, span in (unseen(rng) for _ in range(600))],
        "held-out set": [(i.text, {(a, b) for a, b, k in i.spans if k == "DATE"}) for i in known if i.spans],
        "third check": [
            (i.text, {(a, b) for a, b, k in i.spans if k == "DATE"}) for i in make_third() if i.spans
        ],
        "hard negatives": [(i.text, set()) for i in known if i.kind == "negative"],
        "other hard negatives": [(i.text, set()) for i in make_third() if i.kind == "negative"],
    }
    for title, items in sets.items():
        for name, read in readers.items():
            start = time.process_time()
            found = [read(text) for text, _ in items]
            speed = len(items) / (time.process_time() - start)
            right = sum(len(f & w) for f, (_, w) in zip(found, items, strict=True))
            total = sum(len(f) + len(w) for f, (_, w) in zip(found, items, strict=True))
            alarms = sum(bool(f) for f in found) / len(items)
            figure = (
                f"false alarms {alarms:.3f}"
                if "negatives" in title
                else f"F1 {2 * right / max(total, 1):.3f}"
            )
            print(f"{title:22} {name:8} {figure}  {speed:,.0f} texts a second")


def main() -> int:
    """Train, export, compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--out", default="dates_tagger.onnx")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    model = train(arguments.minutes)
    torch.onnx.export(model, (torch.zeros(1, WIDTH, dtype=torch.long),), arguments.out, input_names=["codes"])
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    compare(onnxruntime.InferenceSession(arguments.out, options))
    print(f"model file: {Path(arguments.out).stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
