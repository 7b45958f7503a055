"""Ten pages in the manner of real sites, each with the text a reader came for; written by us, nobody's copyright."""

from __future__ import annotations

_ARTICLE = (
    "The council voted on Tuesday evening to keep the old ferry running through the winter, after a debate "
    "that lasted for almost three hours and drew more than a hundred residents.",
    "Supporters said that the crossing saves commuters forty minutes a day. Opponents pointed to the cost of "
    "repairs, which has doubled since the engine was replaced four years ago.",
    "A new timetable will be published before the end of the month, and tickets bought in advance stay valid.",
)
_POSTS = (
    "Has anybody managed to get the heating valve off without draining the whole system? Mine is stuck fast.",
    "You need to freeze the pipe on both sides. I did it last year with a rented kit and it took twenty minutes.",
    "Seconded. But check the age of the joints first, because the old brass ones tend to crack in the cold.",
    "Thanks to both of you, that worked. I used two wrenches and a bit of patience, and no water came out.",
)
_NAV = "".join(
    f"<li><a href='/{w.lower()}'>{w}</a></li>" for w in ("Home", "News", "Forum", "Shop", "About", "Contact")
)
_FOOT = "<p>© 2026 Example Media. All rights reserved.</p><a href='/privacy'>Privacy</a> <a href='/terms'>Terms</a>"
_SIDE = "".join(
    f"<li><a href='/r/{i}'>Another story that you may like, number {i}</a></li>" for i in range(8)
)


def _frame(body: str, title: str, kind: str = "") -> str:
    return (
        f"<!doctype html><html lang=en><head><title>{title} | Example</title>{kind}</head><body>"
        f"<header class=site-header><a href=/>Example</a><nav class=main-nav><ul>{_NAV}</ul></nav></header>{body}"
        f"<footer class=site-footer>{_FOOT}</footer></body></html>"
    )


def _paragraphs(texts: tuple[str, ...]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def _article() -> tuple[str, str]:
    body = f"<main><article class=entry-content><h1>Ferry stays</h1>{_paragraphs(_ARTICLE)}</article>"
    return _frame(
        f"{body}<aside class=sidebar><h3>More</h3><ul>{_SIDE}</ul></aside></main>", "Ferry stays"
    ), "\n".join(("Ferry stays", *_ARTICLE))


def _old_article() -> tuple[str, str]:
    body = (
        "<table width=100%><tr><td width=150><a href=/a>News</a><br><a href=/b>Archive</a><br><a href=/c>Links</a></td>"
        f"<td><font size=5>Ferry stays</font><br><br>{'<br><br>'.join(_ARTICLE)}</td></tr></table>"
    )
    return f"<html><head><title>Ferry stays</title></head><body>{body}</body></html>", "\n".join(
        ("Ferry stays", *_ARTICLE)
    )


def _forum(layout: str) -> tuple[str, str]:
    posts = "".join(layout.format(i=i, text=text) for i, text in enumerate(_POSTS))
    page = _frame(
        f"<div id=content class=thread><h1>Stuck valve</h1>{posts}</div>", "Stuck valve - Home forum"
    )
    return page, "\n".join(("Stuck valve", *_POSTS))


_MODERN = (
    "<article class='message post'><div class=user><a href=/u/{i}>member{i}</a> Joined 2019 Posts: 1{i}4</div>"
    "<div class='message-body'>{text}</div><ul class=actions><li><a href=#r>Reply</a><li><a href=#l>Like</a></ul>"
    "</article>"
)
_TABLE = (
    "<table class=forumline><tr><td class=row1><b>member{i}</b><br>Posts: {i}1</td><td class=row1>"
    "<span class=postbody>{text}</span></td></tr><tr><td colspan=2><a href=#top>Back to top</a></td></tr></table>"
)
_NOSCRIPT = (
    "<div class=crawler-post><span>member{i}</span><div class=post itemprop=text><p>{text}</p></div></div>"
)


def _product() -> tuple[str, str]:
    facts = (
        "Solid oak, oiled twice by hand",
        "Height 74 cm, width 120 cm, depth 60 cm",
        "Delivered in one piece",
    )
    text = "A desk for people who write every day: wide enough for two open books, and quiet under the hand."
    body = (
        f"<main class=product><h1>Oak writing desk</h1><span class=price>€ 420.00</span><button>Add to cart</button>"
        f"<div class=description itemprop=description><p>{text}</p><ul>"
        f"{''.join(f'<li>{fact}</li>' for fact in facts)}</ul></div></main>"
        f"<section class=related><h2>Customers also bought</h2><ul>{_SIDE}</ul></section>"
    )
    kind = "<meta property=og:type content=product>"
    return _frame(body, "Oak writing desk", kind), "\n".join(("Oak writing desk", "€ 420.00", text, *facts))


def _documentation() -> tuple[str, str]:
    steps = (
        "The function reads a file line by line and returns an iterator of records.",
        "It raises an error when the first line is not a header, because a file without one cannot be told apart.",
        "Call it with the path of the file; the encoding is guessed from the first bytes unless you name it.",
    )
    code = "for record in read(path):\n    print(record)"
    body = (
        f"<div class=sidebar><ul>{''.join(f'<li><a href=#{i}>Chapter {i}</a></li>' for i in range(15))}</ul></div>"
        f"<div role=main class=document><h1>Reading files</h1>{_paragraphs(steps)}<pre>{code}</pre></div>"
    )
    return _frame(body, "Reading files - Manual"), "\n".join(("Reading files", *steps, code))


def _listing() -> tuple[str, str]:
    entries = tuple(
        f"Workshop number {i}: we build a {thing} from scratch, with all the tools provided, on a Saturday morning."
        for i, thing in enumerate(("bench", "kite", "radio", "lamp", "boat", "clock", "chair", "drum"), 1)
    )
    cards = "".join(
        f"<div class=card><h2><a href=/w/{i}>Workshop {i}</a></h2><p>{text}</p></div>"
        for i, text in enumerate(entries, 1)
    )
    gold = "\n".join(line for i, text in enumerate(entries, 1) for line in (f"Workshop {i}", text))
    return _frame(
        f"<main><h1>Workshops</h1><div class=listing>{cards}</div></main>", "Workshops"
    ), f"Workshops\n{gold}"


def _question() -> tuple[str, str]:
    posts = "".join(
        f"<div class='answer' itemprop=text><div class=votes>{i}</div><div class=post-text><p>{text}</p></div>"
        f"<div class=post-menu><a href=#s>share</a> <a href=#e>edit</a></div></div>"
        for i, text in enumerate(_POSTS)
    )
    return _frame(f"<div id=mainbar><h1>How to free a valve?</h1>{posts}</div><div id=sidebar><ul>{_SIDE}</ul></div>",
                  "How to free a valve?"), "\n".join(("How to free a valve?", *_POSTS))  # fmt: skip


def quality_pages() -> dict[str, tuple[str, str]]:
    """name → (page, the text a reader came for)."""
    hidden, gold = _forum(_NOSCRIPT)
    scripted = hidden.replace("<div id=content", "<noscript><div id=content").replace(
        "<footer", "</noscript><footer"
    )
    return {
        "article": _article(),
        "article in tables": _old_article(),
        "forum": _forum(_MODERN),
        "forum in tables": _forum(_TABLE),
        "forum for crawlers only": (scripted, gold),
        "product": _product(),
        "documentation": _documentation(),
        "listing": _listing(),
        "question and answers": _question(),
        "bare article": (
            f"<h1>Ferry stays</h1>{_paragraphs(_ARTICLE)}",
            "\n".join(("Ferry stays", *_ARTICLE)),
        ),
    }
