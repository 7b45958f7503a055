import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from threadmill.corpus.build.documents import Document, Passage, Section, Span, canonical
from threadmill.corpus.vertical import Writer, dialect, read
from threadmill.corpus.vertical.corpus_managers import (
    MANAGERS,
    CorpusDescription,
    convert_corpus,
    corpus_manager,
    cwb_commands,
    manatee_registry,
    prepare_corpus,
)
from threadmill.errors import UsageError
from threadmill.types import Token

TAGGED = ("word", "lemma", "tag", "lempos")
PASSAGE = Passage(
    (
        (
            Token("AT&T", False, "AT&T", "PROPN"),
            Token(",", True, ",", "PUNCT"),
            Token("<p>", True, "p", "NOUN"),
        ),
    ),
    (Span("http://x.org/", 0, 2),),
)
HEAD = Passage(((Token("Mills", True, "mill", "NOUN"),),))
DOCUMENTS = [
    canonical(
        Document(
            (("id", "77"), ("url", "http://x.org/?a=1&b=2"), ("title", 'T "x"')),
            (Section("post", (("author", "A"),), (PASSAGE,)),),
            HEAD,
        )
    ),
    canonical(Document((("url", "http://x.org/2"),), (PASSAGE,))),
]


def corpus(folder: Path, name: str, columns: tuple[str, ...] = ("word",)) -> CorpusDescription:
    writer = Writer(dialect(name), columns)
    vertical = folder / "my corpus.vert"
    vertical.write_text("".join(map(writer.write, DOCUMENTS)), encoding="utf-8")
    return CorpusDescription(vertical, writer.inventory, columns)


def test_the_registry_names_every_structure_and_attribute_that_was_written(tmp_path: Path) -> None:
    lines = manatee_registry(corpus(tmp_path, "sketch")).split("\n")
    for line in ['NAME "my corpus"', f'VERTICAL "{tmp_path}/my corpus.vert"', "ATTRIBUTE word", "STRUCTURE doc {", "    ATTRIBUTE url", "STRUCTURE s", "STRUCTURE post {", '    DISPLAYBEGIN "_EMPTY_"']:  # noqa: E501  # fmt: skip
        assert line in lines
    assert sum(line.endswith("{") for line in lines) == lines.count("}")
    assert not any(line.startswith(("TAGSETDOC", "LPOSLIST")) for line in lines)


def test_the_registry_of_a_tagged_corpus_explains_its_tags(tmp_path: Path) -> None:
    text = manatee_registry(corpus(tmp_path, "sketch", TAGGED))
    assert 'TAGSETDOC "https://universaldependencies.org/u/pos/"' in text
    assert ",noun,NOUN," in text
    assert 'LPOSLIST ",noun,-n,verb,-v,' in text
    assert "ATTRIBUTE lempos" in text.split("\n")


def test_the_cwb_command_declares_every_structure_and_passes_over_glue(tmp_path: Path) -> None:
    text = cwb_commands(corpus(tmp_path, "cwb", ("word", "lemma", "tag")))
    for words in [
        "-S doc:0+id+url+title",
        "-S post:0+author",
        "-S link:0+url",
        "-0 g",
        "-P lemma -P tag",
        "-xsB",
    ]:
        assert words in text
    assert f"cwb-makeall -r {tmp_path}/cwb/registry -V MY_CORPUS" in text


def test_lempos_joins_lemma_and_part_of_speech(tmp_path: Path) -> None:
    made = corpus(tmp_path, "sketch", TAGGED)
    lines = made.vertical.read_text(encoding="utf-8").split("\n")
    assert "Mills\tmill\tNOUN\tmill-n" in lines
    assert ",\t,\tPUNCT\t,-x" in lines


@pytest.mark.parametrize("name", MANAGERS)
def test_every_manager_gets_its_files_and_a_page_that_names_them(name: str, tmp_path: Path) -> None:
    manager = corpus_manager(name)
    made = corpus(tmp_path, manager.dialect, ("word", "lemma", "tag"))
    *files, page = prepare_corpus(made, manager)
    text = page.read_text(encoding="utf-8")
    assert page.name == f"my corpus.vert.{name}.md"
    assert files
    for file in files:
        assert file.exists()
        assert f"`{file.name}`" in text
    assert "2 documents, 7 positions" in text
    assert "{" not in text


def test_cqpweb_gets_texts_with_unique_ids_and_a_table_about_them(tmp_path: Path) -> None:
    made = corpus(tmp_path, "cwb")
    prepare_corpus(made, corpus_manager("cqpweb"))
    lines = made.vertical.read_text(encoding="utf-8").split("\n")
    assert '<text id="t1" url="http://x.org/?a=1&amp;b=2" title="T &quot;x&quot;">' in lines
    assert '<text id="t2" url="http://x.org/2">' in lines
    assert lines.count("</text>") == 2
    assert not any(line.startswith(("<doc", "</doc")) for line in lines)
    table = made.beside("metadata.tsv").read_text(encoding="utf-8").split("\n")
    assert table == ['t1\thttp://x.org/?a=1&b=2\tT "x"', "t2\thttp://x.org/2\t", ""]
    assert "-S text:0+id+url+title" in made.beside("cwb.sh").read_text(encoding="utf-8")


