"""The live engines by name."""

from __future__ import annotations

from bench.engines.django_forums import Mezzanine, Spirit
from bench.engines.django_sites import Machina, Pybbm
from bench.engines.engine import LiveEngine
from bench.engines.ikiwiki import IkiWiki
from bench.engines.mail import HyperKitty, Mhonarc, PublicInbox
from bench.engines.misago import Misago
from bench.engines.nodebb import NodeBB
from bench.engines.python_forums import Askbot, FlaskBB
from bench.engines.redmine import Redmine
from bench.engines.trackers import Fossil, Roundup, Trac
from bench.engines.wordpress import WordPress

ENGINES: dict[str, type[LiveEngine]] = {
    engine.name: engine
    for engine in (
        Mhonarc,
        PublicInbox,
        HyperKitty,
        Roundup,
        Trac,
        Fossil,
        Spirit,
        Redmine,
        Mezzanine,
        Pybbm,
        Machina,
        FlaskBB,
        Askbot,
        NodeBB,
        WordPress,
        Misago,
        IkiWiki,
    )
}
