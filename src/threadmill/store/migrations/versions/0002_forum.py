"""Forums, boards, threads, posts and the pages that were read for them."""

import sqlalchemy as sa
from alembic import op

from threadmill.store.schema import Identity, Instant

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what a forum crawl remembers."""
    _add_forums()
    _add_threads()
    _add_posts()
    _add_readings()


def _add_forums() -> None:
    op.create_table(
        "forum",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("job", Identity, sa.ForeignKey("job.id"), nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.Column("model", sa.JSON, nullable=False),
        sa.Column("learnt", Instant, nullable=False),
        sa.UniqueConstraint("job", name="uq_forum_job"),
    )
    op.create_table(
        "board",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("forum", Identity, sa.ForeignKey("forum.id"), nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("parent", Identity, sa.ForeignKey("board.id")),
        sa.Column("said", sa.JSON, nullable=False),
        sa.Column("visited", Instant),
        sa.Column("due", sa.Text),
        sa.Column("page", sa.Integer, nullable=False),
        sa.UniqueConstraint("forum", "url", name="uq_board_forum_url"),
    )


def _add_threads() -> None:
    op.create_table(
        "thread",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("forum", Identity, sa.ForeignKey("forum.id"), nullable=False),
        sa.Column("board", Identity, sa.ForeignKey("board.id")),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("said", sa.JSON, nullable=False),
        sa.Column("posts", sa.Integer, nullable=False),
        sa.Column("pages", sa.Integer, nullable=False),
        sa.Column("last_page", sa.Text),
        sa.Column("visited", Instant),
        sa.Column("due", sa.Text),
        sa.Column("walk", sa.JSON, nullable=False),
        sa.Column("gone", sa.Boolean, nullable=False),
        sa.UniqueConstraint("forum", "key", name="uq_thread_forum_key"),
    )
    op.create_index("ix_thread_forum_due", "thread", ["forum", "due"])


def _add_posts() -> None:
    op.create_table(
        "post",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("thread", Identity, sa.ForeignKey("thread.id"), nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("wording", sa.Text, nullable=False),
        sa.Column("post_id", sa.Text),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("author", sa.Text),
        sa.Column("author_url", sa.Text),
        sa.Column("date", sa.Text),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("parent", sa.Text),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("html", sa.Text, nullable=False),
        sa.Column("apart", sa.JSON, nullable=False),
        sa.Column("first_seen", Instant, nullable=False),
        sa.Column("vanished", Instant),
    )
    for names in (["thread", "identity"], ["thread", "post_id"], ["thread", "position"], ["date"]):
        op.create_index(f"ix_post_{'_'.join(names)}", "post", names)
    op.create_table(
        "wording",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("post", Identity, sa.ForeignKey("post.id"), nullable=False),
        sa.Column("until", Instant, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("html", sa.Text, nullable=False),
    )
    op.create_index("ix_wording_post", "wording", ["post"])


def _add_readings() -> None:
    op.create_table(
        "reading",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("run", Identity, sa.ForeignKey("run.id"), nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("bytes", sa.Integer, nullable=False),
        sa.Column("items", sa.Integer, nullable=False),
        sa.Column("news", sa.Integer, nullable=False),
    )
    op.create_index("ix_reading_run", "reading", ["run"])
