"""Tasks of the duplicate-sites service: their sites and the pairs found."""

import sqlalchemy as sa
from alembic import op

from threadmill.store.schema import Instant

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the three tables of the service."""
    _make_task()
    _make_site()
    op.create_table(
        "compare_result",
        sa.Column("task_id", sa.Uuid, sa.ForeignKey("task.id"), primary_key=True),
        sa.Column("site1_id", sa.Uuid, sa.ForeignKey("site.id"), primary_key=True),
        sa.Column("site2_id", sa.Uuid, sa.ForeignKey("site.id"), primary_key=True),
        sa.Column("similarity", sa.Double, nullable=False),
        sa.Column("words", sa.Double),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("evidence", sa.JSON, nullable=False),
    )
    op.create_index("ix_compare_result_task_id_similarity", "compare_result", ["task_id", "similarity"])


def _make_task() -> None:
    op.create_table(
        "task",
        sa.Column("id", sa.Uuid, primary_key=True),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("done_at", Instant),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("use_archive_data", sa.Boolean, nullable=False),
        sa.Column("queued_at", Instant),
    )
    op.create_index("ix_task_done_at", "task", ["done_at"])


def _make_site() -> None:
    op.create_table(
        "site",
        sa.Column("id", sa.Uuid, primary_key=True),
        sa.Column("task_id", sa.Uuid, sa.ForeignKey("task.id"), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("root_url", sa.Text, nullable=False),
        sa.Column("alone", sa.Boolean, nullable=False),
        sa.Column("files_path", sa.Text, nullable=False),
        sa.Column("downloaded_at", Instant),
        sa.Column("preprocessed_at", Instant),
        sa.Column("extracted_at", Instant),
        sa.Column("vectorized_at", Instant),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("pages", sa.Integer, nullable=False),
        sa.UniqueConstraint("task_id", "position"),
    )
    op.create_index("ix_site_task_id_extracted_at", "site", ["task_id", "extracted_at"])