def test_the_texts_of_cqpweb_can_be_converted_back(tmp_path: Path) -> None:
    made = corpus(tmp_path, "cwb")
    prepare_corpus(made, corpus_manager("cqpweb"))
    with made.vertical.open(encoding="utf-8") as lines:
        found = list(read(lines, dialect("cwb")))
    assert [document.attribute("id") for document in found] == ["t1", "t2"]
    assert [document.children for document in found] == [
        next(read(Writer(dialect("cwb")).write(document).split("\n")[:-1], dialect("cwb"))).children
        for document in DOCUMENTS
    ]


def test_blacklab_reads_the_columns_by_their_places(tmp_path: Path) -> None:
    made = corpus(tmp_path, "sketch", ("word", "lemma", "tag"))
    prepare_corpus(made, corpus_manager("blacklab"))
    said = yaml.safe_load(made.beside("blf.yaml").read_text(encoding="utf-8"))
    fields = said["annotatedFields"]["contents"]["annotations"]
    assert [(field["name"], field["valuePath"]) for field in fields] == [
        ("word", 1),
        ("lemma", 2),
        ("pos", 3),
    ]
    assert said["documentPath"] == "doc"
    assert said["fileTypeOptions"]["glueTags"] is True


def test_antconc_gets_one_text_per_document(tmp_path: Path) -> None:
    made = corpus(tmp_path, "sketch")
    prepare_corpus(made, corpus_manager("antconc"))
    texts = sorted((tmp_path / "my corpus.vert.texts").rglob("*.txt"))
    assert [file.read_text(encoding="utf-8") for file in texts] == ["Mills\nAT&T, <p>\n", "AT&T, <p>\n"]


def test_antconc_gets_tags_behind_the_words(tmp_path: Path) -> None:
    made = corpus(tmp_path, "sketch", ("word", "lemma", "tag"))
    prepare_corpus(made, corpus_manager("antconc"))
    texts = sorted((tmp_path / "my corpus.vert.texts").rglob("*.txt"))
    assert texts[1].read_text(encoding="utf-8") == "AT&T_PROPN ,_PUNCT <p>_NOUN\n"


@pytest.mark.parametrize(
    ("source", "target"), [("sketch", "cwb"), ("cwb", "sketch"), ("sketch", "knot"), ("knot", "cwb")]
)
def test_conversion_between_dialects_loses_nothing(source: str, target: str, tmp_path: Path) -> None:
    columns = ("word", "lemma", "tag")
    made = corpus(tmp_path, source, columns)
    other = tmp_path / "other.vert"
    read_lines = made.vertical.read_text(encoding="utf-8").splitlines(keepends=True)
    inventory = convert_corpus(read_lines, other, (source, target), columns)
    lines = other.read_text(encoding="utf-8").splitlines(keepends=True)
    assert list(read(lines, dialect(target), columns)) == DOCUMENTS
    assert (inventory.documents, inventory.tokens) == (2, 7)


def test_an_unknown_manager_is_refused_with_the_list() -> None:
    with pytest.raises(
        UsageError, match="there is no corpus manager 'sketchy'; choose one of nosketch, kontext"
    ):
        corpus_manager("sketchy")


@pytest.mark.skipif(
    not shutil.which("cwb-encode"), reason="the Corpus Workbench is not installed (cwb-encode)"
)
@pytest.mark.parametrize("name", ["cwb", "cqpweb"])
def test_the_corpus_workbench_loads_it_without_a_warning(name: str, tmp_path: Path) -> None:
    made = corpus(tmp_path, "cwb")
    prepare_corpus(made, corpus_manager(name))
    script = made.beside("cwb.sh").read_text(encoding="utf-8")
    done = subprocess.run(["sh", "-ec", script], capture_output=True, text=True, check=True)
    assert "warning" not in done.stderr.lower()


@pytest.mark.skipif(not shutil.which("corpconfcheck"), reason="manatee is not installed (corpconfcheck)")
def test_manatee_accepts_the_registry_file(tmp_path: Path) -> None:
    made = corpus(tmp_path, "sketch", TAGGED)
    registry, *_ = prepare_corpus(made, corpus_manager("nosketch"))
    subprocess.run(["corpconfcheck", str(registry)], capture_output=True, check=True)


@pytest.mark.parametrize(("name", "ending"), [("nosketch", "load.sh"), ("cwb", "cwb.sh")])
def test_a_script_that_loads_ends_at_the_first_failure_and_runs_from_anywhere(
    name: str, ending: str, tmp_path: Path
) -> None:
    made = corpus(tmp_path, corpus_manager(name).dialect, TAGGED)
    prepare_corpus(made, corpus_manager(name))
    programs = tmp_path / "bin"
    programs.mkdir()
    for program in ("corpconfcheck", "compilecorp", "cwb-encode", "cwb-makeall"):
        (programs / program).write_text(
            f'#!/bin/sh\necho {program} >> "{tmp_path}/ran"\nls "$PWD/"*.vert\nexit 3\n'
        )
        (programs / program).chmod(0o755)
    path = f"{programs}:/usr/bin:/bin"
    done = subprocess.run(
        ["sh", str(made.beside(ending))], check=False, cwd="/", env={"PATH": path}, capture_output=True
    )
    assert done.returncode == 3
    assert (tmp_path / "ran").read_text().split() in (["corpconfcheck"], ["cwb-encode"])
    assert b"my corpus.vert" in done.stdout
