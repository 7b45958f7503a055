"""Run by the Python that has Misago: brings its database to the state told on standard input."""

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
from misago.acl.cache import clear_acl_cache
from misago.categories.models import Category, RoleCategoryACL
from misago.threads.checksums import update_post_checksum
from misago.threads.models import Post, Thread
from misago.users.test import create_test_user


def _moment(post):
    return datetime.fromisoformat(post["when"]).replace(tzinfo=UTC)


def _user(name):
    found = get_user_model().objects.filter(username=name).first()
    return found or create_test_user(name, f"{name}@people.example", "secret-of-the-bench")


def _category(name):
    found = Category.objects.filter(name=name).first()
    if found is None:
        roles = list(RoleCategoryACL.objects.filter(category=Category.objects.get(slug="first-category")))
        found = Category(name=name)
        found.set_name(name)
        found.insert_at(Category.objects.root_category(), position="last-child", save=True)
        for role in roles:
            RoleCategoryACL.objects.create(
                category=found, role_id=role.role_id, category_role_id=role.category_role_id
            )
    return Category.objects.get(pk=found.pk)


def _html(post):
    quote = ""
    if post["quote"]:
        head = f'<div class="quote-heading">{html.escape(post["quoted"])} has written:</div>'
        words = f'<blockquote class="quote-body"><p>{html.escape(post["quote"])}</p></blockquote>'
        quote = f'<aside class="quote-block">{head}{words}</aside>'
    return quote + "".join(f"<p>{html.escape(part)}</p>" for part in post["body"])


def _thread(category, thread):
    found = Thread.objects.filter(title=thread["title"]).first()
    if found is None:
        when = _moment(thread["posts"][0])
        name = {"starter_name": "-", "starter_slug": "-", "last_poster_name": "-", "last_poster_slug": "-"}
        found = Thread(category=category, started_on=when, last_post_on=when, replies=0, **name)
        found.set_title(thread["title"])
        found.save()
    return found


def _fill(world):
    boards = [_category(name) for name in world["boards"]]
    for thread in world["threads"]:
        topic = _thread(boards[thread["board"]], thread)
        fresh = thread["posts"][Post.objects.filter(thread=topic).count() :]
        for post in fresh:
            user = _user(post["author"])
            made = Post.objects.create(
                category=topic.category,
                thread=topic,
                poster=user,
                poster_name=user.username,
                original="\n\n".join(post["body"]),
                parsed=_html(post),
                posted_on=_moment(post),
                updated_on=_moment(post),
            )
            update_post_checksum(made)
            made.save(update_fields=["checksum"])
        if fresh:
            topic.synchronize()
            topic.save()
    for board in boards:
        board.refresh_from_db()
        board.synchronize()
        board.save()


with transaction.atomic():
    _fill(json.load(sys.stdin))
clear_acl_cache()
