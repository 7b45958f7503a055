from pathlib import Path

import pytest

from threadmill.crawl.access.login import load_recipe
from threadmill.errors import UsageError


def write(folder: Path, text: str) -> Path:
    file = folder / "login.toml"
    file.write_text(text, "utf-8")
    return file


def test_values_come_from_the_recipe_the_environment_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "from the environment")
    (tmp_path / "pass.txt").write_text("from a file\nand more\n", "utf-8")
    text = 'url = "https://x.example/login"\nproof = "Log out"\n[fields]\na = "plain"\n'
    recipe = load_recipe(write(tmp_path, text + 'b = {env = "SECRET"}\nc = {file = "pass.txt"}\n'))
    assert (recipe.url, recipe.proof) == ("https://x.example/login", "Log out")
    assert dict(recipe.fields) == {"a": "plain", "b": "from the environment", "c": "from a file"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("url = ", "expected TOML"),
        ("a." * 20_000 + "b = 1", "more than 32 parts"),
        ("[fields]\na = 'b'", "address of the log-in page"),
        ("url = 'ftp://x'\n[fields]\na = 'b'", "address of the log-in page"),
        ("url = 'http://x'", r"a table \[fields\]"),
        ("url = 'http://x'\npassword = 'b'", "sets password"),
        ("url = 'http://x'\nproof = 1\n[fields]\na = 'b'", "words that only members see"),
        ("url = 'http://x'\n[fields]\na = 1", "as the value of a"),
        ("url = 'http://x'\n[fields]\na = {env = 'NOT_SET_ANYWHERE'}", "which is not set"),
        ("url = 'http://x'\n[fields]\na = {file = 'nowhere'}", "cannot be read"),
    ],
)
def test_what_is_wrong_in_a_recipe_is_said(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        load_recipe(write(tmp_path, text))
