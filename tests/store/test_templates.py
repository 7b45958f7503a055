from datetime import UTC, datetime

from threadmill.store import open_store
from threadmill.store.templates import TemplateRow, list_templates, load_template, note_fit, save_template

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


def test_a_template_is_kept_per_site_and_replaced_when_learnt_anew(store_url: str) -> None:
    store = open_store(store_url)
    with store.writing() as connection:
        save_template(connection, TemplateRow("a.example", NOW, 10, b"\x00old"))
        save_template(connection, TemplateRow("b.example", NOW, 20, b"other"))
        save_template(connection, TemplateRow("a.example", NOW, 30, b"\x00new"))
        note_fit(connection, "a.example", 0.25)
    with store.reading() as connection:
        assert load_template(connection, "a.example") == TemplateRow("a.example", NOW, 30, b"\x00new", 0.25)
        assert load_template(connection, "c.example") is None
        assert [row.site for row in list_templates(connection)] == ["a.example", "b.example"]
    store.close()
