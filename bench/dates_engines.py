"""A third held-out check: bylines as forum engines and their language packs print them, written down before any run.

    python -m bench.dates_engines [--misses N]

In a text [D…] is a date and [T…] a time; what it means is beside it. Figures of its first run: docs/figures.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from bench.dates_fresh import item_of
from bench.dates_quality import run
from bench.dates_set import Item

# Read with now = 2026-11-15 12:00, a Sunday.
BYLINES = [
    # phpBB 2 and 3: "D M d, Y g:i a", "|d M Y|, H:i", "|d.m.Y|, H:i"
    ("Posted: [DThu Mar 04, 2010] [T7:12 am]    Post subject: Re: help", "en", "2010-03-04T07:12"),
    ("by Guest » [DSun Jul 31, 2011] [T12:05 am]", "en", "2011-07-31T00:05"),
    ("Verfasst: [DMo 14. Sep 2009], [T19:48]", "de", "2009-09-14T19:48"),
    ("Verfasst am: [D04.02.2007], [T23:17]    Titel: Frage", "de", "2007-02-04T23:17"),
    ("Posté le: [DDim 12 Fév 2006] [T11:01]    Sujet du message:", "fr", "2006-02-12T11:01"),
    ("Publié : [Dmar. 07 nov. 2017] [T9:04]", "fr", "2017-11-07T09:04"),
    ("Publicado: [DMié Ago 19, 2009] [T4:36 pm]", "es", "2009-08-19T16:36"),
    ("Mensaje por Rafa » [D22 Dic 2014], [T18:20]", "es", "2014-12-22T18:20"),
    ("Inviato: [Dmer giu 30, 2010] [T10:25 pm]", "it", "2010-06-30T22:25"),
    ("da Luca70 » [Dgio 8 mag 2014, 9:15]".replace(", 9:15]", "], [T9:15]"), "it", "2014-05-08T09:15"),
    ("Wysłany: [DPią Paź 12, 2007] [T6:44 pm]", "pl", "2007-10-12T18:44"),
    ("autor: Kasia » [D13 lut 2016], o [T21:30]", "pl", "2016-02-13T21:30"),
    ("Geplaatst: [Dza 18 apr 2009] [T20:15]", "nl", "2009-04-18T20:15"),
    ("Enviado: [DSeg Nov 24, 2008] [T3:50 pm]", "pt", "2008-11-24T15:50"),
    ("Mensagem por JoãoP » [D05 Out 2013], [T14:02]", "pt", "2013-10-05T14:02"),
    ("Добавлено: [DСб Мар 27, 2010] [T5:33 pm]", "ru", "2010-03-27T17:33"),
    ("Сообщение vasya » [D19 авг 2018], [T08:41]", "ru", "2018-08-19T08:41"),
    ("Додано: [DСер Жов 15, 2008] [T1:20 pm]", "uk", "2008-10-15T13:20"),
    ("Повідомлення oksana » [DПон 13 тра, 2013] [T10:10]", "uk", "2013-05-13T10:10"),
    ("Zaslal: [Dpá únor 26, 2010] [T10:12 pm]", "cs", "2010-02-26T22:12"),
    ("od Pavel » [Dsob 19. říj 2013] [T15:44]", "cs", "2013-10-19T15:44"),
    ("Napísal Jano » [DŠt 17. Máj, 2012], [T20:59]", "sk", "2012-05-17T20:59"),
    ("Poslao: [Dpon svi 09, 2011] [T8:08 pm]", "hr", "2011-05-09T20:08"),
    ("od marko » [D27. Avg 2015, 13:13]".replace(", 13:13]", "], [T13:13]"), "sr_Latn", "2015-08-27T13:13"),
    ("Послао: [DУто Јун 21, 2011] [T9:29 am]", "sr_Cyrl", "2011-06-21T09:29"),
    ("Elküldve: [D2012. feb. 19., vas.] [T17:06]", "hu", "2012-02-19T17:06"),
    ("Hozzászólás Szerző: bela » [D2016.03.08.] [T07:57]", "hu", "2016-03-08T07:57"),
    ("Trimis: [DJoi Ian 20, 2011] [T11:55 am]", "ro", "2011-01-20T11:55"),
    ("Mesaj de Andrei » [D02 Noi 2014], [T16:30]", "ro", "2014-11-02T16:30"),
    ("Пуснато на: [DВто Яну 12, 2010] [T22:40]", "bg", "2010-01-12T22:40"),
    ("Мнение от Иван » [D30 Сеп 2012], [T19:19]", "bg", "2012-09-30T19:19"),
    ("Tarih: [DÇrş Hzr 17, 2009] [T3:21 pm]".replace("Hzr", "Haz"), "tr", "2009-06-17T15:21"),
    ("gönderen mehmet » [D11 Oca 2015, 01:45]".replace(", 01:45]", "], [T01:45]"), "tr", "2015-01-11T01:45"),
    ("Δημοσιεύτηκε: [DΤρί Απρ 13, 2010] [T6:02 pm]", "el", "2010-04-13T18:02"),
    ("Lähetetty: [DTi Touko 04, 2010] [T8:30 pm]", "fi", "2010-05-04T20:30"),
    ("Kirjoittaja Pekka » [D23.11.2014] [T12.34]", "fi", "2014-11-23T12:34"),
    ("Skrivet: [Dtor 09 dec 2010], [T18:18]", "sv", "2010-12-09T18:18"),
    ("Indlæg: [Dlør 6. feb 2010] [T14:05]", "da", "2010-02-06T14:05"),
    ("Lagt inn: [Dons 15. okt 2008] [T22:51]", "no", "2008-10-15T22:51"),
    ("נשלח: [Dו' מרץ 19, 2010] [T4:44 pm]", "he", "2010-03-19T16:44"),
    ("أرسل: [Dالثلاثاء أغسطس 24, 2010] [T11:30 م]", "ar", "2010-08-24T23:30"),
    ("ارسال شده: [Dپنجشنبه 13 مرداد 1390] [T10:20]", "fa", "2011-08-04T10:20"),
    ("ตอบ: [D15 ก.ย. 2011], [T20:44]", "th", "2011-09-15T20:44"),
    ("Gửi bởi: lan » [DThứ 6 Tháng 4 12, 2013] [T9:05 pm]", "vi", "2013-04-12T21:05"),
    ("[D週五 5月 21, 2010] [T3:36 pm]", "zh_Hant", "2010-05-21T15:36"),
    ("发表于 : [D2013年 11月 02日] [T21:18]", "zh_Hans", "2013-11-02T21:18"),
    ("投稿記事 by 山田 » [D2014年9月07日(日)] [T13:22]", "ja", "2014-09-07T13:22"),
    ("작성자: 철수 » [D2013-12-05] [T16:08]", "ko", "2013-12-05T16:08"),
    # vBulletin: "m-d-Y, h:i A", "d-m-Y", "jS F Y"
    ("#12 [D06-25-2008], [T09:14 PM]", "en", "2008-06-25T21:14"),
    ("[D28th February 2011], [T02:59 AM]   #3 (permalink)", "en", "2011-02-28T02:59"),
    ("Last edited by Blue; [D11-30-2012] at [T01:22 PM].. Reason: link", "en", "2012-11-30T13:22"),
    ("Join Date: [DSep 2003] Location: Ohio Posts: 2,004", "en", "2003-09"),
    ("Geändert von Hein ([D23.05.2010] um [T17:03] Uhr)", "de", "2010-05-23T17:03"),
    ("Registriert seit: [D19.06.2004]", "de", "2004-06-19"),
    ("Fecha de Ingreso: [D23-mayo-2009]", "es", "2009-05-23"),
    ("Регистрация: [D15.11.2006]", "ru", "2006-11-15"),
    ("تاريخ التسجيل: [DMay 2007]", "ar", "2007-05"),
    ("Üyelik tarihi: [D27 Mayıs 2008]", "tr", "2008-05-27"),
    # SMF: "%B %d, %Y, %I:%M:%S %p", "%d de %B de %Y"
    ("« Reply #14 on: [DDecember 03, 2009], [T08:41:17 PM] »", "en", "2009-12-03T20:41:17"),
    ("« Antwort #2 am: [D17. Juli 2010], [T13:44:02] »", "de", "2010-07-17T13:44:02"),
    ("« Respuesta #5 en: [D09 de Abril de 2012], [T11:05:51 pm] »", "es", "2012-04-09T23:05:51"),
    ("« Réponse #8 le: [D25 Mai 2011] à [T16:20:33] »", "fr", "2011-05-25T16:20:33"),
    ("« Ответ #3 : [D14 Октября 2013], [T19:02:45] »", "ru", "2013-10-14T19:02:45"),
    ("« Odpowiedź #1 dnia: [DStyczeń 22, 2012], [T15:09:10] »", "pl", "2012-01-22T15:09:10"),
    ("« Risposta #7 il: [D03 Agosto 2009], [T22:13:56] »", "it", "2009-08-03T22:13:56"),
    ("« Odgovor #9 poslato: [D18. Mart 2010.], [T12:31:08] »".replace("2010.], ", "2010.], "), "sr_Latn", "2010-03-18T12:31:08"),
    ("« Yanıtla #4 : [D02 Eylül 2011], [T17:27:39] »", "tr", "2011-09-02T17:27:39"),
    ("« Απάντηση #6 στις: [DΝοέμβριος 11, 2010], [T09:50:04] »", "el", "2010-11-11T09:50:04"),
    ("« Vastaus #10 : [D21.06.2012] klo [T18:36:27] »", "fi", "2012-06-21T18:36:27"),
    ("« Svar #2 skrivet: [D30 november 2010], [T10:44:55] »", "sv", "2010-11-30T10:44:55"),
    ("« Odpověď #5 kdy: [D08. Července 2013], [T14:22:16] »".replace("08. Č", "08. č"), "cs", "2013-07-08T14:22:16"),
    ("« 回复 #3 于: [D十月 06, 2012], [T09:12:43 上午] »", "zh_Hans", "2012-10-06T09:12:43"),
    # XenForo
    ("Discussion in 'General' started by Ann, [DJun 3, 2014].", "en", "2014-06-03"),
    ("Beitrag von Uwe · [D5. Nov. 2019]", "de", "2019-11-05"),
    ("Автор темы Гость · Дата начала [D12 Янв 2021]", "ru", "2021-01-12"),
    ("Başlatan Deniz · Başlangıç tarihi [D14 Kas 2020]", "tr", "2020-11-14"),
    ("Ngày gửi: [D9/8/20]", "vi", None),
    ("[DHôm qua], lúc [T22:41]", "vi", "2026-11-14T22:41"),
    ("[DA moment ago]", "en", "2026-11-15"),
    ("[DSaturday] at [T6:37 PM]", "en", "2026-11-14T18:37"),
    ("[DHier] à [T07:33]", "fr", "2026-11-14T07:33"),
    ("[DAyer] a las [T23:09]", "es", "2026-11-14T23:09"),
    ("[DIeri] alle [T13:58]", "it", "2026-11-14T13:58"),
    ("[DWczoraj] o [T05:16]", "pl", "2026-11-14T05:16"),
    ("[Digår] kl [T21:12]", "sv", "2026-11-14T21:12"),
    ("[DDnes] v [T10:27]", "cs", "2026-11-15T10:27"),
    ("[DСегодня] в [T09:03]", "ru", "2026-11-15T09:03"),
    ("[D21 minuter sedan]", "sv", "2026-11-15"),
    # Discuz!
    ("发表于 [D2010-6-3] [T12:33:04] |只看该作者", "zh_Hans", "2010-06-03T12:33:04"),
    ("最后发表: [D半小时前] by 阿明", "zh_Hans", "2026-11-15"),
    ("[D昨天] [T18:22]", "zh_Hans", "2026-11-14T18:22"),
    ("[D前天] [T08:05]", "zh_Hans", "2026-11-13T08:05"),
    ("發表於 [D3 小時前] | 顯示全部樓層", "zh_Hant", "2026-11-15"),
    ("本帖最后由 小李 于 [D2012-12-21] [T23:59] 编辑", "zh_Hans", "2012-12-21T23:59"),
    ("注册时间 [D2009-4-17] 在线时间 312 小时", "zh_Hans", "2009-04-17"),
    ("發表於 [D17-3-2015] [T下午 02:50]", "zh_Hant", "2015-03-17T14:50"),
    # MyBB, IPB, FluxBB, Discourse, Vanilla, bbPress, WordPress, NodeBB, Flarum
    ("[D07-15-2011], [T06:05 PM] (This post was last modified: [D07-16-2011], [T01:10 AM] by x.)", "en", "2011-07-15T18:05"),
    ("Posted [D28 August 2012] - [T04:47 AM]", "en", "2012-08-28T04:47"),
    ("Wysłano [D16 września 2011] - [T21:54]", "pl", "2011-09-16T21:54"),
    ("Geschrieben [D09 Juli 2013] - [T12:18]", "de", "2013-07-09T12:18"),
    ("Отправлено [D03 декабря 2014] - [T15:36]", "ru", "2014-12-03T15:36"),
    ("Inviato [D22 ottobre 2010] - [T08:00]", "it", "2010-10-22T08:00"),
    ("Escrito [D14 Noviembre 2009] - [T19:25]", "es", "2009-11-14T19:25"),
    ("Iscritto il: [D11/05/2006]", "it", None),
    ("Registered: [D2008-09-30] Posts: 88", "en", "2008-09-30"),
    ("[D2016-05-29] [T14:27:10]", "en", "2016-05-29T14:27:10"),
    ("ryan [DJun '14]", "en", "2014-06"),
    ("last reply [D5h]", "en", None),
    ("asked by zed [D3 years, 2 months ago]", "en", "2023-09-15"),
    ("Dieses Thema hat 4 Antworten, zuletzt [Dvor 2 Jahren, 7 Monaten]", "de", "2024-04-15"),
    ("Ce sujet a été mis à jour [Dil y a 5 années et 1 mois]", "fr", "2021-10-15"),
    ("Este debate se actualizó [Dhace 1 año, 3 meses]", "es", "2025-08-15"),
    ("[DОктябрь 9, 2016] в [T6:14 пп]", "ru", "2016-10-09T18:14"),
    ("[D21 septembre 2015] à [T10 h 06 min]", "fr", "2015-09-21T10:06"),
    ("[D4. Dezember 2018] um [T16:55]", "de", "2018-12-04T16:55"),
    ("[D19 de junio de 2017] a las [T1:40 pm]", "es", "2017-06-19T13:40"),
    ("[D7 aprile 2014] alle [T11:32]", "it", "2014-04-07T11:32"),
    ("[D2019年3月28日] [T3:15 PM]", "ja", "2019-03-28T15:15"),
    ("[D2021년 8월 11일] [T오후 7:26]", "ko", "2021-08-11T19:26"),
    ("vlákno založeno [D29.03.2005] v [T18:01:20]", "cs", "2005-03-29T18:01:20"),
    ("Viestiketju: aloitettu [Dma 11.05.2015] klo [T8:15]", "fi", "2015-05-11T08:15"),
    ("Respondido [Dhá 2 semanas]", "pt", "2026-11-01"),
    ("Atualizado [Dhá cerca de 3 horas]", "pt", "2026-11-15"),
    ("Ažurirano [Dprije 4 dana]", "hr", "2026-11-11"),
    ("ответил [D5 мин. назад]", "ru", "2026-11-15"),
    ("replied [D2 hrs ago] from mobile", "en", "2026-11-15"),
    ("Laatste bericht [Deergisteren] om [T16:42]", "nl", "2026-11-13T16:42"),
    ("Ultimo post: [Doggi], [T11:20]", "it", "2026-11-15T11:20"),
    ("نشر [Dأمس] الساعة [T08:15 ص]", "ar", "2026-11-14T08:15"),
    ("[Dאתמול] ב-[T17:45]", "he", "2026-11-14T17:45"),
    ("[Dدیروز]، [T09:30 ب.ظ]", "fa", "2026-11-14T21:30"),
    ("[Dเมื่อวานนี้] เวลา [T19:08]", "th", "2026-11-14T19:08"),
    ("[D어제] [T오후 11:02]", "ko", "2026-11-14T23:02"),
    ("[D昨日] [T20:16]", "ja", "2026-11-14T20:16"),
]  # fmt: skip
FRAGMENTS = [
    ('<td class="alt1"><a name="p9"></a>[D03-07-2009], <span class="time">[T08:16 AM]</span></td>', "en", None),
    ('<span class="DateTime" title="[DMar 12, 2015] at [T9:22 PM]">Mar 12</span>', "en", "2015-03-12T21:22"),
    ('<abbr class="DateTime" data-time="1394600000">x</abbr>', "en", None),
    ('<time itemprop="datePublished" datetime="[D2017-10-05]T[T06:11:52Z]" title="[D5 oct. 2017] [T08:11]">il y a 9 ans</time>', "fr", "2017-10-05T06:11"),
    ('<div class="smalltext">[DГрудень 04, 2012], [T14:33:21]</div>', "uk", "2012-12-04T14:33:21"),
    ('<p class="byline">dodano: <b>[D30.08.2011]</b>, godz. <b>[T19:27]</b></p>', "pl", "2011-08-30T19:27"),
    ('<li>Ngày tham gia:&nbsp;[D21/12/2010]</li>', "vi", "2010-12-21"),
    ('<a class="bigusername" href="member.php?u=2011">x2011</a> [D13/05/2013], [T10:59]', "es", "2013-05-13T10:59"),
    ('<em>[D2015-1-30] [T08:46]</em> <img src="/static/2014/05/06/a.png">', "zh_Hans", "2015-01-30T08:46"),
    ('<span data-timestamp="1401797584" title="[D3 June 2014] - [T12:13]">Jun 3</span>', "en", None),
]  # fmt: skip
NEGATIVES = [
    "Seite 2 von 17", "Página 3 de 25", "Страница 4 из 12", "第 3 頁，共 25 頁", "Strona 1 z 9", "Sayfa 2/14", "Sivu 5 / 30", "Oldal: 3 / 8", "3 páginas", "12 месяцев гарантии",
    "Beiträge: 1.204", "Posts: 12,345", "Сообщений: 3 412", "Bedankt: 28 keer", "Messages : 2 014", "ICQ 123-456-789", "тел. 8-912-345-67-89", "tel. 01 42 68 53 00", "(030) 12 34 56", "06-12345678",
    "цена 1 990 руб.", "19,99 €", "R$ 12,50", "USD 1.299,00", "10.000 zł", "£3.50", "-15 %", "50/50", "24/7 support", "9 von 10 Punkten", "4,5 / 5", "Bewertung: 8/10", "Barcelona 3:1 Real", "3 - 2 i.V.", "6:4, 7:5",
    "Ubuntu 22.04.3 LTS", "версия 2.14.7", "phpBB 3.0.12", "vBulletin® Version 3.8.11", "SMF 2.0.15", "iOS 12.1.4", "OpenWrt 19.07.2", "драйвер 340.52", "Firmware V1.02.11", "Nokia 3310", "BMW 320d E46", "Golf 4 1.9 TDI", "Peugeot 206 1.4", "Canon 70-200 f/2.8",
    "1024x768", "16/44.1", "2 x 12 GB", "5.1.2 Dolby", "AA 12-24 V", "192.168.0.254", "10.1.2.3/24", "::1", "MAC 00:11:22:33:44:55", "ISBN 3-551-55167-7", "EAN 4006381333931", "49.2827, -123.1207", "52°31'12\" N", "RAL 7016", "M6x20",
    "Mars attacks!", "the planet Mars", "You may reply", "Sat down with him", "march madness fans", "august company of men", "Mon ami", "mar y sol", "vie de famille", "la mer", "Die Hard 2", "So what?", "Do it", "set up 3 servers",
    "dec 0x1F", "jun. prof.", "Jan und Tim", "April O'Neil", "June Carter", "Lena Maj", "Abril Lopez", "Mai Lan", "Sun Ra", "Friday Night Lights", "Agent Smith 007", "B-52", "Area 51", "Catch 22", "Formula 1 GP", "Stalker 2", "GTA 5 online", "Windows 98 SE", "Office 2010", "FIFA 19",
    "http://forum.example.org/2011/05/06/thread-12.html", "/uploads/monthly_2013_05/x.jpg", "IMG-20190512-WA0003.jpg", "backup-2014-03-01.tar.gz", "user_2012-05-01", "ivan1987", "Marta.87", "nick19may", "2pac", "50cent", "U2", "B2B", "covid19", "x264-1080p",
]  # fmt: skip


def make() -> Iterator[Item]:
    """All items."""
    for kind, rows in (("byline", BYLINES), ("html", FRAGMENTS)):
        for marked, language, moment in rows:
            yield item_of(marked, language, moment or "", kind)
    for text in NEGATIVES:
        yield Item(text, (), None, "", "negative")


if __name__ == "__main__":
    sys.exit(run(make(), __doc__ or "", "dates_engines", "bylines of engines by hand"))
