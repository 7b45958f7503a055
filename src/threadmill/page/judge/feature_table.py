"""The table that a batch of pages is judged by, filled in compiled loops: what features() says, to the bit.

Logarithms and powers are numpy's, of a whole batch in one call each: those of the C library differ from
them in the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from threadmill.native.loader import load_extension
from threadmill.page.blocks.block import Block
from threadmill.page.blocks.cutting import Cut
from threadmill.page.judge.block_evidence import (
    ENDINGS,
    KIND_CODES,
    ROLE_BITS,
    TAG_BITS,
    PageFacts,
    WordWeights,
    block_words,
)
from threadmill.page.judge.characters import small_letters
from threadmill.page.judge.features import COLUMNS_FIRST
from threadmill.page.judge.page_batch import Floats

_COMPILED = load_extension("features")

# Rows of the table by the names of their columns.
TABLE_ROWS = {name: row for row, name in enumerate(COLUMNS_FIRST)}


def compiled_table(cuts: Sequence[Cut], facts: Sequence[PageFacts], lexicon: WordWeights) -> Floats | None:
    """One row per column of features(), one column per block; None where nothing is compiled."""
    if _COMPILED is None:
        return None
    cuts, kinds = list(cuts), len(facts[0].kinds)
    sheet = _COMPILED.Sheet(_reader(_COMPILED, lexicon), cuts, kinds)
    blocks: int = sheet.blocks
    table = np.empty((_COMPILED.ROWS + kinds, blocks), np.float32)
    singles = np.empty((2, blocks), np.float32)
    prior = np.empty(blocks, np.float32)
    logs = np.empty(_COMPILED.BLOCK_LOGS * blocks + _COMPILED.PAGE_LOGS * len(cuts))
    stop_words = [page.stop_words for page in facts]
    titles = [list(set(block_words(page.title))) for page in facts]
    sheet.read(cuts, stop_words, titles, table, singles, prior, logs)
    np.log1p(singles, out=table[:2])
    np.log1p(logs, out=logs)
    sheet.fill(table, prior, np.exp(-prior), logs, np.array([page.kind_odds for page in facts], np.float32))
    return table


def longest_texts(blocks: Sequence[Block], count: int) -> list[str]:
    """So many of the longest texts that a reader sees, the longest first."""
    if _COMPILED is not None:
        found: list[str] = _COMPILED.longest(blocks, count)
        return found
    return sorted((block.text for block in blocks if not block.hidden), key=len, reverse=True)[:count]


def _reader(compiled: Any, lexicon: WordWeights) -> Any:
    """What the lexicon knows, laid out once."""
    if not lexicon.readers:
        lexicon.readers.append(
            compiled.Reader(
                lexicon.names,
                lexicon.words,
                TAG_BITS,
                KIND_CODES,
                ROLE_BITS,
                ENDINGS,
                small_letters(),
            )
        )
    return lexicon.readers[0]
