"""Pages of one site → its framing: what repeats over them, to be removed or marked; pure."""

from threadmill.template.apply.apply import Found, Method, find, mark_framing, remove_framing
from threadmill.template.apply.fit import Fit
from threadmill.template.apply.framed_blocks import framing_blocks, framing_elements, framing_flags
from threadmill.template.apply.marking import unmark
from threadmill.template.apply.paragraphs import clean_html, clean_with_template, framing_of
from threadmill.template.clusters.clusters import Cluster, ClusterSettings, find_clusters
from threadmill.template.learn import learn
from threadmill.template.packing import pack, unpack
from threadmill.template.places.place_settings import PlaceSettings
from threadmill.template.template import Template, TemplateSettings

__all__ = [
    "Cluster",
    "ClusterSettings",
    "Fit",
    "Found",
    "Method",
    "PlaceSettings",
    "Template",
    "TemplateSettings",
    "clean_html",
    "clean_with_template",
    "find",
    "find_clusters",
    "framing_blocks",
    "framing_elements",
    "framing_flags",
    "framing_of",
    "learn",
    "mark_framing",
    "pack",
    "remove_framing",
    "unmark",
    "unpack",
]
