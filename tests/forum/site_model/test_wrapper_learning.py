"""How a wrapper is learnt: which shapes of records are kept, and where their columns are."""

import pytest
from threadmill.forum.site_model.wrapper_learning import learn_wrapper

from tests.forum import known_models, sites
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.posts.post_columns import PostColumns, find_post_columns
from threadmill.forum.records.record_table import RecordTable
from threadmill.forum.site_model.wrapper import Wrapper, apply_wrapper


def _read(page: str) -> tuple[RecordTable, PostColumns]:
    analysis = PageAnalysis(sites.tree(page), sites.NOW)
    assert analysis.found_posts
    table = analysis.found_posts.table
    return table, find_post_columns(table, sites.NOW)


def _learn(*pages: str) -> Wrapper:
    wrapper = learn_wrapper([_read(page) for page in pages])
    assert wrapper
    return wrapper


@pytest.mark.parametrize("name", known_models.NAMES)
def test_a_simulated_forum_has_its_known_wrapper(name: str) -> None:
    assert known_models.plain_model(name)["wrapper"] == known_models.known()[name]["wrapper"]


def test_pages_without_records_teach_nothing() -> None:
    assert learn_wrapper([]) is None
    table, _ = _read(sites.flat_thread())
    assert learn_wrapper([(table, PostColumns())]) is None


def test_a_flat_thread_teaches_one_shape_and_all_columns() -> None:
    wrapper = learn_wrapper([_read(sites.flat_thread()), _read(sites.flat_thread(3))], "dmy")
    assert wrapper
    assert [shape.top for shape in wrapper.shapes] == ["body/div/div.post"]
    assert wrapper.shapes[0].bodies == (("div.post/div.main/div.words", 1),)
    assert wrapper.authors == (("div.post/div.side/a.name", 1),)
    assert wrapper.dates == (("div.main/p.when/a", 1),)
    assert wrapper.cover == {"authors": 1.0, "dates": 1.0, "links": 1.0, "ids": 1.0}
    assert (wrapper.pages, wrapper.order, wrapper.depth) == (2, "dmy", 3)


@pytest.mark.parametrize(
    "page", [sites.flat_thread(), sites.table_thread(), sites.nested_thread(), sites.odd_first_thread()]
)
def test_a_wrapper_finds_the_records_it_was_learnt_from(page: str) -> None:
    table, columns = _read(page)
    wrapper = learn_wrapper([(table, columns)])
    assert wrapper
    found, again, fit = apply_wrapper(wrapper, table.outline)
    assert len(found.records) == len(table.records)
    assert again.bodies == columns.bodies
    assert fit == 1.0


def test_a_rare_shape_on_a_page_of_its_own_is_dropped() -> None:
    other = sites.flat_thread().replace("post", "note")
    main = [sites.flat_thread()] * 3
    assert {shape.top for shape in _learn(*main, other).shapes} == {"body/div/div.post"}
    assert {shape.top for shape in _learn(main[0], other).shapes} == {
        "body/div/div.post",
        "body/div/div.note",
    }
