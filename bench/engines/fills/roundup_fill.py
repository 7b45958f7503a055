"""Run by the Python that has Roundup: brings its tracker to the state told on standard input."""

# mypy: ignore-errors
import json
import sys

from roundup import date, instance

DATABASE = instance.open("tracker").open("admin")


def _user(name):
    try:
        return DATABASE.user.lookup(name)
    except KeyError:
        return DATABASE.user.create(username=name, address=f"{name}@people.example", roles="User")


def _text(post):
    parts = list(post["body"])
    if post["quote"]:
        parts.insert(0, f"{post['quoted']} wrote:\n> {post['quote']}")
    return "\n\n".join(parts)


def _moment(post):
    return date.Date(post["when"].replace("T", "."))


def _fill(world):
    for number, thread in enumerate(world["threads"], 1):
        posts = thread["posts"]
        if DATABASE.hasnode("issue", str(number)):
            issue = str(number)
        else:
            issue = DATABASE.issue.create(title=thread["title"], messages=[])
        had = DATABASE.issue.get(issue, "messages")
        new = [
            DATABASE.msg.create(author=_user(post["author"]), date=_moment(post), content=_text(post))
            for post in posts[len(had) :]
        ]
        if not new:
            continue
        DATABASE.issue.set(issue, messages=[*had, *new])
        DATABASE.commit()
        first, last = posts[0], posts[-1]
        DATABASE.sql(
            "update _issue set _creation=?, _creator=?, _activity=?, _actor=? where id=?",
            (
                _moment(first).serialise(),
                _user(first["author"]),
                _moment(last).serialise(),
                _user(last["author"]),
                issue,
            ),
        )
        DATABASE.commit()


_fill(json.load(sys.stdin))
DATABASE.close()
