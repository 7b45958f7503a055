"""What servers answered, kept for good: WARC, HTML files and Wikipedia extracts become captures."""

from threadmill.archive.inputs import read_inputs
from threadmill.archive.reader import read_at, read_captures
from threadmill.archive.recovery import Recovered, exchanges_after, recover
from threadmill.archive.tally import Skip, Tally
from threadmill.archive.writer import ArchiveWriter, Original

__all__ = [
    "ArchiveWriter",
    "Original",
    "Recovered",
    "Skip",
    "Tally",
    "exchanges_after",
    "read_at",
    "read_captures",
    "read_inputs",
    "recover",
]
