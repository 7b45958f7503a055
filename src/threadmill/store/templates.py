"""The table of site templates: the learnt framing of each site, and how well it still fits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, Connection, Double, Integer, LargeBinary, Table, Text, select

from threadmill.store.schema import Instant, metadata

template = Table(
    "template",
    metadata,
    Column("site", Text, primary_key=True),
    Column("learnt", Instant, nullable=False),
    Column("pages", Integer, nullable=False),  # number of pages it was learnt from
    Column("fit", Double, nullable=False),  # mean fit over the pages it was last applied to
    Column("data", LargeBinary, nullable=False),
)


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """A stored template. threadmill.template packs and unpacks `data`."""

    site: str
    learnt: datetime
    pages: int
    data: bytes
    fit: float = 1.0


def save_template(connection: Connection, row: TemplateRow) -> None:
    """Store the template of a site in place of an earlier one."""
    connection.execute(template.delete().where(template.c.site == row.site))
    connection.execute(
        template.insert().values(
            site=row.site, learnt=row.learnt, pages=row.pages, fit=row.fit, data=row.data
        )
    )


def load_template(connection: Connection, site: str) -> TemplateRow | None:
    """Return the template of a site, or None."""
    found = connection.execute(select(template).where(template.c.site == site)).first()
    return TemplateRow(**found._mapping) if found else None


def list_templates(connection: Connection) -> list[TemplateRow]:
    """Return all templates, sorted by site."""
    rows = connection.execute(select(template).order_by(template.c.site))
    return [TemplateRow(**row._mapping) for row in rows]


def note_fit(connection: Connection, site: str, fit: float) -> None:
    """Store how well a template fitted the pages it was last applied to."""
    connection.execute(template.update().where(template.c.site == site).values(fit=fit))
