"""Run by the Python that has Mezzanine: articles, and comments below them, as told on standard input."""

# mypy: ignore-errors
# ruff: noqa: E402 -- Django's models can be imported only after its set-up
import html
import json
import sys
from datetime import UTC, datetime

import django

django.setup()

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.contrib.sites.models import Site
from django.db import transaction
from mezzanine.blog.models import BlogCategory, BlogPost
from mezzanine.generic.models import ThreadedComment


def _moment(post):
    return datetime.fromisoformat(post["when"]).replace(tzinfo=UTC)


def _site():
    return Site.objects.get_or_create(pk=1)[0]


def _article(number, thread, categories):
    first = thread["posts"][0]
    made = BlogPost.objects.filter(pk=number).first()
    if made is None:
        user = get_user_model().objects.get_or_create(username=first["author"])[0]
        text = "".join(f"<p>{html.escape(part)}</p>" for part in first["body"])
        values = {"title": thread["title"], "content": text, "user": user, "publish_date": _moment(first)}
        made = BlogPost.objects.create(pk=number, status=2, allow_comments=True, site=_site(), **values)
        made.categories.add(categories[thread["board"]])
    return made


def _comment(article, post, known):
    quote = f"{post['quoted']} wrote: {post['quote']}\n\n" if post["quote"] else ""
    made = ThreadedComment.objects.create(
        content_type=ContentType.objects.get_for_model(BlogPost),
        object_pk=str(article.pk),
        site=_site(),
        user_name=post["author"],
        user_email=f"{post['author']}@people.example",
        comment=quote + "\n\n".join(post["body"]),
        submit_date=_moment(post),
        replied_to=known.get(post["parent"]),
        is_public=True,
    )
    known[post["number"]] = made


def _fill(world):
    categories = [BlogCategory.objects.get_or_create(title=title)[0] for title in world["boards"]]
    for number, thread in enumerate(world["threads"], 1):
        article = _article(number, thread, categories)
        there = list(ThreadedComment.objects.filter(object_pk=str(article.pk)).order_by("pk"))
        posts = thread["posts"][1:]
        known = {post["number"]: made for post, made in zip(posts, there, strict=False)}
        for post in posts[len(there) :]:
            _comment(article, post, known)
        BlogPost.objects.filter(pk=number).update(comments_count=len(posts))


with transaction.atomic():
    _fill(json.load(sys.stdin))
