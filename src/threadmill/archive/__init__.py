"""Keeps what servers answered: writes WARC files, and reads WARC, HTML and Wikipedia extracts as captures."""

from threadmill.archive.inputs import read_inputs
from threadmill.archive.read_tally import ReadTally, SkippedRecord
from threadmill.archive.recovery import RecoveredFile, read_exchanges_after, recover
from threadmill.archive.warc_reader import read_at, read_captures
from threadmill.archive.warc_writer import ArchiveWriter, OriginalCapture

__all__ = [
    "ArchiveWriter",
    "OriginalCapture",
    "ReadTally",
    "RecoveredFile",
    "SkippedRecord",
    "read_at",
    "read_captures",
    "read_exchanges_after",
    "read_inputs",
    "recover",
]
