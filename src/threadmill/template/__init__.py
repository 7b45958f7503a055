"""Learns the framing of a site from its pages, and removes or marks it on a page."""

from threadmill.template.apply.marking import unmark
from threadmill.template.apply.page_framing import (
    FoundFraming,
    FramingMethod,
    TemplateFit,
    clean_html,
    clean_with_template,
    find_framing,
    framing_blocks,
    framing_elements,
    framing_flags,
    framing_of,
    mark_framing,
    remove_framing,
)
from threadmill.template.clusters.page_clusters import ClusterSettings, PageCluster, find_clusters
from threadmill.template.learn import (
    Template,
    TemplateSettings,
    learn_template,
    pack_template,
    unpack_template,
)
from threadmill.template.places.place_statistics import PlaceSettings

__all__ = [
    "ClusterSettings",
    "FoundFraming",
    "FramingMethod",
    "PageCluster",
    "PlaceSettings",
    "Template",
    "TemplateFit",
    "TemplateSettings",
    "clean_html",
    "clean_with_template",
    "find_clusters",
    "find_framing",
    "framing_blocks",
    "framing_elements",
    "framing_flags",
    "framing_of",
    "learn_template",
    "mark_framing",
    "pack_template",
    "remove_framing",
    "unmark",
    "unpack_template",
]
