"""Sentences and tokens on Universal Dependencies files, beside peers where they are installed.

python -m bench.tokens --data DIRECTORY [--peers simplemma,syntok,blingfire,spacy,nupunkt,pysbd]

Raw text is made by joining the sentences of a paragraph, or five at a time where a file marks none. F1 counts
exact spans, white space apart; a multiword token is one surface token. "held" is what no table of ours was
trained on: every third unit of the free treebanks, all of the non-commercial ones. Peers are judged by the
same held units.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from bench.figures import Figure, at_least, write_figures
from bench.treebank import Treebank, Unit, load, spans
from threadmill.corpus.text.sentences import SentenceSplitter

# A text to its sentences as lists of forms; None for what a peer does not do.
Cutter = Callable[[str], tuple[list[str] | None, list[str] | None]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--peers", default="simplemma,syntok,blingfire,spacy,nupunkt,pysbd")
    arguments = parser.parse_args()
    banks = load(arguments.data)
    if not banks:
        raise SystemExit(f"no .conllu files in {arguments.data}")
    sentences, tokens = ours(banks)
    peers = {name: peer(name, banks) for name in filter(None, arguments.peers.split(","))}
    speeds = running(banks)
    by_sentence = {name: mean(found[0]) for name, found in peers.items() if found[0]}
    by_token = {name: mean(found[1]) for name, found in peers.items() if found[1]}
    what = f"mean of {len(banks)} treebanks, held-back parts"
    best = languages_without_better(sentences, {name: found[0] for name, found in peers.items()})
    figures = [
        Figure("corpus", f"sentence F1, {what}", mean(sentences), at_least(91.5), peers=by_sentence),
        Figure("corpus", "languages in which no peer cuts sentences better", best, at_least(len(banks))),
        Figure("corpus", f"token F1, {what}", mean(tokens), at_least(99.0), peers=by_token),
        Figure("corpus", "tokens per CPU-second, with sentences", speeds[0], at_least(1_000_000)),
    ]
    write_figures("tokens", figures)


Scores = dict[str, float]  # F1 by language


def mean(scores: Scores) -> float:
    """The mean over languages."""
    return sum(scores.values()) / len(scores)


def languages_without_better(own: Scores, peers: dict[str, Scores]) -> int:
    """The number of languages in which no peer has a higher F1. Prints the best peer of each."""
    count = 0
    for language, value in own.items():
        others = {name: scores[language] for name, scores in peers.items() if language in scores}
        name = max(others, key=others.__getitem__, default="")
        count += not others or others[name] <= value
        if others:
            print(f"{language}: ours {value:.2f}, {name} {others[name]:.2f}")
    return count


def ours(banks: list[Treebank]) -> tuple[Scores, Scores]:
    """A line for each language, then the means; gives those of the held parts, sentences and tokens."""
    print("language  sentence F1 (held)   token F1 (held)   tokens/s CPU")
    rows: dict[str, tuple[float, ...]] = {}
    total = seconds = 0.0
    for bank in banks:
        cut = threadmill(bank.language)
        cut("Warm up: compile a pattern (once).")
        results, spent = timed(cut, [unit.text for unit in bank.units])
        count = sum(len(tokens or ()) for _, tokens in results)
        total, seconds = total + count, seconds + spent
        held = {id(unit) for unit in bank.held()}
        everything = list(zip(bank.units, results, strict=True))
        unseen = [(unit, result) for unit, result in everything if id(unit) in held]
        row = tuple(f1(part, at) for at in (0, 1) for part in (everything, unseen))
        rows[bank.language] = row
        note = "" if bank.free else "  (non-commercial: all held)"
        print(_row(bank.language, row, count / spent) + note)
    means = [sum(column) / len(rows) for column in zip(*rows.values(), strict=True)]
    print(_row("mean", means, total / seconds))
    return {name: row[1] for name, row in rows.items()}, {name: row[3] for name, row in rows.items()}


def _row(name: str, row: Sequence[float], speed: float) -> str:
    return f"{name:<8}  {row[0]:6.2f} ({row[1]:6.2f})     {row[2]:6.2f} ({row[3]:6.2f})   {speed:,.0f}"


def running(banks: list[Treebank]) -> tuple[float, float, float]:
    """The speed once the commonest words have been met, as in any corpus: a second pass over each file.

    Paragraphs to lists of forms, one at a time; to joints, twenty at a time, as `vert` cuts documents; and
    sentences that are known already to forms. Of three passes the fastest, since other work slows them.
    """
    total = both = joints = alone = 0.0
    for bank in banks:
        splitter = SentenceSplitter(bank.language)
        texts = [unit.text for unit in bank.units]
        for text in texts:
            splitter.forms(text)
        sentences = [sentence for text in texts for sentence in splitter.sentences(text)]
        documents = [
            [" ".join(text.split()) for text in texts[at : at + 20]] for at in range(0, len(texts), 20)
        ]
        both += fastest(splitter.forms, texts)
        joints += fastest(splitter.cut_all, documents)
        alone += fastest(splitter.tokenise, sentences)
        total += sum(len(forms) for text in texts for forms in splitter.forms(text))
    print(
        f"running: sentences and tokens {total / both:,.0f} tokens/s CPU (as joints {total / joints:,.0f}), "
        f"tokens alone {total / alone:,.0f}"
    )
    return total / both, total / joints, total / alone


def fastest(work: Callable[[Any], object], pieces: Sequence[Any]) -> float:
    """CPU seconds of the fastest of three passes."""
    spent = []
    for _ in range(3):
        started = time.process_time()
        for piece in pieces:
            work(piece)
        spent.append(time.process_time() - started)
    return min(spent)


def threadmill(language: str) -> Cutter:
    """Ours."""
    splitter = SentenceSplitter(language)

    def cut(text: str) -> tuple[list[str], list[str]]:
        sentences = splitter.forms(text)
        return ["".join(forms) for forms in sentences], [form for forms in sentences for form in forms]

    return cut


def timed(cut: Cutter, texts: list[str]) -> tuple[list[tuple[list[str] | None, list[str] | None]], float]:
    """Results and CPU seconds."""
    started = time.process_time()
    results = [cut(text) for text in texts]
    return results, time.process_time() - started


def f1(pairs: Iterable[tuple[Unit, Any]], at: int) -> float:
    """F1 of sentences (0) or tokens (1), in percent."""
    right = gold = found = 0
    for unit, result in pairs:
        wanted = unit.sentence_spans() if at == 0 else unit.token_spans()
        given = spans(iter(result[at]))
        right, gold, found = right + len(wanted & given), gold + len(wanted), found + len(given)
    return 200 * right / max(1, gold + found)


def peer(name: str, banks: list[Treebank]) -> tuple[Scores, Scores]:
    """The figures of one peer by language, sentences and tokens; nothing where it gives none."""
    found: tuple[Scores, Scores] = ({}, {})
    count = seconds = 0.0
    for bank in banks:
        try:
            cut = PEERS[name](bank.language)
        except (ImportError, ValueError) as error:
            print(f"{name:<10} {bank.language}: {error}")
            continue
        held = bank.held()
        results, spent = timed(cut, [unit.text for unit in held])
        pairs = list(zip(held, results, strict=True))
        for at in (0, 1):
            if results[0][at] is not None:
                found[at][bank.language] = f1(pairs, at)
        count += sum(len(unit.token_spans()) for unit in held)
        seconds += spent
    if count:
        means = [f"{mean(part):.2f} over {len(part)}" if part else "-" for part in found]
        print(f"{name:<10} sentence F1 {means[0]}, token F1 {means[1]}, {count / seconds:,.0f} tokens/s CPU")
    return found


def with_simplemma(language: str) -> Cutter:
    """simplemma's two functions."""
    from simplemma import simple_tokenizer, split_sentences

    code = {"hr": "hbs", "sr": "hbs"}.get(language, language)
    return lambda text: (split_sentences(text, lang=code), simple_tokenizer(text))


