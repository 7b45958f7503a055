"""Run by the Python that has Askbot: brings its database to the state told on standard input.

What answers the question is an answer. What answers an answer is a comment below it.
"""

# mypy: ignore-errors
# ruff: noqa: E402 -- Django's models can be imported only after its set-up
import json
import sys
from datetime import UTC, datetime

import django

django.setup()

from askbot.conf import settings
from askbot.models import Post, User
from django.db import transaction


def _moment(post):
    return datetime.fromisoformat(post["when"]).replace(tzinfo=UTC)


def _user(name):
    user, is_new = User.objects.get_or_create(username=name, defaults={"email": f"{name}@x.example"})
    if is_new:
        user.askbot_profile.reputation = 10000
        user.askbot_profile.save()
        user = User.objects.get(pk=user.pk)
    return user


def _text(post, *, quotes=True):
    quote = f"> {post['quoted']} wrote: {post['quote']}\n\n" if quotes and post["quote"] else ""
    return quote + "\n\n".join(post["body"])


def _answer_of(thread, post):
    """The number of the answer below which a post stands. Its own if it is an answer."""
    parents = {one["number"]: one["parent"] for one in thread["posts"]}
    number = post["number"]
    while parents[number] != thread["posts"][0]["number"]:
        number = parents[number]
    return number


def _write(thread, tag, post, made):
    words = {"body_text": _text(post), "timestamp": _moment(post)}
    user = _user(post["author"])
    if not post["parent"]:
        return user.post_question(title=thread["title"], tags=tag, **words)
    answer = _answer_of(thread, post)
    if answer == post["number"]:
        return user.post_answer(question=made[thread["posts"][0]["number"]], **words)
    words["body_text"] = _text(post, quotes=False)  # comments have no form for quotations
    return user.post_comment(parent_post=made[answer], **words)


def _fill(world):
    settings.update("MIN_REP_TO_ANSWER_OWN_QUESTION", 0)
    settings.update("MIN_DAYS_TO_ANSWER_OWN_QUESTION", 0)
    settings.update("LIMIT_ONE_ANSWER_PER_USER", False)
    settings.update("MAX_COMMENTS_TO_SHOW", 100)
    tags = [name.lower().split()[0] for name in world["boards"]]
    for thread in world["threads"]:
        made = {}
        for post in thread["posts"]:
            mark = f"note{post['number']}."
            found = Post.objects.filter(text__endswith=mark).first()
            made[post["number"]] = found or _write(thread, tags[thread["board"]], post, made)


with transaction.atomic():
    _fill(json.load(sys.stdin))
