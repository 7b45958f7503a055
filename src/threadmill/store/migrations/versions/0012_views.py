"""Views for people who ask the database themselves: posts, post_versions, threads, boards.

Their names and columns are documented in docs/data.md and stay. A later migration that makes one of these
tables again must drop the views first.
"""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_VIEWS = {
    "posts": """
        SELECT post.id, forum.entry AS forum_url, board.title AS board, board.url AS board_url,
               thread.title AS thread, thread.url AS thread_url, post.post_id, post.url, post.author,
               post.author_url, post.date, post.position, post.parent, post.text, post.html,
               post.first_seen, post.vanished
        FROM post
        JOIN thread ON thread.id = post.thread
        JOIN forum ON forum.id = thread.forum
        LEFT JOIN board ON board.id = thread.board""",
    "post_versions": """
        SELECT wording.id, wording.post AS post_id, post.url, post.author, wording.until, wording.text,
               wording.html
        FROM wording
        JOIN post ON post.id = wording.post""",
    "threads": """
        SELECT thread.id, forum.entry AS forum_url, board.title AS board, board.url AS board_url,
               thread.title, thread.url, thread.pages, thread.visited, thread.gone,
               (SELECT COUNT(*) FROM post WHERE post.thread = thread.id) AS posts,
               (SELECT MIN(post.date) FROM post WHERE post.thread = thread.id) AS first_post,
               (SELECT MAX(post.date) FROM post WHERE post.thread = thread.id) AS last_post
        FROM thread
        JOIN forum ON forum.id = thread.forum
        LEFT JOIN board ON board.id = thread.board""",
    "boards": """
        SELECT board.id, forum.entry AS forum_url, board.title, board.url, above.url AS parent_url,
               board.visited, (SELECT COUNT(*) FROM thread WHERE thread.board = board.id) AS threads
        FROM board
        JOIN forum ON forum.id = board.forum
        LEFT JOIN board AS above ON above.id = board.parent""",
}


def upgrade() -> None:
    """Make the views."""
    for name, query in _VIEWS.items():
        op.execute(f"CREATE VIEW {name} AS {query}")
