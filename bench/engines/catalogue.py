"""The live engines by name."""

from __future__ import annotations

from bench.engines.django_forums import Mezzanine, Spirit
from bench.engines.engine import LiveEngine
from bench.engines.mail import HyperKitty, Mhonarc, PublicInbox
from bench.engines.redmine import Redmine
from bench.engines.trackers import Fossil, Roundup, Trac

ENGINES: dict[str, type[LiveEngine]] = {
    engine.name: engine
    for engine in (Mhonarc, PublicInbox, HyperKitty, Roundup, Trac, Fossil, Spirit, Redmine, Mezzanine)
}
