"""Held-out checks made by date libraries of npm: dayjs, moment, date-fns and luxon, each in its own words.

    mkdir throwaway && cd throwaway && npm install dayjs && cd -
    python -m bench.dates_npm dayjs throwaway [--misses N] [--seed N]

Nothing of the libraries is kept here: Node prints the texts when the check runs. A date's span is what the
library prints of it alone; of a date with its time the spans count that stand in the whole as they do alone,
of one with a weekday before it only the moment.
First runs: docs/figures.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.dates_quality import Report, judge, judge_moment, report_figures, show
from bench.dates_set import NEW, NOW, SPEC, Item
from bench.figures import write_figures

# The codes of a library where they differ from ours; all else is the code itself.
_OF_MOMENT = {"zh_Hans": "zh-cn", "zh_Hant": "zh-tw", "sr_Cyrl": "sr-cyrl", "sr_Latn": "sr"}
CODES = {
    "moment": _OF_MOMENT,
    "dayjs": _OF_MOMENT,
    "date-fns": {"en": "enUS", "zh_Hans": "zhCN", "zh_Hant": "zhTW", "sr_Cyrl": "sr", "sr_Latn": "srLatn",
                 "fa": "faIR"},
    "luxon": {"zh_Hans": "zh-Hans", "zh_Hant": "zh-Hant", "sr_Cyrl": "sr-Cyrl", "sr_Latn": "sr-Latn"},
}  # fmt: skip
# The word that says «o'clock» behind a time is no part of it, as in our other sets.
WORD_BEHIND = re.compile(r" (?:ч|น)\.$")
# Far enough from the next unit that every library rounds to the same number.
HOUR, DAY = 3600, 86400
DISTANCES = (60, 180, 2400, HOUR, 3 * HOUR, 15 * HOUR, DAY, 4 * DAY, 9 * DAY)


def answers(package: str, folder: Path, seed: int, count: int) -> Iterator[dict[str, Any]]:
    """What the library prints in every language of ours."""
    rng = random.Random(seed)
    moments = [NOW - timedelta(minutes=rng.randrange(20 * 1440, 6000 * 1440)) for _ in range(count)]
    request = {
        "package": package,
        "now": NOW.isoformat() + "Z",
        "locales": {language: CODES[package].get(language, language) for language in SPEC + NEW},
        "moments": [at.isoformat() + "Z" for at in moments],
        "distances": DISTANCES,
    }
    script = Path(__file__).with_suffix(".js").resolve()
    done = subprocess.run(
        ["node", str(script)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "TZ": "UTC"},
        check=True,
    )
    yield from map(json.loads, done.stdout.splitlines())


def items_of(answer: dict[str, Any]) -> Iterator[Item]:
    """The texts of one answer; a stamp whose parts do not stand in it whole has no spans."""
    language = answer["language"]
    if "said" in answer:
        text = answer["said"]
        then = (NOW - timedelta(seconds=answer["seconds"])).date().isoformat()
        yield Item(text, ((0, len(text), "DATE"),), then, language, "relative")
        return
    at = datetime.fromisoformat(answer["at"].removesuffix("Z"))
    for text in dict.fromkeys(answer["dates"]):
        if re.search(r"\D\d{2}$|^\d\d\D\d\d\D", text) and str(at.year) not in text and text.isascii():
            continue  # two digits for the year: no reader of one text can know the order
        yield Item(text, ((0, len(text), "DATE"),), at.date().isoformat(), language, "absolute")
    for text in dict.fromkeys(answer["stamps"]):
        yield Item(text, spans_of(text, answer), at.isoformat()[:16], language, "stamp")


def spans_of(text: str, answer: dict[str, Any]) -> tuple[tuple[int, int, str], ...]:
    """The spans of a stamp whose date and time stand in it as they do alone; none with a weekday beside."""
    date = max((date for date in answer["dates"] if date in text), key=len, default="")
    time = WORD_BEHIND.sub("", answer["time"])
    start, clock = text.find(date), text.find(time)
    rest = text.replace(date, "")
    if not date or clock < 0 or any(weekday in rest for weekday in answer["weekdays"]):
        return ()
    return (start, start + len(date), "DATE"), (clock, clock + len(time), "TIME")


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("package", choices=sorted(CODES))
    parser.add_argument("folder", type=Path, help="where the package was installed with npm")
    parser.add_argument("--misses", type=int, default=0)
    parser.add_argument("--seed", type=int, default=23)
    arguments = parser.parse_args()
    absolute, relative = Report(), Report()
    try:
        for answer in answers(arguments.package, arguments.folder, arguments.seed, 8):
            for item in items_of(answer):
                if item.spans:
                    judge(item, relative if item.kind == "relative" else absolute)
                else:
                    judge_moment(item, absolute)
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        print(f"Node could not run {arguments.package} in {arguments.folder}: {said}", file=sys.stderr)
        return 2
    for title, report in (("absolute", absolute), ("relative", relative)):
        show(report, title, arguments.misses)
    figures = report_figures(absolute, f"formats of {arguments.package}")
    figures += report_figures(relative, f"distances of {arguments.package}")
    write_figures(f"dates_npm.{arguments.package}", figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
