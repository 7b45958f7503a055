"""Run by the Python that has Spirit: brings its database to the state told on standard input."""

# mypy: ignore-errors
# ruff: noqa: E402 -- Django's models can be imported only after its set-up
import html
import json
import sys
from datetime import UTC, datetime

import django

django.setup()

from django.contrib.auth import get_user_model
from django.db import transaction
from spirit.category.models import Category
from spirit.comment.models import Comment
from spirit.topic.models import Topic


def _html(post):
    quote = ""
    if post["quote"]:
        quote = f"<blockquote><p>@{post['quoted']}</p><p>{html.escape(post['quote'])}</p></blockquote>"
    return quote + "".join(f"<p>{html.escape(part)}</p>" for part in post["body"])


def _user(name):
    return get_user_model().objects.get_or_create(username=name, defaults={"email": f"{name}@x.example"})[0]


def _moment(post):
    return datetime.fromisoformat(post["when"]).replace(tzinfo=UTC)


def _fill(world):
    boards = [Category.objects.get_or_create(title=title)[0] for title in world["boards"]]
    for number, thread in enumerate(world["threads"], 1):
        posts = thread["posts"]
        topic = Topic.objects.filter(pk=number).first() or Topic.objects.create(
            pk=number,
            user=_user(posts[0]["author"]),
            category=boards[thread["board"]],
            title=thread["title"],
            date=_moment(posts[0]),
        )
        for post in posts[Comment.objects.filter(topic=topic).count() :]:
            made = {"comment": "x", "comment_html": _html(post), "date": _moment(post)}
            Comment.objects.create(user=_user(post["author"]), topic=topic, **made)
        Topic.objects.filter(pk=number).update(comment_count=len(posts), last_active=_moment(posts[-1]))


with transaction.atomic():
    _fill(json.load(sys.stdin))
