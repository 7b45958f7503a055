"""The language of a text, offline: fastText's compressed model of 176 languages."""

from __future__ import annotations

import platform
from functools import cache
from importlib.resources import as_file, files
from typing import Any

from threadmill.native.loader import load_extension

# Only where fastText's own build rounds after every step, as ours does; elsewhere a multiplication and an
# addition may be one step, and the confidence differ in its last digit.
_ROUNDING_ALIKE = ("x86_64", "AMD64")
_COMPILED = load_extension("language") if platform.machine() in _ROUNDING_ALIKE else None
_MODEL = files("threadmill.page").joinpath("data/lid.176.ftz")

# Longer texts are not told more surely: 270 characters of 15 languages give .974.
_ENOUGH = 300
_MOSTLY_ENOUGH = 400  # characters that hold so many, white space taken out
_UNKNOWN = ("", 0.0)


def detect_language(text: str) -> tuple[str, float]:
    """The ISO 639 code of a text's language and the confidence in it; ("", 0.0) where there are no words."""
    sample = " ".join(text[:_MOSTLY_ENOUGH].split())[:_ENOUGH]
    if len(sample) < _ENOUGH:
        sample = " ".join(text[: 4 * _ENOUGH].split())[:_ENOUGH]
    if not any(map(str.isalpha, sample)):
        return _UNKNOWN
    # fastText wants UTF-8: a lone surrogate of a broken page is no letter of any language
    label, score = _predict(sample.encode("utf-8", "ignore"))
    return label.removeprefix("__label__"), min(1.0, score)


def _predict(clean: bytes) -> tuple[str, float]:
    if _COMPILED is not None:
        found: tuple[str, float] | None = _compiled_model(_COMPILED).predict(clean)
        return found or _UNKNOWN
    labels, scores = _model().predict(clean.decode(), k=1)
    return (labels[0], float(scores[0])) if labels else _UNKNOWN


@cache
def _compiled_model(compiled: Any) -> Any:
    return compiled.LanguageModel(_MODEL.read_bytes())


@cache
def _model() -> Any:
    import fasttext

    with as_file(_MODEL) as path:
        return fasttext.load_model(str(path))
