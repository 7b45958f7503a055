"""What the console reads: posts per forum and day, and indexes for lists of threads."""

import sqlalchemy as sa
from alembic import op

from threadmill.store.schema import Identity

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of counts, and the indexes."""
    op.create_table(
        "post_count",
        sa.Column("forum", Identity, sa.ForeignKey("forum.id"), primary_key=True),
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("posts", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "post_count_mark",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("post", sa.BigInteger, nullable=False),
    )
    for column in ("id", "posts", "title"):
        op.create_index(f"ix_thread_board_{column}", "thread", ["board", column])
