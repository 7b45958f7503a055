"""50 pages that try to run a script, send a form or load something. A script would change the title."""

from __future__ import annotations

_RUN = "top.document.title='owned';document.title='owned';parent.postMessage('owned','*')"
_AWAY = "https://elsewhere.invalid/"
_POST = (
    "<div class=post><a href=/user/anna>anna</a> <span>2024-05-28 10:15</span>"
    "<div>{0} some words of it</div></div>"
)

_PIECES = [
    f"<script>{_RUN}</script>",
    f"<ScRiPt>{_RUN}</sCrIpT>",
    f"<script src={_AWAY}x.js></script>",
    f"<script type=module>{_RUN}</script>",
    f'<img src=x onerror="{_RUN}">',
    f'<img src=x oNeRrOr="{_RUN}">',
    f'<img/src=x/onerror="{_RUN}">',
    f'<body onload="{_RUN}">',
    f'<svg onload="{_RUN}"></svg>',
    f"<svg><script>{_RUN}</script></svg>",
    f'<svg><animate onbegin="{_RUN}" attributeName=x dur=1s></svg>',
    f'<svg><a xlink:href="javascript:{_RUN}"><text y=20>x</text></a></svg>',
    f'<math><mtext></table><mglyph><style><img src=x onerror="{_RUN}">',
    f'<math href="javascript:{_RUN}">x</math>',
    f'<iframe src="javascript:{_RUN}"></iframe>',
    f'<iframe srcdoc="<script>{_RUN}</script>"></iframe>',
    f"<iframe src={_AWAY}></iframe>",
    f'<object data="javascript:{_RUN}"></object>',
    f'<embed src="javascript:{_RUN}">',
    f'<a href="javascript:{_RUN}">click</a>',
    f'<a href="  java\tscript:{_RUN}">click</a>',
    f'<a href="data:text/html,<script>{_RUN}</script>">click</a>',
    f'<form action={_AWAY}><input name=a autofocus onfocus="{_RUN}"><button>send</button></form>',
    f'<form action="javascript:{_RUN}"><input type=submit></form>',
    f'<button formaction="javascript:{_RUN}">x</button>',
    f'<isindex action="javascript:{_RUN}" type=image>',
    f'<meta http-equiv=refresh content="0;url=javascript:{_RUN}">',
    f'<meta http-equiv=refresh content="0;url={_AWAY}">',
    f"<base href={_AWAY}><img src=x.png>",
    f"<link rel=stylesheet href={_AWAY}x.css>",
    f"<link rel=import href={_AWAY}x.html>",
    f"<style>@import '{_AWAY}x.css';</style>",
    f"<style>body{{background:url({_AWAY}x.png)}}</style>",
    f"<style>body{{background:\\75 rl({_AWAY}x.png)}}</style>",
    f'<div style="background:url({_AWAY}x.png)">x</div>',
    f'<div style="width:expression({_RUN})">x</div>',
    f"<style></style><script>{_RUN}</script>",
    f'<style><img src=x onerror="{_RUN}"></style>',
    f"<title></title><script>{_RUN}</script>",
    f"<textarea></textarea><script>{_RUN}</script>",
    f'<noscript><p title="</noscript><img src=x onerror={_RUN.split(";", maxsplit=1)[0]}>"></noscript>',
    f"<template><script>{_RUN}</script></template>",
    f"<!--><script>{_RUN}</script>-->",
    f"<![CDATA[<script>{_RUN}</script>]]>",
    f"<xmp></xmp><script>{_RUN}</script>",
    f'<details open ontoggle="{_RUN}"><summary>x</summary></details>',
    f'<video src=x onerror="{_RUN}"><source onerror="{_RUN}"></video>',
    f'<marquee onstart="{_RUN}">x</marquee>',
    f"<p title='\"><script>{_RUN}</script>' class='\"><script>{_RUN}</script>'>x</p>",
    f"<p id='\"onmouseover=\"{_RUN}'>x</p>",
    f'<table background={_AWAY}x.png><tr><td onclick="{_RUN}">x</table>',
]


def hostile_pages() -> list[bytes]:
    """The pages. Each is a thread, so that the layers wrap the hostile piece too."""
    found = []
    for piece in _PIECES:
        posts = _POST.format(piece) + "".join(_POST.format(f"word {number}") for number in range(3))
        found.append(f"<title>a thread</title>{piece}{posts}".encode())
    return found
