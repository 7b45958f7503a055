"""URLs: one spelling for one page, which site it belongs to, and which lead nowhere.

A URL is a plain `str` everywhere in Threadmill: it is a key in databases, sets and files, a frontier holds a
million of them, and the links of every page pass through here. What makes a string a canonical URL is that
`canonicalise` or `resolve` returned it.
"""

from threadmill.urls.canonical import MAX_LENGTH, canonicalise, resolve
from threadmill.urls.sites import Scope, host_of, in_scope, same_site, site_of
from threadmill.urls.traps import is_trap

__all__ = [
    "MAX_LENGTH",
    "Scope",
    "canonicalise",
    "host_of",
    "in_scope",
    "is_trap",
    "resolve",
    "same_site",
    "site_of",
]
