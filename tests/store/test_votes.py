from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from threadmill.store.votes import Vote, add_vote_set, list_vote_sets, load_vote_set, put_vote, votes_of

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)


def test_a_person_has_one_vote_on_a_page_the_last(empty: Connection) -> None:
    number = add_vote_set(empty, "round", ["ours", "theirs"], ["c1", "c2"], who="Ana", at=NOW)
    found = load_vote_set(empty, number)
    assert found is not None
    assert (found.readings, found.pages, found.created) == (("ours", "theirs"), ("c1", "c2"), NOW)
    later = NOW + timedelta(minutes=1)
    for vote in (
        Vote(0, "Ana", "ours", 3.0, NOW),
        Vote(0, "Ben", "equal", 1.0, NOW),
        Vote(0, "Ana", "theirs", 9.0, later),
    ):
        put_vote(empty, number, vote)
    assert [(vote.who, vote.choice, vote.seconds) for vote in votes_of(empty, number)] == [
        ("Ben", "equal", 1.0),
        ("Ana", "theirs", 9.0),
    ]
    assert [(one.id, votes, voters) for one, votes, voters in list_vote_sets(empty, 5)] == [(number, 2, 2)]
    assert load_vote_set(empty, number + 1) is None
