import shutil
import subprocess
from pathlib import Path

import pytest

from threadmill.corpus.build.documents import Document, Passage, Section, Span, canonical
from threadmill.corpus.vertical import Writer, dialect
from threadmill.corpus.vertical.registry import cwb_commands, manatee_registry
from threadmill.types import Token

PASSAGE = Passage(((Token("AT&T", False), Token(","), Token("<p>")),), (Span("http://x.org/", 0, 2),))
DOCUMENT = canonical(
    Document((("url", "http://x.org/"), ("title", "T")), (Section("post", (("author", "A"),), (PASSAGE,)),))
)


def written(name: str) -> tuple[str, Writer]:
    writer = Writer(dialect(name))
    return writer.write(DOCUMENT), writer


def test_the_registry_names_every_structure_and_attribute_that_was_written() -> None:
    _, writer = written("sketch")
    text = manatee_registry("My corpus", Path("/data/c.vert"), writer.inventory)
    for line in ['NAME "My corpus"', 'VERTICAL "/data/c.vert"', "ATTRIBUTE word", "STRUCTURE doc {", "    ATTRIBUTE url", "STRUCTURE s", "STRUCTURE post {", '    DISPLAYBEGIN "_EMPTY_"']:  # noqa: E501  # fmt: skip
        assert line in text.split("\n")
    assert text.count("{") == text.count("}")


def test_the_cwb_command_declares_every_structure_and_passes_over_glue() -> None:
    _, writer = written("cwb")
    text = cwb_commands("my", Path("/data/c.vert"), writer.inventory, ("word", "lemma", "tag"))
    for words in [
        "-S doc:0+url+title",
        "-S post:0+author",
        "-S link:0+url",
        "-0 g",
        "-P lemma -P tag",
        "-xsB",
    ]:
        assert words in text


@pytest.mark.skipif(
    not shutil.which("cwb-encode"), reason="the Corpus Workbench is not installed (cwb-encode)"
)
def test_the_corpus_workbench_loads_it_without_a_warning(tmp_path: Path) -> None:
    text, writer = written("cwb")
    vertical = tmp_path / "c.vert"
    vertical.write_text(text, encoding="utf-8")
    script = cwb_commands("my", vertical, writer.inventory)
    done = subprocess.run(["sh", "-ec", script], capture_output=True, text=True, check=True)
    assert "warning" not in done.stderr.lower()


@pytest.mark.skipif(not shutil.which("corpconfcheck"), reason="manatee is not installed (corpconfcheck)")
def test_manatee_accepts_the_registry_file(tmp_path: Path) -> None:
    text, writer = written("sketch")
    vertical = tmp_path / "c.vert"
    vertical.write_text(text, encoding="utf-8")
    registry = tmp_path / "my"
    registry.write_text(manatee_registry("my", vertical, writer.inventory), encoding="utf-8")
    subprocess.run(["corpconfcheck", str(registry)], capture_output=True, check=True)
