"""A second held-out check, written by hand and run once before anything was mended for it.

    python -m bench.dates_fresh [--misses N]

In a text [D…] is a date and [T…] a time; what it means is beside it. Figures of its first run: docs/figures.md.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from bench.dates_quality import run
from bench.dates_set import Item

_MARKED = re.compile(r"\[([DT])(.*?)\]")
# Prose and bylines of engines and blogs that the other set has not.
ABSOLUTE = [
    ("Beitrag #14 vom [D3. März 2018] um [T7:05] Uhr", "de", "2018-03-03T07:05"),
    ("Topic started on [D2-Feb-2011] [T16:20] GMT by dusty", "en", "2011-02-02T16:20"),
    ("This thread was archived [DSaturday 8th of June 2013] and is read-only", "en", "2013-06-08"),
    ("Edited [D2014-Dec-09] [T03:11 pm] by moderator", "en", "2014-12-09T15:11"),
    ("UID 33172 | reg. [D2009/8/4] | 1204 posts", "en", "2009-08-04"),
    ("Modifié par Lucie, [D1er août 2016] - [T20:31].", "fr", "2016-08-01T20:31"),
    ("publié le [Dlundi 24 avril 2017] à [T9h15]", "fr", "2017-04-24T09:15"),
    ("escrito el [D30 de septiembre de 2012] a las [T11:48 p. m.]", "es", "2012-09-30T23:48"),
    ("Miembro desde: [D14 dic 2008]", "es", "2008-12-14"),
    ("сообщение от [D7 октября 2015 г.], [T22:04]", "ru", "2015-10-07T22:04"),
    ("Регистрация: [D19.02.2007] Сообщений: 3 412", "ru", "2007-02-19"),
    ("Wpis z dnia [D21 października 2019 r.], godz. [T18:45]", "pl", "2019-10-21T18:45"),
    ("dne [D5. 12. 2020] v [T14:30] napsal(a) Honza", "cs", "2020-12-05T14:30"),
    ("Inviato il [D16 giugno 2010], ore [T23:10]", "it", "2010-06-16T23:10"),
    ("geplaatst op [Dzaterdag 6 april 2019] om [T10:22] uur", "nl", "2019-04-06T10:22"),
    ("Kirjoitettu [D17. toukokuuta 2021] klo [T8.45]", "fi", "2021-05-17T08:45"),
    ("Publicerad [Dden 3 november 2014] kl [T12:01]", "sv", "2014-11-03T12:01"),
    ("Lagt inn [D24. des. 2012] kl. [T17.00]", "no", "2012-12-24T17:00"),
    ("Oprettet [D1/9-2015] kl. [T13:37]", "da", "2015-09-01T13:37"),
    ("[D2013. október 22.], [T19:56] | Válasz erre", "hu", "2013-10-22T19:56"),
    ("[D22 Ağustos 2018 Çarşamba], [T01:12]", "tr", "2018-08-22T01:12"),
    ("Publicado por Ana em [D28 de fevereiro de 2020] às [T15:07]", "pt", "2020-02-28T15:07"),
    ("[D2019年12月3日 星期二] [T下午4:08] 发布", "zh_Hans", "2019-12-03T16:08"),
    ("[D2017年05月09日（火）] [T21:33] ID:kX9w", "ja", "2017-05-09T21:33"),
    ("등록일 [D2020.07.15] [T오전 9:41] 조회 88", "ko", "2020-07-15T09:41"),
    ("Дата: [D11 червня 2016], [T06:54]", "uk", "2016-06-11T06:54"),
    ("[D13 Ιανουαρίου 2015], [T4:25 μ.μ.]", "el", "2015-01-13T16:25"),
    ("نشر في [D٢٥ ديسمبر ٢٠١٩] [T٠٨:٣٠]", "ar", "2019-12-25T08:30"),
    ("ngày [D20 tháng 11 năm 2018] lúc [T10:05]", "vi", "2018-11-20T10:05"),
    ("[D12 พ.ค. 2563] เวลา [T14:20]", "th", "2020-05-12T14:20"),
    ("Napisano [D14. studenoga 2011.] u [T16:42]", "hr", "2011-11-14T16:42"),
    ("Postat pe [D9 mai 2013] la ora [T21:15]", "ro", "2013-05-09T21:15"),
    ("от [D26 юли 2014] в [T11:59 ч.]", "bg", "2014-07-26T11:59"),
    ("Date: [DThu, 04 Oct 2012] [T10:33:51 -0700]", "en", "2012-10-04T10:33:51"),
    ("On [DNov 3, 2017], at [T5:12 PM], Greg wrote:", "en", "2017-11-03T17:12"),
]
FRAGMENTS = [
    ('<meta property="article:published_time" content="[D2016-02-17]T[T08:00:00Z]" />', "en", "2016-02-17T08:00"),
    ('<td class="lastpost" nowrap>[D12-31-2009]<br><span>[T11:58 PM]</span></td>', "en", "2009-12-31T23:58"),
    ('<em id="authorposton77">发表于 <span title="[D2021-3-8] [T09:05:12]">3 天前</span></em>', "zh_Hans", "2021-03-08T09:05"),
    ('<span itemprop="dateCreated">[D18 juin 2015]</span> par <b>max75</b>', "fr", "2015-06-18"),
    ('<li class="stats" data-posted="[D2018-11-30] [T19:02]">new</li>', "en", "2018-11-30T19:02"),
    ('<dd>Joined:</dd><dt>[DSep 2004]</dt><dd>Posts:</dd><dt>2010</dt>', "en", "2004-09"),
    ('<font size="1">Erstellt am [D04.07.2003] - [T22:41]&nbsp;</font>', "de", "2003-07-04T22:41"),
    ('<a href="/archive/2012/05/17/x.html">[DMay 17th, 2012] @ [T6:09 am]</a>', "en", "2012-05-17T06:09"),
    ('<time datetime="[D2020-08-01]T[T12:00:00+02:00]">vor 6 Jahren</time>', "de", "2020-08-01T12:00"),
    ('<p>[D20.&nbsp;kvetna 2017], [T19:03]</p>'.replace("kvetna", "května"), "cs", "2017-05-20T19:03"),
]  # fmt: skip
RELATIVE = [
    ("last activity [D5 hours, 12 minutes ago]", "en", "2026-11-15"),
    ("replied [D2 weeks, 1 day ago]", "en", "2026-10-31"),
    ("active [Da week ago]", "en", "2026-11-08"),
    ("[Dyesterday] at [T11:40 pm]", "en", "2026-11-14T23:40"),
    ("[DHeute], [T08:14] Uhr", "de", "2026-11-15T08:14"),
    ("Zuletzt online: [Dvor 3 Tagen]", "de", "2026-11-12"),
    ("[Dпозавчера] в [T17:30]", "ru", "2026-11-13T17:30"),
    ("[D2 дня назад]", "ru", "2026-11-13"),
    ("[Dhace una semana]", "es", "2026-11-08"),
    ("[Dil y a 4 jours]", "fr", "2026-11-11"),
    ("[Dwczoraj], [T21:05]", "pl", "2026-11-14T21:05"),
    ("[D4 giorni fa]", "it", "2026-11-11"),
    ("[Då sekunder siden]".replace("å sekunder", "2 dager"), "no", "2026-11-13"),
    ("[D10分钟前] 来自手机", "zh_Hans", "2026-11-15"),
    ("[D3日前]", "ja", "2026-11-12"),
    ("[D2시간 전]", "ko", "2026-11-15"),
    ("[Ddün], [T19:20]", "tr", "2026-11-14T19:20"),
    ("[Dpred 2 dňami]", "sk", "2026-11-13"),
]
NEGATIVES = [
    "nginx/1.18.0 (Ubuntu)", "5 stars out of 5", "HTTP 404", "Build 17763.1.2", "dosage: 2-3-1 daily", "the 1812 overture", "Boeing 737-800", "M3 x 10-12 mm",
    "Rev. 3.2.11b", "Matthew 5:3-12", "odds 11/4", "it weighs 12.5.", "4/4 time", "Ford Focus 1.6 TDCi", "DIN 5008", "sections 3.1 and 3.2", "GTX 1050/1060",
    "bpm 120-128", "Intel i5-2500K", "12V/10A", "SEQ 001-002-003", "Level 70 Mage", "1-0, 2-1, 3-3", "born to run", "March forward, soldier", "may I ask 2 things",
    "SAT 1500 score", "Mon Dieu, 3 fois !", "mar 12x", "0800 123 456", "PLZ 10115 Berlin", "Bj. 98", "5,12,19 or 26", "RJ-45", "192.168.1.10:8080", "USB 3.2 Gen 1",
    "12 of 31", "3/5 done", "Python 3.11.4", "ab 19,90 EUR", "Figure 2-11", "f/2.8", "1:200 scale", "PS5 2023 edition", "second to none", "now or never?",
    "Sun Microsystems 10", "Seiten: 1 2 3 ... 12", "«1 2 3 4 5»", "Jan Novak, 35",
]  # fmt: skip


def make() -> Iterator[Item]:
    """All items."""
    for kind, rows in (("byline", ABSOLUTE), ("html", FRAGMENTS), ("relative", RELATIVE)):
        for marked, language, moment in rows:
            yield item_of(marked, language, moment, kind)
    for text in NEGATIVES:
        yield Item(text, (), None, "", "negative")


def item_of(marked: str, language: str, moment: str, kind: str) -> Item:
    """A marked text as an item of the set."""
    text, spans, last = "", [], 0
    for match in _MARKED.finditer(marked):
        text += marked[last : match.start()]
        label = "DATE" if match[1] == "D" else "TIME"
        spans.append((len(text), len(text) + len(match[2]), label))
        text += match[2]
        last = match.end()
    return Item(text + marked[last:], tuple(spans), moment if len(moment) > 7 else None, language, kind)


if __name__ == "__main__":
    sys.exit(run(make(), __doc__ or "", "dates_fresh", "bylines and blogs by hand"))
