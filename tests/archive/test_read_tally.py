from threadmill.archive.read_tally import ReadTally, RecordPlace, SkippedRecord


def test_a_place_shows_its_offsets() -> None:
    assert str(RecordPlace("a.warc.gz", 12)) == "a.warc.gz:12"
    assert str(RecordPlace("a.warc.gz", 12, 300)) == "a.warc.gz:12+300"


def test_all_skipped_records_are_counted_and_the_first_hundred_of_each_reason_named() -> None:
    tally = ReadTally()
    for number in range(150):
        tally.skip(RecordPlace("f", number), "request record")
    tally.skip(RecordPlace("f", 7), "truncated record", damaged=True)
    named = list(tally.named)
    assert tally.skipped == {"request record": 150, "truncated record": 1}
    assert tally.damaged == 1
    assert len(named) == 101
    assert named[99] == SkippedRecord("f:99", "request record")
    assert named[100] == SkippedRecord("f:7", "truncated record")
