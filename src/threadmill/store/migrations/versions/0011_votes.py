"""Comparing extractions: sets of pages, and votes."""

import sqlalchemy as sa
from alembic import op

from threadmill.store.schema import Identity, Instant

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the two tables."""
    op.create_table(
        "vote_set",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("readings", sa.JSON, nullable=False),
        sa.Column("pages", sa.JSON, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("created", Instant, nullable=False),
    )
    op.create_table(
        "vote",
        sa.Column("vote_set", Identity, sa.ForeignKey("vote_set.id"), primary_key=True),
        sa.Column("page", sa.Integer, primary_key=True),
        sa.Column("who", sa.Text, primary_key=True),
        sa.Column("choice", sa.Text, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("at", Instant, nullable=False),
    )
