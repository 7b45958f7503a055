"""The hand-made pages of many layouts and languages: what is read of them may not get worse."""

from __future__ import annotations

import pytest

from bench.forum_cases import cases, judge

PAGES = list(cases())
# Cases that are read wrongly today, by part; a page that is mended leaves the list.
KNOWN: dict[str, set[str]] = {
    "drupal-two-cs": {"posts"},
}


@pytest.mark.parametrize(("name", "page", "wanted"), PAGES, ids=[name for name, _, _ in PAGES])
def test_page_is_read_as_a_person_reads_it(name: str, page: bytes, wanted: dict[str, object]) -> None:
    faults = {fault.part: fault.note for fault in judge(page, wanted)}

    assert set(faults) <= KNOWN.get(name, set()), faults


def test_no_known_fault_was_mended_without_saying_so() -> None:
    stale = {
        name for name, page, wanted in PAGES if KNOWN.get(name, set()) - {f.part for f in judge(page, wanted)}
    }

    assert not stale
