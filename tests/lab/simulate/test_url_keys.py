from hypothesis import given
from hypothesis import strategies as st

from threadmill.lab.simulate.url_keys import url_key


def test_what_does_not_matter_is_dropped() -> None:
    assert url_key("http://x:1/a%2Db.php?z=1;b=%31&sid=77#p5") == "/a-b.php?b=1&z=1"


@given(st.text(max_size=40))
def test_a_key_is_its_own_key(text: str) -> None:
    key = url_key("/" + text.replace("[", "").replace("]", "").lstrip("/"))
    assert url_key(key) == key
