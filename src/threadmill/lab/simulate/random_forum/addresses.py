"""The URLs of a random forum: templates for every kind of page by its URL style, and codes for ids."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass

from threadmill.lab.simulate.content.seeded_random import pick_one
from threadmill.lab.simulate.random_forum.choices import ForumChoices
from threadmill.lab.simulate.random_forum.url_template import UrlTemplate

_FACTOR, _MODULUS = 2654435761, 1 << 32  # Knuth's multiplier: neighbours get hashes that are far apart
_INVERSE = pow(_FACTOR, -1, _MODULUS)

Pick = Callable[..., str]


@dataclass(frozen=True, slots=True)
class ForumAddresses:
    """The templates of one forum, in the order in which a URL is compared with them."""

    home: str
    listing: UrlTemplate  # further pages of the list of all threads
    board: UrlTemplate
    thread: UrlTemplate
    post: UrlTemplate
    profile: UrlTemplate
    other: UrlTemplate  # with a number
    bare: UrlTemplate  # without one
    link_styles: tuple[str, ...] = ("path", "full")


def make_addresses(choices: ForumChoices, seed: int | str) -> ForumAddresses:
    """Make the templates of a forum. Words and separators are drawn by the seed too."""
    folder = "" if choices.mount == "root" else "/" + pick_one(_FOLDERS, "folder", seed)

    def pick(name: str, *options: str) -> str:
        return pick_one(options, "url", seed, name)

    made = _STYLES[choices.urls](choices, folder, pick)
    for template in (made.board, made.thread, made.post, made.other):
        template.set_ids(_ID_PATTERNS[choices.ids])
    made.post.set_ids(_ID_PATTERNS["number" if choices.ids == "slug" else choices.ids])
    return made


_ID_PATTERNS = {
    "number": r"\d{1,15}",
    "hash": "[0-9a-f]{8}",
    "base64": "[A-Za-z0-9_]+?",
    "slug": r"[^/?&;,=]+?",
}
_FOLDERS = ("forum", "community", "bb", "board", "talk", "lists")


def _position(choices: ForumChoices, pick: Pick, page: str, offset: str, cursor: str) -> str:
    """Pick how a page is told: alternatives are divided by |."""
    text = {"offset": offset, "cursor": cursor}.get(choices.paging, page)
    return pick("position", *text.split("|"))


def _nouns(pick: Pick) -> tuple[str, str, str, str]:
    board = pick("board", "forum", "board", "f", "c", "category", "section", "tag")
    thread = pick("thread", "thread", "topic", "t", "discussion", "d", "story", "showthread", "talk")
    post = pick("post", "post", "p", "comment", "message", "reply")
    user = pick("user", "user", "member", "u", "profile", "people", "author")
    return board, thread, post, user


def _path(choices: ForumChoices, folder: str, pick: Pick) -> ForumAddresses:
    board, thread, post, user = _nouns(pick)
    position = _position(
        choices,
        pick,
        "?page={n}|/page/{n}|/page-{n}|?p={n}",
        "?start={n}|?offset={n}",
        "?start={n}|?cursor={n}|?after={n}",
    )
    tail = "" if position.startswith("?") else "/"
    name = (
        pick("slugged", "{id}-{slug}", "{slug}.{id}", "{id}/{slug}", "{slug}-{id}")
        if choices.slugs == "yes"
        else "{id}"
    )
    if choices.ids == "slug" and pick("flat", "yes", "no") == "yes":
        thread, board = f"{thread}s", f"{board}s"
    return ForumAddresses(
        home=f"{folder}/",
        listing=UrlTemplate(f"{folder}{{pos}}" if tail else f"{folder}/{{pos}}", position),
        board=UrlTemplate(f"{folder}/{board}/{name}{{pos}}{tail}", position),
        thread=UrlTemplate(
            f"{folder}/{thread}/{name}{{pos}}{tail}", position, last="/latest" if tail else "?goto=latest"
        ),
        post=UrlTemplate(f"{folder}/{post}s/{{id}}"),
        profile=UrlTemplate(f"{folder}/{user}/{{id}}"),
        other=UrlTemplate(f"{folder}/{{word}}/{{id}}"),
        bare=UrlTemplate(f"{folder}/{{word}}"),
    )


def _path_html(choices: ForumChoices, folder: str, pick: Pick) -> ForumAddresses:
    position = _position(choices, pick, "-{n}|-page{n}|-{n}-1", "-s{n}", "-from-{n}")
    first = "1" if position == "-{n}-1" else ""
    name = "{slug}-" if choices.slugs == "yes" else ""
    dashes = name and pick("dash", "", "-")
    board, thread = pick("nouns", "f t", "forum thread", "b m", "board topic", "cat story").split()
    if not name:
        dashes = pick("dash", "-", "")
    thread = f"{name}{thread}{dashes}"
    if choices.shape == "message":
        thread = pick("message", "msg", "{dir}/", "{dir}/msg", "")
    return ForumAddresses(
        home=f"{folder}/" + pick("home", "", "index.html"),
        listing=UrlTemplate(f"{folder}/index{{pos}}.html", position),
        board=UrlTemplate(f"{folder}/{name}{board}{dashes}{{id}}{{pos}}.html", position, first=first),
        thread=UrlTemplate(f"{folder}/{thread}{{id}}{{pos}}.html", position, first=first, last="-last"),
        post=UrlTemplate(f"{folder}/post{{id}}.html"),
        profile=UrlTemplate(f"{folder}/user-{{id}}.html"),
        other=UrlTemplate(f"{folder}/{{word}}-{{id}}.html"),
        bare=UrlTemplate(f"{folder}/{{word}}.html"),
        link_styles=("path", "full", "bare"),
    )


def _nested_path(choices: ForumChoices, folder: str, pick: Pick) -> ForumAddresses:
    position = _position(choices, pick, "?page={n}|/page/{n}", "?start={n}|/{n}", "?before={n}")
    board = pick("outer", "/boards", "/forum", "/c", "/viewforum")
    inner = pick("inner", "/topics", "/t", "/thread")
    if choices.ids == "slug" and pick("slug only", "yes", "no") == "yes":
        board = inner = ""
        position = "?start={n}" if position == "/{n}" else position  # "/general/8" would be a thread, too
    name = "{id}-{slug}" if choices.slugs == "yes" else "{id}"
    return ForumAddresses(
        home=f"{folder}/",
        listing=UrlTemplate(f"{folder}/all{{pos}}", position),
        board=UrlTemplate(f"{folder}{board}/{{id}}{{pos}}", position),
        thread=UrlTemplate(
            f"{folder}{board}/{{board}}{inner}/{name}{{pos}}",
            position,
            last="?goto=last" if position[0] == "?" else "/last",
        ),
        post=UrlTemplate(f"{folder}/msg/{{id}}"),
        profile=UrlTemplate(f"{folder}/users/{{id}}"),
        other=UrlTemplate(f"{folder}/{{word}}/{{id}}"),
        bare=UrlTemplate(f"{folder}/{{word}}"),
    )


def _query(choices: ForumChoices, folder: str, pick: Pick) -> ForumAddresses:
    position = _position(choices, pick, "&page={n}|&p={n}", "&start={n}|&st={n}", "&from={n}|&after={n}")
    ending = pick("ending", ".php", ".asp", ".cgi", ".jsp", "")
    board = pick("script of boards", "viewforum", "forumdisplay", "list", "forum", "board")
    thread = pick("script of threads", "viewtopic", "showthread", "read", "topic", "msg")
    number = pick("number of threads", "t", "tid", "id", "topic", "threadid")
    forum = pick("number of boards", "f", "fid", "id", "forum", "board")
    inside = pick("board in threads", "", "", "in={board}&")
    return ForumAddresses(
        home=f"{folder}/" + pick("home", "", f"index{ending}"),
        listing=UrlTemplate(f"{folder}/latest{ending}?list=all{{pos}}", position, parameters=True),
        board=UrlTemplate(f"{folder}/{board}{ending}?{forum}={{id}}{{pos}}", position, parameters=True),
        thread=UrlTemplate(
            f"{folder}/{thread}{ending}?{inside}{number}={{id}}{{pos}}",
            position,
            parameters=True,
            last="&goto=lastpost",
        ),
        post=UrlTemplate(f"{folder}/{thread}{ending}?msg={{id}}", parameters=True),
        profile=UrlTemplate(f"{folder}/member{ending}?u={{id}}", parameters=True),
        other=UrlTemplate(f"{folder}/{{word}}{ending}?x={{id}}", parameters=True),
        bare=UrlTemplate(f"{folder}/{{word}}{ending}"),
        link_styles=("path", "full", "bare"),
    )


def _one_script(choices: ForumChoices, folder: str, pick: Pick) -> ForumAddresses:
    script = folder + pick("script", "/index.php", "/forum.cgi", "/board.pl", "/", "/forum.asp")
    action = pick("action", "t", "a", "action", "act", "show")
    board, thread = pick("names", "thread msg", "board topic", "SF ST", "forum read", "list view").split()
    numbers = pick("numbers", "frm_id th", "f t", "id id", "forum topic").split()
    position = _position(choices, pick, "&page={n}|&pg={n}", "&start={n}|&st={n}", "&from={n}")
    return ForumAddresses(
        home=f"{folder}/",
        listing=UrlTemplate(f"{script}?{action}=all{{pos}}", position, parameters=True),
        board=UrlTemplate(f"{script}?{action}={board}&{numbers[0]}={{id}}{{pos}}", position, parameters=True),
        thread=UrlTemplate(
            f"{script}?{action}={thread}&{numbers[1]}={{id}}{{pos}}",
            position,
            parameters=True,
            last="&last=1",
        ),
        post=UrlTemplate(f"{script}?{action}=goto&msg={{id}}", parameters=True),
        profile=UrlTemplate(f"{script}?{action}=usrinfo&id={{id}}", parameters=True),
        other=UrlTemplate(f"{script}?{action}={{word}}&x={{id}}", parameters=True),
        bare=UrlTemplate(f"{script}?{action}={{word}}", parameters=True),
    )


def _bare_comma(choices: ForumChoices, folder: str, pick: Pick) -> ForumAddresses:
    position = _position(choices, pick, ",page={n}|,p{n}", ",offset={n}", ",from={n}")
    read, listed = pick("scripts", "read list", "msg forum", "view index2").split()
    inside = pick("board in threads", "{board},", "{board},", "")
    return ForumAddresses(
        home=f"{folder}/" + pick("home", "", "index.php"),
        listing=UrlTemplate(f"{folder}/{listed}.php?0{{pos}}", position),
        board=UrlTemplate(f"{folder}/{listed}.php?{{id}}{{pos}}", position),
        thread=UrlTemplate(f"{folder}/{read}.php?{inside}{{id}}{{pos}}", position, last=",newest"),
        post=UrlTemplate(f"{folder}/{read}.php?{inside}{{thread}},msg={{id}}"),
        profile=UrlTemplate(f"{folder}/profile.php?{{id}}"),
        other=UrlTemplate(f"{folder}/{{word}}.php?{{id}}"),
        bare=UrlTemplate(f"{folder}/{{word}}.php"),
        link_styles=("path", "full", "bare"),
    )


def _bare_htm(choices: ForumChoices, folder: str, pick: Pick) -> ForumAddresses:
    position = _position(choices, pick, "-{n}", "-s{n}", "-c{n}")
    board, thread = pick("nouns", "forum thread", "board topic", "f t").split()
    script = folder + pick("script", "/", "/", "/index.php")
    return ForumAddresses(
        home=f"{folder}/",
        listing=UrlTemplate(f"{script}?index{{pos}}.htm", position),
        board=UrlTemplate(f"{script}?{board}-{{id}}{{pos}}.htm", position),
        thread=UrlTemplate(f"{script}?{thread}-{{id}}{{pos}}.htm", position, last="-last"),
        post=UrlTemplate(f"{script}?post-{{id}}.htm"),
        profile=UrlTemplate(f"{script}?user-{{id}}.htm"),
        other=UrlTemplate(f"{script}?{{word}}-{{id}}.htm"),
        bare=UrlTemplate(f"{script}?{{word}}.htm"),
    )


def _query_path(choices: ForumChoices, folder: str, pick: Pick) -> ForumAddresses:
    position = _position(choices, pick, "page-{n}", "offset-{n}", "from-{n}")
    script = folder + pick("script", "/index.php", "/", "/index.php")
    name = "{slug}.{id}" if choices.slugs == "yes" else "{id}"
    return ForumAddresses(
        home=f"{folder}/" + pick("home", "", "index.php"),
        listing=UrlTemplate(f"{script}?new/{{pos}}", position),
        board=UrlTemplate(f"{script}?forums/{name}/{{pos}}", position),
        thread=UrlTemplate(f"{script}?threads/{name}/{{pos}}", position, last="latest"),
        post=UrlTemplate(f"{script}?posts/{{id}}/"),
        profile=UrlTemplate(f"{script}?members/{{id}}/"),
        other=UrlTemplate(f"{script}?{{word}}/{{id}}"),
        bare=UrlTemplate(f"{script}?{{word}}/"),
    )


def _query_slash_path(choices: ForumChoices, folder: str, pick: Pick) -> ForumAddresses:
    position = _position(
        choices, pick, "page/{n}/|&page={n}|page__p__{n}", "page__st__{n}|&st={n}", "&from={n}"
    )
    name = "{id}-{slug}" if choices.slugs == "yes" else "{id}"
    script = f"{folder}/index.php"
    return ForumAddresses(
        home=f"{folder}/" + pick("home", "", "index.php"),
        listing=UrlTemplate(f"{script}?/discover/{{pos}}", position),
        board=UrlTemplate(f"{script}?/forum/{name}/{{pos}}", position),
        thread=UrlTemplate(f"{script}?/topic/{name}/{{pos}}", position, last="&do=getLastComment"),
        post=UrlTemplate(f"{script}?/post/{{id}}/"),
        profile=UrlTemplate(f"{script}?/profile/{{id}}/"),
        other=UrlTemplate(f"{script}?/{{word}}/{{id}}/"),
        bare=UrlTemplate(f"{script}?/{{word}}/"),
    )


def _comma(choices: ForumChoices, folder: str, pick: Pick) -> ForumAddresses:
    position = _position(choices, pick, ",page,{n}|,{n}", ",s{n}", ",from,{n}")
    board, thread = pick("nouns", "forum topic", "f t", "list view").split()
    return ForumAddresses(
        home=f"{folder}/",
        listing=UrlTemplate(f"{folder}/recent{{pos}}.html", position),
        board=UrlTemplate(f"{folder}/{board},{{id}}{{pos}}.html", position),
        thread=UrlTemplate(f"{folder}/{thread},{{id}}{{pos}}.html", position, last=",last"),
        post=UrlTemplate(f"{folder}/message,{{id}}.html"),
        profile=UrlTemplate(f"{folder}/user,{{id}}.html"),
        other=UrlTemplate(f"{folder}/{{word}},{{id}}.html"),
        bare=UrlTemplate(f"{folder}/{{word}}.html"),
        link_styles=("path", "full", "bare"),
    )


def _semicolon(choices: ForumChoices, folder: str, pick: Pick) -> ForumAddresses:
    position = _position(choices, pick, ";page={n}", ";start={n}", ";from={n}")
    script = folder + pick("script", "/index.pl", "/index.php", "/yabb.cgi")
    board, thread = pick(
        "names", "board topic", "action=messageindex;board action=display;num", "b t"
    ).split()
    return ForumAddresses(
        home=f"{folder}/",
        listing=UrlTemplate(f"{script}?action=recent{{pos}}", position, parameters=True),
        board=UrlTemplate(f"{script}?{board}={{id}}{{pos}}", position, parameters=True),
        thread=UrlTemplate(
            f"{script}?{thread}={{id}}{{pos}}", position, parameters=True, last=";topicseen=last"
        ),
        post=UrlTemplate(f"{script}?action=goto;msg={{id}}", parameters=True),
        profile=UrlTemplate(f"{script}?action=profile;u={{id}}", parameters=True),
        other=UrlTemplate(f"{script}?action={{word}};x={{id}}", parameters=True),
        bare=UrlTemplate(f"{script}?action={{word}}", parameters=True),
    )


def _slash_query(choices: ForumChoices, folder: str, pick: Pick) -> ForumAddresses:
    position = _position(choices, pick, "/{n}", "/{n}", "/from-{n}")
    script = folder + pick("script", "/YaBB.pl", "/cgi-bin/forum.pl", "/ubb.php")
    board, thread = pick("names", "board num", "f t", "ubb=list/ ubb=thread/").split()
    equals = "" if board.endswith("/") else "="
    return ForumAddresses(
        home=f"{folder}/",
        listing=UrlTemplate(f"{script}?all{{pos}}", position),
        board=UrlTemplate(f"{script}?{board}{equals}{{id}}{{pos}}", position),
        thread=UrlTemplate(f"{script}?{thread}{equals}{{id}}{{pos}}", position, last="/last"),
        post=UrlTemplate(f"{script}?msg={{id}}"),
        profile=UrlTemplate(f"{script}?user={{id}}"),
        other=UrlTemplate(f"{script}?action={{word}}/{{id}}"),
        bare=UrlTemplate(f"{script}?action={{word}}"),
    )


_STYLES: dict[str, Callable[[ForumChoices, str, Pick], ForumAddresses]] = {
    "path": _path,
    "path_html": _path_html,
    "nested_path": _nested_path,
    "query": _query,
    "one_script": _one_script,
    "bare_comma": _bare_comma,
    "bare_htm": _bare_htm,
    "query_path": _query_path,
    "query_slash_path": _query_slash_path,
    "comma": _comma,
    "semicolon": _semicolon,
    "slash_query": _slash_query,
}


def encode_id(number: int, kind: str, style: str) -> str:
    """Write a number as a hash, in base64 or as it is."""
    if style == "hash":
        return f"{(number * _FACTOR + len(kind)) % _MODULUS:08x}"
    if style == "base64":
        return base64.urlsafe_b64encode(f"{kind}:{number}".encode()).decode().rstrip("=")
    return str(number)


def decode_id(text: str, kind: str, style: str) -> int:
    """Read what encode_id wrote; -1 for anything else."""
    try:
        if style == "hash":
            return (int(text, 16) - len(kind)) * _INVERSE % _MODULUS
        if style == "base64":
            padded = text + "=" * (-len(text) % 4)
            return int(base64.urlsafe_b64decode(padded).decode().removeprefix(f"{kind}:"))
        return int(text)
    except (ValueError, binascii.Error):
        return -1
