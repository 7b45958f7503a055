"""Jobs, runs, captures and the frontier."""

import sqlalchemy as sa
from alembic import op

from threadmill.store.schema import Identity, Instant

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the first tables."""
    _add_jobs()
    _add_captures()
    _add_frontier()


def _add_jobs() -> None:
    op.create_table(
        "job",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("created", Instant, nullable=False),
        sa.UniqueConstraint("kind", "url", "scope", name="uq_job_kind_url_scope"),
    )
    op.create_table(
        "run",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("job", Identity, sa.ForeignKey("job.id"), nullable=False),
        sa.Column("started", Instant, nullable=False),
        sa.Column("ended", Instant),
        sa.Column("exit_code", sa.Integer),
        sa.Column("counts", sa.JSON, nullable=False),
    )
    op.create_index("ix_run_job", "run", ["job"])


def _add_captures() -> None:
    op.create_table(
        "capture",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("job", Identity, sa.ForeignKey("job.id"), nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("content_type", sa.Text, nullable=False),
        sa.Column("depth", sa.Integer, nullable=False),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("offset", sa.BigInteger, nullable=False),
        sa.Column("length", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("etag", sa.Text),
        sa.Column("last_modified", sa.Text),
    )
    op.create_index("ix_capture_url_at", "capture", ["url", "at"])
    op.create_table(
        "unread_archive",
        sa.Column("job", Identity, sa.ForeignKey("job.id"), primary_key=True),
        sa.Column("file", sa.Text, primary_key=True),
    )
    op.create_index("ix_capture_file_offset", "capture", ["file", "offset"])


def _add_frontier() -> None:
    op.create_table(
        "frontier",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("key", sa.BigInteger, nullable=False),
        sa.Column("job", Identity, sa.ForeignKey("job.id"), nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("priority", sa.Float, nullable=False),
        sa.Column("depth", sa.SmallInteger, nullable=False),
        sa.Column("state", sa.SmallInteger, nullable=False),
        sa.Column("tries", sa.SmallInteger, nullable=False),
        sa.Column("due", sa.Double, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.UniqueConstraint("key", name="uq_frontier_key"),
    )
    for name, columns, state in (
        ("ix_frontier_queued", ["job", "host", "priority", "id"], 0),
        ("ix_frontier_leased", ["job"], 1),
        ("ix_frontier_waiting", ["job", "due"], 2),
        ("ix_frontier_beyond", ["job", "depth"], 6),
    ):
        only = sa.text(f"state = {state}")
        op.create_index(name, "frontier", columns, sqlite_where=only, postgresql_where=only)
