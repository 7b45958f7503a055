import pytest

from threadmill.cli import main


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["serve", "--processes", "-1"], "expected a whole number, from 0 to 10000, not '-1'"),
        (["serve", "--processes", "99999999"], "expected a whole number, from 0 to 10000, not '99999999'"),
        (["worker", "collect", "--together", "0"], "expected a whole number, 1 or more, not '0'"),
        (["worker", "dance"], "invalid choice: 'dance'"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
