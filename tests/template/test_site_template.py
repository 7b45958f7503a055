import json
import zlib
from dataclasses import replace

import numpy as np

from tests.template.sites import make_site
from threadmill.template import learn_template, pack_template, unpack_template

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
