"""The table of site templates: what was learnt of each site's framing, when, and how well it still fits."""

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
    Column("pages", Integer, nullable=False),  # learnt from
    Column("fit", Double, nullable=False),  # mean over the pages it was last applied to
    Column("data", LargeBinary, nullable=False),
)


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """A site's template as the store keeps it; the data are packed by threadmill.template."""

    site: str
    learnt: datetime
    pages: int
    data: bytes
    fit: float = 1.0


def save_template(connection: Connection, row: TemplateRow) -> None:
    """Write a site's template down in place of the one before."""
    connection.execute(template.delete().where(template.c.site == row.site))
    connection.execute(
        template.insert().values(
            site=row.site, learnt=row.learnt, pages=row.pages, fit=row.fit, data=row.data
        )
    )


def load_template(connection: Connection, site: str) -> TemplateRow | None:
    """The template of a site, if one was learnt."""
    found = connection.execute(select(template).where(template.c.site == site)).first()
    return TemplateRow(**found._mapping) if found else None


def list_templates(connection: Connection) -> list[TemplateRow]:
    """All templates by site."""
    rows = connection.execute(select(template).order_by(template.c.site))
    return [TemplateRow(**row._mapping) for row in rows]


def note_fit(connection: Connection, site: str, fit: float) -> None:
    """Remember how well a template fitted the pages it was last applied to."""
    connection.execute(template.update().where(template.c.site == site).values(fit=fit))