def with_syntok(_: str) -> Cutter:
    """syntok's segmenter."""
    from syntok import segmenter  # type: ignore[import-untyped,unused-ignore]

    def cut(text: str) -> tuple[list[str], list[str]]:
        found = [s for paragraph in segmenter.process(text) for s in paragraph]
        return ["".join(t.value for t in s) for s in found], [t.value for s in found for t in s]

    return cut


def with_blingfire(_: str) -> Cutter:
    """blingfire's two functions."""
    import blingfire  # type: ignore[import-untyped,unused-ignore]

    return lambda text: (
        blingfire.text_to_sentences(text).split("\n"),
        blingfire.text_to_words(text).split(" "),
    )


def with_spacy(language: str) -> Cutter:
    """spaCy's blank pipeline: rules for tokens, its rule-based sentencizer."""
    import spacy

    pipeline = spacy.blank(language)
    pipeline.add_pipe("sentencizer")

    def cut(text: str) -> tuple[list[str], list[str]]:
        document = pipeline(text)
        return [s.text for s in document.sents], [t.text for t in document]

    return cut


def with_nupunkt(_: str) -> Cutter:
    """nupunkt's sentences."""
    from nupunkt import sent_tokenize

    return lambda text: ([str(sentence) for sentence in sent_tokenize(text)], None)


def with_pysbd(language: str) -> Cutter:
    """pySBD's sentences, for the languages it knows."""
    import pysbd  # type: ignore[import-untyped,unused-ignore]

    segmenter = pysbd.Segmenter(language=language, clean=False)
    return lambda text: (segmenter.segment(text), None)


PEERS: dict[str, Callable[[str], Cutter]] = {
    "simplemma": with_simplemma,
    "syntok": with_syntok,
    "blingfire": with_blingfire,
    "spacy": with_spacy,
    "nupunkt": with_nupunkt,
    "pysbd": with_pysbd,
}


if __name__ == "__main__":
    main()
