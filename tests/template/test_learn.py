import json
import zlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import turbohtml

from tests.template.sites import MadePage, make_page, make_site
from threadmill.template import (
    FramingMethod,
    TemplateFit,
    TemplateSettings,
    find_framing,
    framing_blocks,
    learn_template,
    pack_template,
    remove_framing,
    unpack_template,
)
from threadmill.template.apply.page_framing import nearest_cluster
from threadmill.template.clusters.fragments import chains_of
from threadmill.template.places.text_outline import hash_wording

TEMPLATE = learn_template([page.html for page in make_site(30)])


def test_packing_and_unpacking_gives_the_same_template() -> None:
    again = unpack_template(pack_template(TEMPLATE))
    assert again is not None
    assert (again.pages, again.chain_length, again.typical) == (
        TEMPLATE.pages,
        TEMPLATE.chain_length,
        TEMPLATE.typical,
    )
    assert again.framing == TEMPLATE.framing
    for one, other in zip(again.clusters, TEMPLATE.clusters, strict=True):
        assert (one.pages, one.least) == (other.pages, other.least)
        assert np.array_equal(one.chains.names, other.chains.names)
        assert np.array_equal(one.chains.lengths, other.chains.lengths)


def test_equal_templates_are_equal_bytes() -> None:
    assert pack_template(TEMPLATE) == pack_template(replace(TEMPLATE))


def test_a_template_of_another_version_is_not_unpacked() -> None:
    value = json.loads(zlib.decompress(pack_template(TEMPLATE)))
    value["format"] += 1
    assert unpack_template(zlib.compress(json.dumps(value).encode())) is None


def pages_of(pages: list[MadePage]) -> list[bytes]:
    return [page.html for page in pages]


def page_of_story(story: int, teasers: int) -> bytes:
    own = "".join(
        f"<p>The tide of story {story} was late at pier {i}, and nobody knew why.</p>" for i in range(4)
    )
    other = "".join(f"<p>Teaser {i} of another story.</p>" for i in range(teasers))
    return f"<title>Story {story}</title><div class=a>{own}</div><div class=b{story}>{other}</div>".encode()


def test_text_that_several_stories_have_is_repeated() -> None:
    repeated = {
        pages: learn_template([page_of_story(number, 1 if number < pages else 0) for number in range(12)])
        for pages in (2, 3)
    }
    teaser = hash_wording("Teaser 0 of another story.")
    assert [teaser in template.framing.repeated for template in repeated.values()] == [False, True]


def test_a_story_on_two_pages_is_not_repeated_by_itself() -> None:
    template = learn_template([page_of_story(max(number, 1), 0) for number in range(12)])
    assert hash_wording("The tide of story 1 was late at pier 0, and nobody knew why.") not in (
        template.framing.repeated
    )


def test_an_empty_site_has_no_framing() -> None:
    template = learn_template([])
    assert template.clusters == ()
    assert find_framing(template, b"<p>x</p>").spans == ()


@pytest.mark.parametrize(
    "html", [b"", b"\x00" * 50, b"<" * 1000, b"<div>" * 3000, b"plain", "ж".encode("utf-16")]
)
def test_no_page_is_too_odd(html: bytes) -> None:
    template = learn_template([html] * 5 + pages_of(make_site(10)))
    for method in FramingMethod:
        assert remove_framing(template, html, method) is not None


def test_a_repeated_disclaimer_among_paragraphs_is_content() -> None:
    disclaimer = "<p>This is no advice of any kind and nobody is liable.</p>"
    pages = [make_page(number, extra=disclaimer if number % 2 else "").html for number in range(40)]
    template = learn_template(pages)
    assert b"no advice of any kind" in remove_framing(template, pages[1])
    assert b"All rights reserved" not in remove_framing(template, pages[1])


def test_a_quoted_post_is_content() -> None:
    quote = "<blockquote>garden winter morning engine paper silver bridge forest island</blockquote>"
    pages = [make_page(number, extra=quote if number % 3 == 0 else "").html for number in range(40)]
    assert b"<blockquote>garden" in remove_framing(learn_template(pages), pages[0])


def test_new_text_in_a_known_place_is_kept() -> None:
    template = learn_template(pages_of(make_site(30)))
    strange = " ".join(f"unheard{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(60))
    html = make_page(900).html.replace(b"All rights reserved.", strange.encode())
    assert b"unheardaa" in remove_framing(template, html)


def test_a_large_site_is_learnt_from_a_sample_and_read_lazily() -> None:
    class Lazy(Sequence[bytes]):
        def __len__(self) -> int:
            return 300

        def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
            if index >= 300:
                raise IndexError
            return make_page(index, layout="one" if index % 2 else "two").html

    template = learn_template(Lazy(), TemplateSettings(sample=60, outlines=60))
    assert sum(known.pages for known in template.clusters) == 300
    kinds = [nearest_cluster(template, chains_of(Lazy()[number], 6)) for number in (1, 201, 2, 202)]
    assert None not in kinds
    rest = remove_framing(template, make_page(999, layout="two").html)
    assert b"The site of two" not in rest


def test_a_template_survives_packing() -> None:
    template = learn_template(pages_of(make_site(20)))
    again = unpack_template(pack_template(template))
    assert again is not None
    assert again.framing == template.framing
    html = make_page(800).html
    for method in FramingMethod:
        assert find_framing(again, html, method) == find_framing(template, html, method)


def test_a_template_of_another_version_is_learnt_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pack_template(learn_template(pages_of(make_site(8))))
    monkeypatch.setattr("threadmill.template.learn.FORMAT", 99)
    assert unpack_template(packed) is None


def test_fit_falls_when_the_site_changes_and_only_then() -> None:
    template = learn_template(pages_of(make_site(30)))
    fit = TemplateFit()
    for page in make_site(30, first=600):
        fit.note(find_framing(template, page.html).fit)
    assert not fit.fallen
    for number in range(30):
        html = make_page(number).html
        fit.note(
            find_framing(
                template, b"<html><body><main><p>" + html[-400:-300] + b"</p></main></body></html>"
            ).fit
        )
    assert fit.fallen


def test_blocks_of_a_page_are_told_apart_for_the_classifier() -> None:
    template = learn_template(pages_of(make_site(30)))
    page = make_page(850)
    document = turbohtml.parse(page.html.decode())
    is_framing = framing_blocks(template, document)
    assert not any(is_framing(text, "html.body.div.p") for text in page.content)
    from threadmill.page.blocks.cutting import cut

    verdicts = {block.text: is_framing(block.text, block.path) for block in cut(document).blocks}
    assert [text for text, flag in verdicts.items() if not flag] == [page.title, *page.content]


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1251", "utf-16", "gb18030"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_framing_is_found_at_the_right_bytes_in_any_encoding(encoding: str, newline: str) -> None:
    def page(number: int) -> bytes:
        text = make_page(number).html.decode().replace("Home", "Домой").replace("\n", newline)
        text = text.replace("<head>", f'<head>{newline}<meta charset="{encoding}">').replace(
            "<h2>", "<h2>Жук "
        )
        return text.encode(encoding)

    template = learn_template([page(number) for number in range(20)])
    rest = remove_framing(template, page(55)).decode(encoding)
    assert "Домой" not in rest
    assert f"<h2>Жук {make_page(55).title}</h2>" in rest
    assert rest.count("<div") == 2  # one of them in a script
    assert rest.rstrip().endswith("</div></body></html>")
