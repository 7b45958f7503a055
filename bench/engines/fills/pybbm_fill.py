"""Run by the Python that has pybbm: brings its database to the state told on standard input."""

# mypy: ignore-errors
# ruff: noqa: E402 -- Django's models can be imported only after its set-up
import json
import sys
from datetime import UTC, datetime

import django

django.setup()

from django.contrib.auth import get_user_model
from django.db import transaction
from pybb.models import Category, Forum, Post, Topic


def _moment(post):
    return datetime.fromisoformat(post["when"]).replace(tzinfo=UTC)


def _user(name):
    return get_user_model().objects.get_or_create(username=name, defaults={"email": f"{name}@x.example"})[0]


def _text(post):
    quote = f'[quote="{post["quoted"]}"]{post["quote"]}[/quote]\n' if post["quote"] else ""
    return quote + "\n\n".join(post["body"])


def _write(topic, post):
    made = Post(topic=topic, user=_user(post["author"]), body=_text(post), user_ip="127.0.0.1")
    made.created = _moment(post)
    made.save()
    Post.objects.filter(pk=made.pk).update(created=_moment(post))


def _fill(world):
    category = Category.objects.get_or_create(pk=1, defaults={"name": "Talk"})[0]
    boards = [Forum.objects.get_or_create(name=name, category=category)[0] for name in world["boards"]]
    for thread in world["threads"]:
        posts = thread["posts"]
        topic = Topic.objects.filter(name=thread["title"]).first() or Topic.objects.create(
            forum=boards[thread["board"]],
            name=thread["title"],
            user=_user(posts[0]["author"]),
            created=_moment(posts[0]),
        )
        for post in posts[Post.objects.filter(topic=topic).count() :]:
            _write(topic, post)
        topic.update_counters()
        Topic.objects.filter(pk=topic.pk).update(created=_moment(posts[0]), updated=_moment(posts[-1]))
    for board in boards:
        board.update_counters()
        last = Topic.objects.filter(forum=board).order_by("-updated").first()
        Forum.objects.filter(pk=board.pk).update(updated=last and last.updated)


with transaction.atomic():
    _fill(json.load(sys.stdin))
