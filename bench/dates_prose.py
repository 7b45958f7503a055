"""A fourth held-out check: dates as CLDR formats them inside sentences of 33 languages, and sentences without any.

    python -m bench.dates_prose [--misses N] [--seed N]

The sentences were written before any run. Dates come from Babel's own formats (full, long, medium, short and month
with day), not from engines. Figures of its first run: docs/figures.md.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from datetime import date, timedelta

from babel import Locale
from babel.dates import format_date, format_skeleton

from bench.dates_locale import fresh_locale
from bench.dates_quality import Report, judge, report_figures, show
from bench.dates_set import NOW, Item
from bench.figures import write_figures

# {d} is the date; two sentences a language, one with it in the middle, one with it last or first.
SENTENCES = {
    "en": ["The server was moved on {d} and has been quiet since.", "Our last meeting took place on {d}"],
    "ru": ["Сервер перенесли {d} и с тех пор всё работает.", "Последний раз он заходил {d}"],
    "de": ["Der Server wurde am {d} umgezogen und läuft seither.", "Das letzte Treffen war am {d}"],
    "es": ["El servidor se cambió el {d} y desde entonces va bien.", "Nos vimos por última vez el {d}"],
    "fr": ["Le serveur a été déplacé le {d} et tourne depuis.", "La dernière réunion a eu lieu le {d}"],
    "it": ["Il server è stato spostato il {d} e da allora funziona.", "L'ultimo incontro è stato il {d}"],
    "pt": ["O servidor foi trocado em {d} e desde então funciona.", "A última reunião foi em {d}"],
    "pl": ["Serwer przeniesiono {d} i od tego czasu działa.", "Ostatnie spotkanie odbyło się {d}"],
    "nl": ["De server is op {d} verhuisd en draait sindsdien.", "De laatste bijeenkomst was op {d}"],
    "cs": ["Server byl přesunut {d} a od té doby běží.", "Poslední setkání proběhlo {d}"],
    "sk": ["Server bol presunutý {d} a odvtedy beží.", "Posledné stretnutie bolo {d}"],
    "hr": ["Poslužitelj je preseljen {d} i otada radi.", "Zadnji sastanak bio je {d}"],
    "sr_Latn": ["Server je preseljen {d} i od tada radi.", "Poslednji sastanak bio je {d}"],
    "sr_Cyrl": ["Сервер је пресељен {d} и од тада ради.", "Последњи састанак био је {d}"],
    "bg": ["Сървърът беше преместен на {d} и оттогава работи.", "Последната среща беше на {d}"],
    "uk": ["Сервер перенесли {d} і відтоді все працює.", "Востаннє він заходив {d}"],
    "ro": ["Serverul a fost mutat pe {d} și de atunci merge.", "Ultima întâlnire a fost pe {d}"],
    "hu": ["A szervert {d} napján költöztettük, azóta megy.", "Az utolsó találkozó napja: {d}"],
    "tr": ["Sunucu {d} tarihinde taşındı ve o günden beri çalışıyor.", "Son toplantı tarihi: {d}"],
    "el": [
        "Ο διακομιστής μεταφέρθηκε στις {d} και από τότε δουλεύει.",
        "Η τελευταία συνάντηση έγινε στις {d}",
    ],
    "sv": ["Servern flyttades {d} och har fungerat sedan dess.", "Det senaste mötet hölls {d}"],
    "da": ["Serveren blev flyttet {d} og har virket siden.", "Det seneste møde blev holdt {d}"],
    "nb": ["Serveren ble flyttet {d} og har virket siden.", "Det siste møtet ble holdt {d}"],
    "fi": ["Palvelin siirrettiin {d} ja on toiminut siitä lähtien.", "Viimeisin tapaaminen pidettiin {d}"],
    "he": ["השרת הועבר {d} ומאז הוא עובד.", "הפגישה האחרונה התקיימה {d}"],
    "ar": ["نقل الخادم {d} ومنذ ذلك الحين يعمل.", "كان الاجتماع الأخير {d}"],
    "fa": ["سرور {d} جابجا شد و از آن پس کار می‌کند.", "آخرین جلسه {d}"],
    "th": ["ย้ายเซิร์ฟเวอร์เมื่อ {d} และใช้งานได้ตั้งแต่นั้นมา", "ประชุมครั้งล่าสุด {d}"],
    "vi": ["Máy chủ được chuyển vào {d} và chạy tốt từ đó.", "Cuộc họp gần nhất là {d}"],
    "zh_Hans": ["服务器于{d}迁移，之后一直正常。", "上次会议是{d}"],
    "zh_Hant": ["伺服器於{d}遷移，之後一直正常。", "上次會議是{d}"],
    "ja": ["サーバーは{d}に移転し、それ以来動いています。", "前回の会議は{d}"],
    "ko": ["서버는 {d}에 이전되어 그 후로 잘 작동합니다.", "지난 회의는 {d}"],
}
SKELETONS = ("yMMMd", "yMMMEd", "MMMMd")
NEGATIVES = [
    "Version 2.0.15 läuft auf 4 von 12 Rechnern.", "Das Spiel endete 3:2 nach 90 Minuten.", "Rufen Sie 0711 12 34 56 an.", "Kapitel 3.2 auf Seite 17 lesen.", "Sie kostet 19,90 Euro statt 29.",
    "La versión 3.1.4 no funciona con 8 GB.", "Página 7 de 31 del manual.", "El marcador fue 2-1 en Madrid.", "Llama al 91 123 45 67.", "Mañana de sol y mar.", "Set de 12 piezas por 5,99.",
    "La version 10.15.7 plante 2 fois sur 3.", "Le score était de 3 à 1.", "Il pèse 12,5 kg pour 1,80 m.", "Téléphone : 01 45 67 89 10.", "Elle a 3 ans et lui 12.", "Mars est une planète.", "Page 2 sur 9.",
    "Версия 5.10.2 не ставится на 3 из 5 машин.", "Счёт 4:3 в нашу пользу.", "Звоните 8 (495) 123-45-67.", "Стр. 12 из 30.", "Ему 12 лет.", "Цена 1 200 руб. за 3 шт.", "Марта работает в банке.",
    "Wersja 1.12.3 działa na 4 z 10.", "Strona 5 z 25.", "Wynik 2:0 do przerwy.", "Maja ma 12 lat.", "Kosztuje 12,50 zł.", "Il punteggio era 3 a 2.", "Pagina 4 di 12.", "La versione 4.2.1 va bene.", "Marzo Rossi ha 31 anni.", "Costa 12,50.",
    "Pagina 3 van 8.", "Versie 2.3.10 werkt niet.", "Het werd 2-1.", "Verze 3.5.2 padá.", "Strana 6 z 20.", "Výsledek 3:1.", "Pavel má 12 let.", "Verzia 1.2.12 nejde.", "Stranica 2 od 15.", "Rezultat 3:2.", "Verzija 2.10.1 radi.", "Страница 2 от 15.", "Резултат 3:2.",
    "Sürüm 4.12.1 çalışmıyor.", "Sayfa 3/12.", "Skor 2-1 bitti.", "Ocak başında 3 tencere.", "Version 2.3.1 fungerar inte.", "Sida 3 av 12.", "Det blev 3-2.", "Side 4 af 10.", "Versio 3.1.10 ei toimi.", "Sivu 2/9.", "Tulos 3-2.", "Verzió: 2.11.3.", "Oldal 3 / 12.", "Eredmény 3:1.",
    "Έκδοση 2.4.1 δεν παίζει.", "Σελίδα 3 από 12.", "גרסה 2.4.1 לא עובדת.", "עמוד 3 מתוך 12.", "الإصدار 2.4.1 لا يعمل.", "صفحة 3 من 12.", "نسخه 2.4.1 کار نمی‌کند.", "เวอร์ชัน 2.4.1 ใช้ไม่ได้", "หน้า 3 จาก 12", "Phiên bản 2.4.1 bị lỗi.", "Trang 3 trên 12.",
    "版本 2.4.1 无法使用。", "第3页，共12页", "比分3:2。", "版本 10.2.3 有问题", "バージョン2.4.1は動きません。", "3ページ中2ページ", "버전 2.4.1이 안 됩니다.", "12쪽 중 3쪽", "Versiunea 2.4.1 nu merge.", "Pagina 3 din 12.", "Версія 2.4.1 не працює.", "Сторінка 3 з 12.",
    "I may go, he sat, they march.", "Will April and May join us?", "The sun set at sea.", "It was 5 of 7 in the second set.", "He second-guessed the 3 mayors.", "Add 1/2 cup and 3/4 spoon.", "The 747-400 carries 416.", "see post #12 on page 3", "Ratio 16:9 at 1920x1080.", "Coordinates 48.2082, 16.3738.",
    "He has 10,000 posts since joining.", "Order no. 2019-0012-7 shipped.", "Route 12-14 is closed.", "Read psalm 23:4.", "Chapter 11 bankruptcy.", "12 angry men", "Seven Days in Utopia", "The 5th Element", "Blade Runner 2049 is long.", "Office 365 costs $12.50.", "Windows 10 20H2 build 19042.867.",
]  # fmt: skip


def make(seed: int = 6, per_language: int = 24) -> Iterator[Item]:
    """All items: dates in sentences of every language, then sentences without."""
    rng = random.Random(seed)
    for language, sentences in SENTENCES.items():
        locale = fresh_locale(language)
        for index in range(per_language):
            day = NOW.date() - timedelta(days=rng.randrange(20, 340 if index % 6 == 5 else 6000))
            yield _item(sentences[index % 2], language, day, _format(day, locale, index % 6))
    for text in NEGATIVES:
        yield Item(text, (), None, "", "negative")


def _format(day: date, locale: Locale, kind: int) -> str:
    if kind < 3:
        return format_date(day, ("full", "long", "medium")[kind], locale)
    return format_skeleton(SKELETONS[kind - 3], day, locale=locale)


def _item(sentence: str, language: str, day: date, shown: str) -> Item:
    start = sentence.index("{d}")
    text = sentence.replace("{d}", shown)
    return Item(text, ((start, start + len(shown), "DATE"),), day.isoformat(), language, "prose")


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", type=int, default=0)
    parser.add_argument("--seed", type=int, default=6)
    arguments = parser.parse_args()
    report = Report()
    for item in make(arguments.seed):
        judge(item, report)
    show(report, "all", arguments.misses)
    write_figures("dates_prose", report_figures(report, "sentences of 33 languages"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
