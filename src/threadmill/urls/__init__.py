"""URLs: one spelling for each page, the site it belongs to, and URLs that lead nowhere.

A URL is a plain `str` everywhere in Threadmill. It is a key in databases, sets and files, a frontier holds a
million of them, and the links of every page pass through here. A string is a canonical URL when
`canonicalise` or `resolve` returned it.
"""

from threadmill.urls.canonical import MAX_LENGTH, canonicalise, is_trap, resolve
from threadmill.urls.sites import Scope, host_of, in_scope, same_site, site_of

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
