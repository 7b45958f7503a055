import subprocess
import sys

import pytest

from threadmill.cli import VERBS, main, make_parser


def test_help_lists_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(verb in out for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_an_example_in_its_help(verb: str) -> None:
    parser, module = make_parser(verb)
    assert f"threadmill {verb}" in module.EXAMPLES
    assert module.EXAMPLES in parser.format_help()


def test_an_unknown_verb_is_one_sentence_and_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frobnicate"]) == 2
    err = capsys.readouterr().err
    assert "no command 'frobnicate'" in err
    assert err.count("\n") == 1


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from threadmill.cli import main; main(['--help']); "
        "print(sorted({'rich', 'sqlalchemy', 'aiohttp', 'turbohtml', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
