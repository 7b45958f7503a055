import pytest

from threadmill.console.security.passwords import LoginLimit, check_hash, check_password, hash_password
from threadmill.errors import SettingsError


def test_a_password_fits_its_own_hash_only() -> None:
    hashed = hash_password("tide table")
    assert check_password("tide table", hashed)
    assert not check_password("tide tables", hashed)
    assert "tide" not in hashed


def test_two_hashes_of_one_password_differ() -> None:
    assert hash_password("same") != hash_password("same")


@pytest.mark.parametrize("setting", ["secret", "scrypt$", "scrypt$?$?", "md5$aaaa$bbbb", "scrypt$a$b$c"])
def test_a_setting_that_is_no_hash_is_refused_with_the_cure(setting: str) -> None:
    with pytest.raises(SettingsError, match="--hash-password"):
        check_hash(setting)


def test_an_address_waits_longer_after_each_wrong_password_and_others_do_not() -> None:
    now = [0.0]
    limit = LoginLimit(lambda: now[0])
    for _ in range(4):
        limit.note_failure("a")
    assert limit.wait("a") == 0
    limit.note_failure("a")
    first = limit.wait("a")
    assert first > 0
    assert limit.wait("b") == 0
    now[0] += first
    limit.note_failure("a")
    assert limit.wait("a") > first


def test_a_right_password_ends_the_waiting() -> None:
    limit = LoginLimit(lambda: 0.0)
    for _ in range(9):
        limit.note_failure("a")
    limit.note_success("a")
    assert limit.wait("a") == 0


def test_very_many_tries_from_many_addresses_stop_everybody_for_a_minute() -> None:
    now = [0.0]
    limit = LoginLimit(lambda: now[0])
    for number in range(100):
        limit.note_failure(f"10.0.0.{number}")
    assert limit.wait("fresh") > 0
    now[0] += 61
    assert limit.wait("fresh") == 0
