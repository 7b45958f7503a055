"""Run by the Python that has Trac: brings its environment to the state told on standard input."""

# mypy: ignore-errors
import json
import sys
from datetime import UTC, datetime

from trac.env import Environment
from trac.ticket.model import Component, Ticket

ENVIRONMENT = Environment("env")


def _text(post):
    parts = list(post["body"])
    if post["quote"]:
        parts.insert(0, f"Replying to {post['quoted']}:\n> {post['quote']}")
    return "\n\n".join(parts)


def _moment(post):
    return datetime.fromisoformat(post["when"]).replace(tzinfo=UTC)


def _fill(world):
    have = {component.name for component in Component.select(ENVIRONMENT)}
    for title in world["boards"]:
        if title not in have:
            component = Component(ENVIRONMENT)
            component.name = title
            component.insert()
    count = int(ENVIRONMENT.db_query("SELECT count(*) FROM ticket")[0][0])
    for number, thread in enumerate(world["threads"], 1):
        posts = thread["posts"]
        if number > count:
            ticket = Ticket(ENVIRONMENT)
            ticket.populate(
                {
                    "summary": thread["title"],
                    "reporter": posts[0]["author"],
                    "description": _text(posts[0]),
                    "component": world["boards"][thread["board"]],
                    "type": "defect",
                    "priority": "major",
                    "status": "new",
                }
            )
            ticket.insert(when=_moment(posts[0]))
        rows = ENVIRONMENT.db_query(
            "SELECT count(*) FROM ticket_change WHERE ticket=%s and field='comment'", (number,)
        )
        for post in posts[1 + int(rows[0][0]) :]:
            ticket = Ticket(ENVIRONMENT, number)
            ticket.save_changes(author=post["author"], comment=_text(post), when=_moment(post))


_fill(json.load(sys.stdin))
