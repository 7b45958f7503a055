"""Builds the vocabulary shipped for comparing sites, from the word frequencies of the package wordfreq.

    python3 dev.py run python -m tools.build_sites_vocabulary

wordfreq (3.1, data CC BY-SA 4.0: Wikipedia, subtitles, news, books, web, Twitter, Reddit) says how often a
word occurs; on how many sites it does follows for sites of WORDS words: 1 - (1 - p) ** WORDS of them.
A vocabulary trained on real sites (`threadmill sites train`) is better where there is one.
"""

from __future__ import annotations

from pathlib import Path

from threadmill.page.judge.stop_words import languages, stop_words
from threadmill.sites.decide.vocabulary import Vocabulary, save_vocabulary

_WORDS = 1200  # of a site's six pages, median of small organisations' sites
_DOCUMENTS = 200_000  # the source's; any number gives the same ratios
_LEAST = 300  # sites a term must be on, as in the source
_PER_LANGUAGE = 12_000
_TARGET = Path(__file__).parents[1] / "src/threadmill/sites/data/vocabulary.json.gz"


def main() -> None:
    """Write the vocabulary."""
    import wordfreq

    frequencies: dict[str, int] = {}
    known = sorted(wordfreq.available_languages("best"))
    for language in known:
        ignored = stop_words(language) if language in languages() else frozenset()
        common = wordfreq.get_frequency_dict(language)
        for word in sorted(common, key=common.__getitem__, reverse=True)[:_PER_LANGUAGE]:
            if not word.isalpha() or len(word) < 2 or word in ignored:
                continue
            share = 1 - (1 - common[word]) ** _WORDS
            if share * _DOCUMENTS >= _LEAST:
                frequencies[word] = max(frequencies.get(word, 0), int(share * _DOCUMENTS))
    note = f"wordfreq {', '.join(known)}; sites of {_WORDS} words"
    save_vocabulary(Vocabulary(_DOCUMENTS, frequencies, note), _TARGET)
    print(f"{len(frequencies)} terms of {len(known)} languages, {_TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
