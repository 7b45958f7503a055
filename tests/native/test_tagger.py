"""The compiled scorer of tags and the packed dictionaries give what their twins in Python give."""

import random
from contextlib import suppress

import numpy as np
import pytest

from threadmill.corpus.text.tags import CompiledDictionaries, PlainScorer
from threadmill.native.loader import load_extension

native = load_extension("tagger")
LETTERS = "abcdeABCžřшЩ中あ12-'.𝒳İß\ud800é"


def lemma_of(form: str) -> str:
    return f"{form[:-1].lower()}En" if len(form) > 3 else ""


def test_the_best_tags_are_the_same() -> None:
    rnd = random.Random(1)
    weights = np.random.default_rng(0).integers(-127, 128, (1 << 10, 19), dtype=np.int8)
    compiled, plain = native.Scorer(weights, lemma_of), PlainScorer(weights, lemma_of)  # type: ignore[union-attr]
    for _ in range(300):
        forms = ["".join(rnd.choices(LETTERS, k=rnd.randint(0, 14))) for _ in range(rnd.randint(0, 9))]
        found = compiled.best_tags([compiled.word(form, lemma_of) for form in forms])
        assert found == plain.best_tags([plain.word(form, lemma_of) for form in forms])


def test_weights_of_a_wrong_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="power of two"):
        native.Scorer(np.zeros((1000, 17), np.int8), lemma_of)  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="at most 63 tags"):
        native.Scorer(np.zeros((1024, 64), np.int8), lemma_of)  # type: ignore[union-attr]


def pack_dictionary(lemmas: dict[str, str], *, is_reversed: bool) -> bytes:
    """A dictionary as simplemma packs it: sorted forms, each without what it shares with the one before."""
    step = -1 if is_reversed else 1
    pairs = sorted((form.encode()[::step], lemma.encode()[::step]) for form, lemma in lemmas.items())
    out = bytearray(b"SMFC1") + bytes([is_reversed]) + pack_number(len(pairs))
    before = lemma_before = b""
    for form, lemma in pairs:
        shared = common_length(before, form)
        out += pack_number(shared) + pack_number(len(form) - shared) + form[shared:]
        kept = common_length(form, lemma)
        if lemma == lemma_before:
            out.append(254)
        elif len(form) - kept > 250:
            out += b"\xff" + pack_number(len(lemma)) + lemma
        else:
            out += bytes([len(form) - kept]) + pack_number(len(lemma) - kept) + lemma[kept:]
        before, lemma_before = form, lemma
    return bytes(out)


def pack_number(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + pack_number(value >> 7)


def common_length(one: bytes, other: bytes) -> int:
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def draw_lemmas(rnd: random.Random, count: int) -> dict[str, str]:
    def word(longest: int) -> str:
        return "".join(rnd.choices("abcéžш中𝒳", k=rnd.randint(1, longest)))

    forms = [word(rnd.choice([3, 9, 150])) for _ in range(count)]
    return {form: rnd.choice([form, form[:-1] + "e", word(6), "same"]) for form in forms}


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 700])
def test_a_packed_dictionary_gives_the_lemma_of_each_form(count: int, is_reversed: bool) -> None:
    rnd = random.Random(count)
    lemmas = draw_lemmas(rnd, count)
    found = native.LemmaDictionary(pack_dictionary(lemmas, is_reversed=is_reversed))  # type: ignore[union-attr]
    assert len(found) == len(lemmas)
    assert {form: found.get(form) for form in lemmas} == lemmas
    for form in ["", "\0", "zz", "\U0010ffff", "a" * 3000, *draw_lemmas(rnd, 300)]:
        assert found.get(form) == lemmas.get(form)
        assert found.get(form, "none") == lemmas.get(form, "none")


def test_the_dictionaries_of_simplemma_say_what_simplemma_reads_in_them() -> None:
    factory = pytest.importorskip("simplemma.strategies.dictionaries.dictionary_factory")
    plain = factory.DefaultDictionaryFactory().get_dictionary("ms")
    found = CompiledDictionaries(None).get_dictionary("ms")
    assert isinstance(found, native.LemmaDictionary)  # type: ignore[union-attr]
    assert len(found) == len(plain) > 10_000
    assert all(found.get(form) == plain[form] for form in plain)
    assert all(found.get(f"{form}x") == plain.get(f"{form}x") for form in plain)


def test_half_a_character_is_refused_as_simplemma_refuses_it() -> None:
    found = native.LemmaDictionary(pack_dictionary({"a": "b"}, is_reversed=False))  # type: ignore[union-attr]
    with pytest.raises(UnicodeEncodeError):
        found.get("\ud800")


def test_damaged_dictionaries_are_refused_or_read_but_never_past_their_end() -> None:
    rnd = random.Random(3)
    lemmas = draw_lemmas(rnd, 60)
    whole = pack_dictionary(lemmas, is_reversed=False)
    for size in range(len(whole)):
        with pytest.raises(ValueError, match="simplemma"):
            native.LemmaDictionary(whole[:size])  # type: ignore[union-attr]
    for _ in range(2000):
        broken = bytearray(whole)
        for _ in range(rnd.randint(1, 3)):
            broken[rnd.randrange(5, len(broken))] = rnd.choice([0, 1, 127, 128, 254, 255, rnd.randrange(256)])
        with suppress(ValueError):  # bytes that are no text are one, too
            found = native.LemmaDictionary(bytes(broken))  # type: ignore[union-attr]
            for form in lemmas:
                with suppress(ValueError):
                    found.get(form)
