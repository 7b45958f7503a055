import pytest

from threadmill.page.parse.author_names import account_name, author_names


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("Von Ada Berg und Bo Ek", ("Ada Berg", "Bo Ek")),
        ("Veröffentlicht von Ada Berg", ("Ada Berg",)),
        ("Christoph von Eichhorn", ("Christoph von Eichhorn",)),
        ("Interview: Ada Berg", ("Ada Berg",)),
        ("Juan Muñoz C.", ("Juan Muñoz C.",)),
        ("автор: Анна Берг", ("Анна Берг",)),
        ("Ada Berg Lund | Publicado hace 3 horas", ("Ada Berg Lund",)),
        ("12.05.2020 | Ada Berg", ("Ada Berg",)),
        ("3 reasons to stay | 5 min", ()),
    ],
)
def test_names_are_read_out_of_bylines(value: str, names: tuple[str, ...]) -> None:
    assert author_names(value) == names


def test_a_publisher_named_like_the_site_is_no_author() -> None:
    owners = frozenset({"eltiempo"})
    assert author_names("Casa Editorial El Tiempo", owners) == ()
    assert author_names("Ada Berg", owners) == ("Ada Berg",)


@pytest.mark.parametrize(
    ("value", "account"),
    [("by oz", "oz"), ("herr_rein", "herr_rein"), ("admin", ""), ("two words", ""), ("2024", "")],
)
def test_accounts_are_told_from_other_texts(value: str, account: str) -> None:
    assert account_name(value) == account
