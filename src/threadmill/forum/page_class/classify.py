"""Classifies a page as index, thread or other with a small trained model over features of its layout.

The prefix of a feature says what it describes: `t_` and `p_` the chosen posts, `l_` the main list of rows,
`b_` posts against rows, `u_` the URL, `s_` schema.org types. Others describe the whole page.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from statistics import fmean, median
from typing import Any

from threadmill.forum.index.counters_and_boards import is_reply_title
from threadmill.forum.index.row_lists import SURE_SUBJECTS, find_title_column
from threadmill.forum.link_urls import (
    absolute_url,
    kind_named_by_url,
    names_file,
    names_service_page,
    same_site,
)
from threadmill.forum.page_class.index_or_thread import (
    find_main_list,
    index_or_thread_features,
    share_of_people,
)
from threadmill.forum.posts.author_names import PERSON_WORDS
from threadmill.forum.posts.authors import find_authors
from threadmill.forum.posts.bodies import find_sentences
from threadmill.forum.posts.few_posts import complete_records, own_text_lengths
from threadmill.forum.posts.post_columns import find_record_ids
from threadmill.forum.posts.post_records import BEST_RATING, rate_posts
from threadmill.forum.read_page import PageAnalysis
from threadmill.forum.records.date_columns import has_date, read_page_dates, sorted_share
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import RecordTable
from threadmill.page.parse.tree import Tree

# Characters. "The requested topic does not exist." has 36. An empty shell has a title or nothing.
_MAX_SHELL = 30
_LOGIN = re.compile(r"(?<![a-z])(?:log|sign)[-_]?(?:in|on)(?![a-z])", re.IGNORECASE)  # in a URL
_HEADINGS = frozenset(("h1", "h2"))
_MAX_TITLE = 60  # characters of the link to the log-in page
# The feature "text" of 1,100 characters: e**7.0 - 1, over 10. Shorter pages are messages, forms or shells.
_SHORT_TEXT = 0.7
# A board that is missed costs all of its threads, another page that is taken for one costs a visit. With this
# factor no saved page changes (cross-validated .947), and pages of random forums rise from .962 to .976.
_MISSED_INDEX = 2.0
_SURE_BOARDNESS = 6.0  # the odds are 400 to 1
_MIN_COLUMNS = 3  # of a list of threads: author, replies, last post
_MAX_COLUMN_NAME = 20  # characters
_MIN_LIST_SCORE = 0.5  # of lists that say whether an index shows threads or boards
_SURE_OF_PREVIEWS = 0.8  # confidence in an index page that shows posts of several threads
_SURE_OF_SUBJECTS = 0.7
_MIN_STORIES, _NEARLY_ALL = 4, 0.9
_MAX_STORY_TITLE = 200  # characters
_MIN_STORY = 120  # characters with its title and byline
_MIN_TITLE_WORDS = 3  # on average; names of people have fewer
_WORD = re.compile(r"\w+")
_WORDS = re.compile(r"\w\W+\w")
_SURE_OF_MESSAGES = 0.95  # the model has no feature for labelled heads: they speak for themselves
KINDS = ("index", "other", "thread")
_SCHEMA_TYPE = re.compile(r'"@type"\s*:\s*"(\w+)"')
_THREAD_TYPES = re.compile(r"DiscussionForumPosting|QAPage|Question|Comment|Answer")
_INDEX_TYPES = re.compile(r"CollectionPage|ItemList$")
_OTHER_TYPES = re.compile(r"NewsArticle|BlogPosting|ProfilePage|Product|AboutPage|ContactPage|FAQPage")
_MAX_JSON = 20_000  # characters of a JSON-LD script that are searched
_THREAD_NAMES = (
    "t_score", "t_quality", "t_count", "t_dated", "t_named", "t_words", "t_share", "t_order", "t_linked",
    "t_titles", "t_sentences", "t_ids", "t_same",
)  # fmt: skip
_POST_NAMES = ("p_count", "p_whole", "p_words", "p_share", "p_links")
_LIST_NAMES = (
    "l_score", "l_count", "l_dated", "l_title", "l_free", "l_counted", "l_board", "l_pages", "l_people",
    "l_share", "l_aside", "l_own", "l_single",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PageClass:
    """The kind of a page, with the confidence in it."""

    kind: str  # index, thread, other
    confidence: float
    reason: str = ""  # of other: login, empty shell, message, no rows and no posts
    detail: str = ""  # of index: threads, boards, mixed


_LIST_OF_THREADS = PageClass("index", _SURE_OF_SUBJECTS, "", "threads")


@cache
def _load_model() -> dict[str, Any]:
    text = files("threadmill.forum.page_class").joinpath("weights.json").read_text("utf-8")
    model: dict[str, Any] = json.loads(text)
    return model


def classify(tree: Tree, now: datetime) -> PageClass:
    """The class of a page: index, thread or other, with a reason for other."""
    return classify_page(PageAnalysis(tree, now))


def classify_page(analysis: PageAnalysis) -> PageClass:
    """The class of a page. A page without any list or post is other, whatever the model says."""
    if analysis.messages is not None:
        return PageClass("thread", _SURE_OF_MESSAGES)
    numbers = page_features(analysis)
    is_short = numbers["text"] < _SHORT_TEXT
    is_empty_board = is_short and _shows_empty_list(analysis.outline)
    if not analysis.row_lists and analysis.found_posts is None and not numbers["single"]:
        reason = _find_reason(analysis, numbers)
        return _LIST_OF_THREADS if is_empty_board else PageClass("other", 1.0, reason)
    probabilities = predict_kinds(numbers)
    kind = max(KINDS, key=lambda name: probabilities[name])
    if kind == "other" and _MISSED_INDEX * probabilities["index"] > probabilities["other"]:
        kind = "index"
    if kind == "index" and is_short and _is_titled_as_login(analysis.outline):
        return PageClass("other", 1.0 - probabilities[kind], "login")
    if kind == "other" and (is_empty_board or _lists_subjects(analysis)):
        return _LIST_OF_THREADS
    # Where neither the URL nor the markup says thread, posts may be those of several threads.
    is_named = numbers["u_thread"] or numbers["s_thread"]
    if kind == "thread" and not is_named and (analysis.previews or _lists_stories(analysis)):
        return PageClass("index", _SURE_OF_PREVIEWS, "", "threads")
    if kind == "other":
        return PageClass(kind, probabilities[kind], _find_reason(analysis, numbers))
    detail = _index_detail(analysis) if kind == "index" else ""
    return PageClass(kind, probabilities[kind], "", detail)


def _lists_stories(analysis: PageAnalysis) -> bool:
    """Whether each post has a title of its own that links to a page of its own: stories shown in full.

    In a thread the posts have one title, or none, and their titles lead to places of one page.
    """
    table = analysis.chosen_posts[0] if analysis.chosen_posts else None
    if table is None or len(table.records) < _MIN_STORIES:
        return False
    outline = analysis.outline
    if median(outline.text_length(record.start) for record in table.records) < _MIN_STORY:
        return False  # a box of the latest threads
    here = outline.tree.url.partition("#")[0]
    titles: dict[int, tuple[str, str]] = {}
    for number, members in enumerate(table.members):
        for index in members:
            text = outline.text(index, _MAX_STORY_TITLE) if outline.hrefs[index] else ""
            target = absolute_url(outline.base, outline.hrefs[index] or "") if _WORDS.search(text) else None
            if target and not has_date(text):
                titles[number] = text.casefold(), target.partition("#")[0]
                break
    enough = _NEARLY_ALL * len(table.records)
    shown = {title for title, _ in titles.values() if not is_reply_title(title)}
    pages = {
        page for _, page in titles.values() if page != here and same_site(page, here) and not names_file(page)
    }
    return (
        min(len(shown), len(pages)) >= enough
        and not any(map(names_service_page, pages))
        and fmean(len(_WORD.findall(title)) for title in shown) >= _MIN_TITLE_WORDS
    )


def _is_titled_as_login(outline: PageOutline) -> bool:
    """Whether a page has the title of the link to the log-in page, in whatever language.

    A board for members shows a notice. The box of the latest threads beside it would make it a list.
    """
    titles = {outline.text(index, _MAX_TITLE) for index, tag in enumerate(outline.tags) if tag in _HEADINGS}
    titles = {title.casefold() for title in titles if title}
    return any(
        href and _LOGIN.search(href) and outline.text(index, _MAX_TITLE).casefold() in titles
        for index, href in enumerate(outline.hrefs if titles else ())
    )


def _lists_subjects(analysis: PageAnalysis) -> bool:
    """Whether the main list shows subjects of messages. The model knows no lists without dates."""
    place = find_main_list(analysis)
    return place is not None and analysis.row_lists[place].subjects >= SURE_SUBJECTS


def _shows_empty_list(outline: PageOutline) -> bool:
    """Whether a table has names of columns and no rows: a board that has no threads yet."""
    return any(
        tag == "tr" and _names_columns(outline, row) and not _has_other_rows(outline, row)
        for row, tag in enumerate(outline.tags)
    )


def _names_columns(outline: PageOutline, row: int) -> bool:
    """Whether most cells of a row are a few words without a link. In a menu all have links."""
    lengths = [outline.unlinked_length(cell) for cell in outline.children[row]]
    return sum(0 < length <= _MAX_COLUMN_NAME for length in lengths) >= _MIN_COLUMNS


def _has_other_rows(outline: PageOutline, row: int) -> bool:
    """Whether the table around a row, or the box around that table, has other rows with text."""
    table = next((up for up in outline.ancestors(row) if outline.tags[up] == "table"), -1)
    box = outline.parent[table] if table >= 0 else -1
    return box < 0 or any(
        outline.tags[other] == "tr" and outline.text_length(other) and other != row
        for other in range(box, outline.end[box])
    )


def predict_kinds(numbers: dict[str, float]) -> dict[str, float]:
    """The probability of each kind: the mean of a logistic regression and of boosted trees."""
    model = _load_model()
    raw = [numbers[name] for name in model["features"]]
    values = [
        (value - mean) / scale
        for value, mean, scale in zip(raw, model["means"], model["scales"], strict=True)
    ]
    by_line = [
        sum(weight * value for weight, value in zip(weights, values, strict=True)) + bias
        for weights, bias in zip(model["weights"], model["biases"], strict=True)
    ]
    by_trees = [
        start + sum(_leaf_of(tree, raw) for tree in trees)
        for start, trees in zip(model["start"], model["trees"], strict=True)
    ]
    shares = zip(_as_probabilities(by_line), _as_probabilities(by_trees), strict=True)
    return {name: (one + other) / 2 for name, (one, other) in zip(model["kinds"], shares, strict=True)}


def _leaf_of(tree: Any, values: list[float]) -> float:
    """The number of the leaf that a page falls into. A node is [feature, threshold, up to it, above it]."""
    while isinstance(tree, list):
        feature, threshold, below, above = tree
        tree = below if values[feature] <= threshold else above
    leaf: float = tree
    return leaf


def _as_probabilities(sums: list[float]) -> list[float]:
    highest = max(sums)
    powers = [math.exp(value - highest) for value in sums]
    return [power / sum(powers) for power in powers]


def class_evidence(numbers: dict[str, float], kind: str) -> dict[str, float]:
    """How much each feature speaks for a kind (above 0) or for the other kinds (below), strongest first.

    This is the view of the logistic regression. The trees have no such figures.
    """
    model = _load_model()
    own = model["kinds"].index(kind)
    found = {}
    rows = zip(model["features"], model["means"], model["scales"], strict=True)
    for place, (name, mean, scale) in enumerate(rows):
        others = [weights[place] for other, weights in enumerate(model["weights"]) if other != own]
        weight = model["weights"][own][place] - sum(others) / len(others)
        found[name] = weight * (numbers[name] - mean) / scale
    return dict(sorted(found.items(), key=lambda item: -abs(item[1])))


def _find_reason(analysis: PageAnalysis, numbers: dict[str, float]) -> str:
    """Why a page is neither index nor thread."""
    short = numbers["text"] < _SHORT_TEXT
    if numbers["password"] and short:
        return "login"
    if _unlinked_length(analysis) < _MAX_SHELL:
        return "empty shell"
    return "message" if short else "no rows and no posts"


def _unlinked_length(analysis: PageAnalysis) -> int:
    """Characters of text outside links and outside <noscript>."""
    outline = analysis.outline
    if not len(outline):
        return 0
    without_script = sum(
        outline.unlinked_length(index) for index, tag in enumerate(outline.tags) if tag == "noscript"
    )
    return outline.unlinked_length(0) - without_script


def _index_detail(analysis: PageAnalysis) -> str:
    sides = {
        parsed.boardness > 0
        for found, parsed in zip(analysis.row_lists, analysis.parsed_row_lists, strict=True)
        if found.score > _MIN_LIST_SCORE
    }
    return "mixed" if len(sides) == 2 else "boards" if sides == {True} else "threads"


# ---- features ----


def page_features(analysis: PageAnalysis) -> dict[str, float]:
    """All features by name. Each lies roughly between 0 and a few."""
    outline = analysis.outline
    text = outline.text_before[-1] if outline.segments else 0
    density = outline.script_density
    unlinked = outline.unlinked_before[-1] if outline.segments else 0
    numbers = {
        "text": math.log1p(density * text) / 10,
        "linked": 1.0 - unlinked / text if text else 0.0,
        "password": float(_has_password(analysis)),
        "dates": math.log1p(len(analysis.dates)) / 4,
        "elements": math.log1p(len(outline)) / 10,
        "writing": float(any(True for _ in analysis.tree.document.iter_elements("textarea"))),
    }
    numbers.update(_text_features(analysis))
    numbers.update(_thread_features(analysis, unlinked))
    numbers.update(_list_features(analysis))
    numbers.update(_post_features(analysis))
    numbers.update(index_or_thread_features(analysis))
    numbers.update(hint_features(analysis))
    # Records that are rows as well as posts are posts if they have much of the text.
    numbers["t_both"] = numbers["t_same"] * numbers["p_share"]
    return numbers


def _has_password(analysis: PageAnalysis) -> bool:
    return any(
        (element.attr("type") or "").lower() == "password"
        for element in analysis.tree.document.iter_elements("input")
    )


def _text_features(analysis: PageAnalysis) -> dict[str, float]:
    """Sentences, links and people of the whole page, and the length of its only post."""
    outline = analysis.outline
    dated = {cell.element for cell in analysis.dates}
    sentences = list(find_sentences(outline, 0, dated)) if len(outline) else []
    longest = max((len(outline.segments[number]) for number in sentences), default=0)
    people = sum(bool(href and PERSON_WORDS.search(href)) for href in outline.hrefs)
    links = sum(href is not None for href in outline.hrefs)
    single = outline.unlinked_length(analysis.single_post.records[0].start) if analysis.single_post else 0
    return {
        "sentences": math.log1p(len(sentences)) / 4,
        "longest": math.log1p(outline.script_density * longest) / 8,
        "people": math.log1p(people) / 5,
        "links": math.log1p(links) / 6,
        "single": math.log1p(outline.script_density * single) / 8,
    }


def _thread_features(analysis: PageAnalysis, unlinked: int) -> dict[str, float]:
    """How much the chosen posts look like posts: authors, dates, text, order, IDs."""
    found = analysis.chosen_posts
    if found is None:
        return dict.fromkeys(_THREAD_NAMES, 0.0)
    table, outline = found[0], analysis.outline
    size = len(table.records)
    lengths = [sum(outline.unlinked_length(root) for root in record.roots) for record in table.records]
    texts = [sum(outline.text_length(root) for root in record.roots) for record in table.records]
    cells = max(table.date_columns.values(), key=len, default={})
    moments = [m for m in read_page_dates(list(cells.values()), analysis.now) if m is not None]
    values = (
        math.log1p(analysis.found_posts.score) if analysis.found_posts and len(table.records) > 1 else 0.0,
        rate_posts(table) / BEST_RATING,
        math.log1p(size) / 4,
        len(cells) / size,
        min(1.0, find_authors(table).score / 1.5),
        math.log1p(outline.script_density * median(lengths)) / 8,
        min(1.0, sum(lengths) / (unlinked or 1)),
        sorted_share(moments),
        1.0 - sum(lengths) / (sum(texts) or 1),
        _share_of_titles(table),
        sum(_has_sentence(analysis, table, number) for number in range(size)) / size,
        len(find_record_ids(table)) / size,
        _share_of_rows(analysis, table),
    )
    return dict(zip(_THREAD_NAMES, values, strict=True))


def _post_features(analysis: PageAnalysis) -> dict[str, float]:
    """How many of the chosen posts are complete, and how much they say."""
    found = analysis.chosen_posts
    if found is None:
        return dict.fromkeys(_POST_NAMES, 0.0)
    table, outline = found[0], analysis.outline
    lengths, complete = own_text_lengths(table), complete_records(table)
    size = len(table.records)
    total = outline.text_before[-1] or 1
    linked = sum(
        outline.text_length(root) - outline.unlinked_length(root)
        for record in table.records
        for root in record.roots
    )
    values = (
        math.log1p(size) / 4,
        len(complete) / size,
        math.log1p(outline.script_density * median(lengths)) / 8,
        sum(lengths) / total,
        linked / (linked + sum(lengths) + 1),
    )
    return dict(zip(_POST_NAMES, values, strict=True))


def _share_of_titles(table: RecordTable) -> float:
    """How many records have a long link of their own. Rows have one, posts do not."""
    # In a single record any link would be a column of links.
    found = find_title_column(table) if len(table.records) > 1 else None
    if found is None:
        return 0.0
    lengths = [table.outline.text_length(index) for index in found[1].values()]
    return len(lengths) / len(table.records) * min(1.0, table.outline.script_density * median(lengths) / 20)


def _has_sentence(analysis: PageAnalysis, table: RecordTable, number: int) -> bool:
    roots = table.records[number].roots
    return any(True for root in roots for _ in find_sentences(analysis.outline, root, set()))


def _share_of_rows(analysis: PageAnalysis, table: RecordTable) -> float:
    """The share of the records that are also rows of the main list."""
    place = find_main_list(analysis)
    if place is None:
        return 0.0
    rows = {record.start for record in analysis.row_lists[place].table.records}
    return sum(record.start in rows for record in table.records) / len(table.records)


def _list_features(analysis: PageAnalysis) -> dict[str, float]:
    """How much the rows of the main list look like threads or boards."""
    people = share_of_people(analysis, 0) if analysis.row_lists else 0.0
    place = find_main_list(analysis)
    if place is None:
        return dict.fromkeys(_LIST_NAMES, 0.0) | {"l_people": people}
    found, parsed = analysis.row_lists[place], analysis.parsed_row_lists[place]
    table, outline = found.table, analysis.outline
    size = len(table.records)
    lengths = [sum(outline.unlinked_length(root) for root in record.roots) for record in table.records]
    values = (
        math.log1p(found.score),
        math.log1p(size) / 4 * found.substance,
        sum(row.active is not None for row in parsed.rows) / size,
        math.log1p(outline.script_density * median(len(row.title) for row in parsed.rows)) / 5,
        math.log1p(outline.script_density * median(lengths)) / 8,
        sum(row.replies is not None for row in parsed.rows) / size,
        max(-1.0, min(1.0, parsed.boardness / _SURE_BOARDNESS)),
        sum(bool(row.page_urls) for row in parsed.rows) / size,
        people,
        sum(outline.text_length(root) for record in table.records for root in record.roots)
        / (outline.text_before[-1] or 1),
        float(found.aside),
        # Posts link themselves on the page that shows them.
        sum(row.url == absolute_url(outline.base, analysis.tree.url) for row in parsed.rows) / size,
        float(size == 1),
    )
    return dict(zip(_LIST_NAMES, values, strict=True))


def hint_features(analysis: PageAnalysis) -> dict[str, float]:
    """1 for each kind that a word of the URL or a schema.org type names, else 0."""
    named = kind_named_by_url(analysis.tree.url) or kind_named_by_url(_canonical_url(analysis))
    types = _schema_types(analysis)
    found = {f"u_{kind}": float(named == kind) for kind in ("thread", "index", "other")}
    found["s_thread"] = float(any(_THREAD_TYPES.search(name) for name in types))
    found["s_index"] = float(any(_INDEX_TYPES.search(name) for name in types))
    found["s_other"] = float(any(_OTHER_TYPES.search(name) for name in types))
    return found


def _canonical_url(analysis: PageAnalysis) -> str:
    """The URL that the page gives for itself. A saved page may have no other."""
    for element in analysis.tree.document.iter_elements("link"):
        if (element.attr("rel") or "").lower() == "canonical":
            return element.attr("href") or ""
    return ""


def _schema_types(analysis: PageAnalysis) -> set[str]:
    """The schema.org types on the page, from microdata attributes and from JSON-LD."""
    outline = analysis.outline
    found = {
        value.rpartition("/")[2] for i in range(len(outline)) if (value := outline.attribute(i, "itemtype"))
    }
    for script in analysis.tree.document.iter_elements("script"):
        if (script.attr("type") or "").lower() == "application/ld+json":
            found.update(_SCHEMA_TYPE.findall(script.text[:_MAX_JSON]))
    return found
