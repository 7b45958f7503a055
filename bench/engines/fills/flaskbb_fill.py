"""Run by the Python that has FlaskBB: brings its database to the state told on standard input."""

# mypy: ignore-errors
# ruff: noqa: I001 -- the application patches what the other imports need
from flaskbb_site import app

import json
import sys
from datetime import UTC, datetime

from flaskbb.extensions import db
from flaskbb.forum.models import Category, Forum, Post, Topic
from flaskbb.user.models import Group, User
from flaskbb.utils.populate import create_default_groups, create_default_settings


def _moment(post):
    return datetime.fromisoformat(post["when"]).replace(tzinfo=UTC)


def _add(row):
    db.session.add(row)
    db.session.flush()
    return row


def _user(name):
    found = User.query.filter_by(username=name).first()
    if found is not None:
        return found
    group = Group.get_member_group().id
    mail = f"{name}@x.example"
    words = {"username": name, "email": mail, "password": "bench"}
    return _add(User(**words, primary_group_id=group, activated=True))


def _text(post):
    quote = f"> {post['quoted']} wrote: {post['quote']}\n\n" if post["quote"] else ""
    return quote + "\n\n".join(post["body"])


def _write(topic, post):
    made = _add(Post(content=_text(post), user=_writer(post), topic=topic))
    made.date_created = _moment(post)
    return made


def _writer(post):
    user = _user(post["author"])
    user.post_count = (user.post_count or 0) + 1
    return user


def _boards(world):
    if not Category.query.count():
        create_default_groups()
        create_default_settings()
        category = _add(Category(title="Talk"))
        for place, name in enumerate(world["boards"], 1):
            groups = Group.query.all()
            about = {"title": name, "description": f"About {name.lower()}"}
            _add(Forum(**about, category_id=category.id, position=place, groups=groups))
    return [Forum.query.filter_by(title=name).first() for name in world["boards"]]


def _thread(board, thread):
    posts = thread["posts"]
    topic = Topic.query.filter_by(title=thread["title"]).first()
    if topic is None:
        user = _user(posts[0]["author"])
        topic = Topic(title=thread["title"], user=user)
        topic.forum_id, topic.username, topic.date_created = board.id, user.username, _moment(posts[0])
        _add(topic)
    for post in posts[Post.query.filter_by(topic_id=topic.id).count() :]:
        topic.last_post = _write(topic, post)
        topic.first_post = topic.first_post or topic.last_post
    topic.post_count, topic.last_updated = len(posts), _moment(posts[-1])


def _fill(world):
    db.create_all()
    boards = _boards(world)
    for thread in world["threads"]:
        _thread(boards[thread["board"]], thread)
    db.session.commit()
    for board in boards:
        board.recalculate(last_post=True)


with app.test_request_context("/"):
    _fill(json.load(sys.stdin))
