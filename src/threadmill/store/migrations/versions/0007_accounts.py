"""Accounts of forum crawls, and the run that last read a board: runs are compared by number, not by time."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of accounts, and the new column of boards."""
    op.create_table(
        "account",
        sa.Column("run", sa.BigInteger, sa.ForeignKey("run.id"), primary_key=True, autoincrement=False),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("kept", sa.BigInteger, nullable=False),
        sa.Column("claimed", sa.BigInteger),
        sa.Column("account", sa.JSON, nullable=False),
    )
    op.add_column("board", sa.Column("visited_run", sa.BigInteger))
