"""Run by the Python that has django-machina: brings its database to the state told on standard input."""

# mypy: ignore-errors
# ruff: noqa: E402 -- Django's models can be imported only after its set-up
import json
import sys
from datetime import UTC, datetime

import django

django.setup()

from django.contrib.auth import get_user_model
from django.db import transaction
from machina.apps.forum.models import Forum
from machina.apps.forum_conversation.models import Post, Topic
from machina.apps.forum_permission.models import ForumPermission, UserForumPermission


def _moment(post):
    return datetime.fromisoformat(post["when"]).replace(tzinfo=UTC)


def _user(name):
    return get_user_model().objects.get_or_create(username=name, defaults={"email": f"{name}@x.example"})[0]


def _text(post):
    quote = f"> {post['quoted']} wrote: {post['quote']}\n\n" if post["quote"] else ""
    return quote + "\n\n".join(post["body"])


def _board(name, parent):
    found = Forum.objects.filter(name=name).first()
    return found or Forum.objects.create(name=name, parent=parent, type=Forum.FORUM_POST)


def _write(topic, post):
    answers = topic.posts.exists()
    subject = f"Re: {topic.subject}" if answers else topic.subject
    made = Post.objects.create(
        topic=topic, poster=_user(post["author"]), subject=subject, content=_text(post)
    )
    moment = _moment(post)
    Post.objects.filter(pk=made.pk).update(created=moment, updated=moment)


def _let_guests_read():
    for codename in ("can_see_forum", "can_read_forum"):
        permission = ForumPermission.objects.get(codename=codename)
        UserForumPermission.objects.get_or_create(permission=permission, anonymous_user=True, has_perm=True)


def _fill(world):
    _let_guests_read()
    category = Forum.objects.filter(name="Talk").first()
    category = category or Forum.objects.create(name="Talk", type=Forum.FORUM_CAT)
    boards = [_board(name, category) for name in world["boards"]]
    for thread in world["threads"]:
        posts = thread["posts"]
        topic = Topic.objects.filter(subject=thread["title"]).first() or Topic.objects.create(
            forum=boards[thread["board"]],
            subject=thread["title"],
            poster=_user(posts[0]["author"]),
            type=Topic.TOPIC_POST,
            status=Topic.TOPIC_UNLOCKED,
        )
        for post in posts[Post.objects.filter(topic=topic).count() :]:
            _write(topic, post)
        topic.refresh_from_db()
        topic.update_trackers()
        Topic.objects.filter(pk=topic.pk).update(created=_moment(posts[0]), updated=_moment(posts[-1]))
    for board in boards:
        board.refresh_from_db()
        board.update_trackers()


with transaction.atomic():
    _fill(json.load(sys.stdin))
