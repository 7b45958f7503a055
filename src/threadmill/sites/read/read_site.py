"""The middle stages of one site: captures in, its outcome, keywords and facts out; no network, no clock."""

from __future__ import annotations

from dataclasses import replace

from threadmill.page.parse.hidden import hiding_rules
from threadmill.sites.collect.placeholder import judge_home
from threadmill.sites.model import Collected, Outcome, Site
from threadmill.sites.read.facts import domain_of, gather_facts
from threadmill.sites.read.keywords import count_keywords, in_language, main_language
from threadmill.sites.read.site_page import read_page


def read_site(collected: Collected, *, lemmas: bool = False) -> Site:
    """Judge and read one site; whatever is wrong with it is its outcome, never an error."""
    if not collected.pages:
        outcome = Outcome.FORBIDDEN if collected.forbidden else Outcome.DEAD
        return Site(collected.url, outcome, collected.failure)
    sheets = [hiding_rules(sheet.payload.decode("utf-8", "replace")) for sheet in collected.sheets]
    home = read_page(collected.pages[0], sheets)
    outcome, reason = judge_home(home)
    if outcome is not Outcome.OK:
        return Site(collected.url, outcome, reason, pages=1)
    pages = [home, *(read_page(capture, sheets) for capture in collected.pages[1:])]
    legal = [read_page(capture, sheets) for capture in collected.legal]
    texts = [page.text for page in pages]
    language = main_language(texts)
    facts = gather_facts(collected.url, pages, legal, collected.pictures)
    landed = domain_of(home.url)
    if landed and landed != facts.domain:
        facts = replace(facts, keys=facts.keys | {("domain", landed)})
    keywords = count_keywords(in_language(texts, language), language, lemmas=lemmas)
    return Site(collected.url, Outcome.OK, "", language, keywords, facts, len(pages))
