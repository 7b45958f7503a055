"""What all routes of the console share."""

from __future__ import annotations

from dataclasses import dataclass, field

from threadmill.console.inspector.page_sources import HeldPages
from threadmill.console.overview.crawl_processes import CrawlProcesses
from threadmill.console.page_renderer import PageRenderer
from threadmill.console.security.gate import AccessRules
from threadmill.console.shared_reading import SharedReading
from threadmill.console.sites.comparisons import SiteWorker
from threadmill.service.http.store_access import StoreAccess
from threadmill.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ConsoleContext:
    """The workspace, its store, the rules of access, the templates, and the work that is going on."""

    workspace: Workspace
    access: StoreAccess
    rules: AccessRules
    renderer: PageRenderer
    crawls: CrawlProcesses
    worker: SiteWorker
    disk: SharedReading[tuple[int, int]]  # bytes of the archive, and of the rest
    held: HeldPages = field(default_factory=HeldPages)
