"""Prepares a vertical corpus for a corpus manager: dialect, configuration, and a page on how to load it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.sax.saxutils import quoteattr

from threadmill.corpus.build.documents import Document, clean_name
from threadmill.corpus.vertical.dialects import dialect
from threadmill.corpus.vertical.reader import ATTRIBUTE, read
from threadmill.corpus.vertical.writer import LEMPOS, Inventory, Writer
from threadmill.errors import UsageError

# Tags without content. manatee knows <g/>; CWB must be told to skip them.
_EMPTY = ("g", "dup")
_LOWER_CASE = """\
ATTRIBUTE lc {
    LABEL "word (lowercase)"
    DYNAMIC utf8lowercase
    DYNLIB internal
    ARG1 "C"
    FUNTYPE s
    FROMATTR word
    TYPE index
    TRANSQUERY yes
}
"""
# Universal parts of speech, as the query form of (No)Sketch Engine offers them: label, then regular
# expression.
_PARTS_OF_SPEECH = {
    "adjective": "ADJ",
    "adposition": "ADP",
    "adverb": "ADV",
    "auxiliary": "AUX",
    "conjunction": "[CS]CONJ",
    "determiner": "DET",
    "interjection": "INTJ",
    "noun": "NOUN",
    "number": "NUM",
    "particle": "PART",
    "pronoun": "PRON",
    "proper noun": "PROPN",
    "punctuation": "PUNCT",
    "verb": "VERB",
}
_TAGSET = (
    'TAGSETDOC "https://universaldependencies.org/u/pos/"',
    f'WPOSLIST "{"".join(f",{label},{pattern}" for label, pattern in _PARTS_OF_SPEECH.items())}"',
)
_LEMPOS_LABELS = {
    "n": "noun",
    "v": "verb",
    "j": "adjective",
    "a": "adverb",
    "d": "pronoun",
    "i": "adposition",
}
_LEMPOS_LABELS |= {"c": "conjunction", "m": "number"}
_DOC_LINE = re.compile(r"<doc(?=[ >])")
_TEXTS_IN_A_FOLDER = 1000
_MAINTAINER = "root@localhost"  # whoever runs the server, as long as nobody is named


@dataclass(frozen=True, slots=True)
class CorpusManager:
    """A program that corpora are prepared for."""

    name: str
    title: str
    dialect: str
    lempos: bool = False  # lemma and part of speech in one column, as its word lists want it


MANAGERS = {
    manager.name: manager
    for manager in (
        CorpusManager("nosketch", "(No)Sketch Engine", "sketch", lempos=True),
        CorpusManager("kontext", "KonText", "sketch", lempos=True),
        CorpusManager("cwb", "the Corpus Workbench", "cwb"),
        CorpusManager("cqpweb", "CQPweb", "cwb"),
        CorpusManager("blacklab", "BlackLab", "sketch"),
        CorpusManager("antconc", "AntConc", "sketch"),
    )
}


def corpus_manager(name: str) -> CorpusManager:
    """A corpus manager by its name."""
    if name not in MANAGERS:
        raise UsageError(f"there is no corpus manager {name!r}; choose one of {', '.join(MANAGERS)}")
    return MANAGERS[name]


@dataclass(frozen=True, slots=True)
class CorpusDescription:
    """A finished vertical file, and what the configuration of a corpus manager tells about it."""

    vertical: Path
    inventory: Inventory
    columns: Sequence[str] = ("word",)
    language: str = ""  # the code of the only one that was wanted; else its documents tell
    maintainer: str = ""  # a mail address
    page: str = ""  # the file beside it that tells how to load it

    @property
    def name(self) -> str:
        """The name of the corpus."""
        return self.vertical.name.partition(".")[0]

    def beside(self, ending: str) -> Path:
        """A file beside the corpus."""
        return self.vertical.with_name(f"{self.vertical.name}.{ending}")


def prepare_corpus(corpus: CorpusDescription, manager: CorpusManager) -> list[Path]:
    """Write what a corpus manager needs beside a vertical of its dialect. The page comes last."""
    corpus = replace(corpus, page=f"{manager.name}.md")
    if manager.name == "cqpweb":
        files = _prepare_cqpweb(corpus)
    elif manager.name in {"nosketch", "kontext"}:
        files = _prepare_manatee(corpus, manager)
    elif manager.name == "cwb":
        files = [_write(corpus.beside("cwb.sh"), cwb_commands(corpus))]
    elif manager.name == "blacklab":
        files = [_write(corpus.beside("blf.yaml"), _blacklab_format(corpus))]
    else:
        files = [_write_plain_texts(corpus)]
    page = _write(corpus.beside(corpus.page), _page(corpus, manager, files))
    return [*files, page]


def convert_corpus(
    lines: Iterable[str],
    output: Path,
    dialects: tuple[str, str],
    columns: Sequence[str],
    written: Sequence[str] = (),
) -> Inventory:
    """Write a vertical of one dialect in another dialect. Returns the structures that it has.

    `written` are the columns of the output, if it has more than the input: lempos is made of lemma and tag.
    """
    source, target = dialects
    writer = Writer(dialect(target), written or columns)
    with output.open("w", encoding="utf-8", newline="\n") as file:
        for document in read(lines, dialect(source), columns):
            file.write(writer.write(document))
    return writer.inventory


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _prepare_manatee(corpus: CorpusDescription, manager: CorpusManager) -> list[Path]:
    registry = _write(corpus.beside("registry"), manatee_registry(corpus))
    commands = [
        ["corpconfcheck", registry.name],
        ["compilecorp", "--no-ske", "--recompile-corpus", registry.name],
    ]
    files = [registry, _write(corpus.beside("load.sh"), _script(commands))]
    if manager.name == "kontext":
        files.append(_write(corpus.beside("corplist.xml"), _kontext_entry(corpus)))
    return files


def manatee_registry(corpus: CorpusDescription) -> str:
    """The registry file for `compilecorp` and `corpconfcheck`."""
    language = corpus.language or corpus.inventory.language
    vertical = corpus.vertical.resolve()
    info = (
        f"{corpus.inventory.documents:,} documents, {corpus.inventory.tokens:,} positions; made by Threadmill"
    )
    lines = [
        f'NAME "{corpus.name}"',
        f'PATH "{vertical.parent / "manatee" / clean_name(corpus.name)}"',
        f'VERTICAL "{vertical}"',
        'ENCODING "UTF-8"',
        f'LANGUAGE "{_LANGUAGE_NAMES.get(language, language) or "Multilingual"}"',
        f'INFO "{info}"',
        *([f'INFOHREF "{corpus.beside(corpus.page).resolve().as_uri()}"'] if corpus.page else []),
        f'MAINTAINER "{corpus.maintainer or _MAINTAINER}"',
        'DOCSTRUCTURE "doc"',
        'DEFAULTATTR "word"',
        *(_TAGSET if "tag" in corpus.columns else ()),
        *([_lempos_list()] if "lempos" in corpus.columns else ()),
        "",
        *(f"ATTRIBUTE {column}" for column in corpus.columns),
        _LOWER_CASE,
    ]
    for structure, attributes in corpus.inventory.structures.items():
        lines += _registry_structure(structure, attributes)
    return "\n".join(lines) + "\n"


def _lempos_list() -> str:
    letters = dict.fromkeys(LEMPOS.values())
    return f'LPOSLIST "{"".join(f",{_LEMPOS_LABELS[letter]},-{letter}" for letter in letters)}"'


def _registry_structure(name: str, attributes: dict[str, None]) -> list[str]:
    if name == "g":
        return ["STRUCTURE g {", "    DISPLAYTAG 0", '    DISPLAYBEGIN "_EMPTY_"', "}"]
    if not attributes:
        return [f"STRUCTURE {name}"]
    return [f"STRUCTURE {name} {{", *(f"    ATTRIBUTE {attribute}" for attribute in attributes), "}"]


def _kontext_entry(corpus: CorpusDescription) -> str:
    """The entry for the list of corpora of KonText (the plug-in default_corparch)."""
    return (
        "<kontext>\n    <corplist>\n"
        f'        <corpus ident={quoteattr(clean_name(corpus.name))} sentence_struct="s"/>\n'
        "    </corplist>\n</kontext>\n"
    )


def cwb_commands(corpus: CorpusDescription) -> str:
    """The commands that load a vertical of dialect cwb into the Corpus Workbench."""
    name = clean_name(corpus.name)
    vertical = corpus.vertical.resolve()
    data = vertical.parent / "cwb" / name
    registry = vertical.parent / "cwb" / "registry"
    words = ["cwb-encode", "-d", str(data), "-f", str(vertical), "-R", str(registry / name)]
    words += ["-c", "utf8", "-xsB"]
    for column in corpus.columns[1:]:
        words += ["-P", column]
    for structure, attributes in corpus.inventory.structures.items():
        if structure in _EMPTY:
            words += ["-0", structure]
        else:
            # Quotes in forums contain quotes. Nothing else nests in itself.
            depth = 5 if structure == "quote" else 0
            words += ["-S", "+".join([f"{structure}:{depth}", *attributes])]
    # cwb-makeall is part of every CWB; cwb-make comes with its Perl modules only.
    make = ["cwb-makeall", "-r", str(registry), "-V", name.upper()]
    return _script([["mkdir", "-p", str(data), str(registry)], words, make])


def _script(commands: Iterable[Sequence[str]]) -> str:
    """A script that ends at the first command that fails, and runs in the folder of the corpus."""
    lines = "".join(f"{shlex.join(command)}\n" for command in commands)
    return f'#!/bin/sh\nset -e\ncd "$(dirname "$0")"\n{lines}'


def _prepare_cqpweb(corpus: CorpusDescription) -> list[Path]:
    """CQPweb wants <text id> in place of <doc>, and the data about the texts as a table."""
    names = [*corpus.inventory.structures.get("doc", {})]
    fresh, table = corpus.beside("new"), corpus.beside("metadata.tsv")
    with (
        corpus.vertical.open(encoding="utf-8", newline="\n") as lines,
        fresh.open("w", encoding="utf-8", newline="\n") as file,
        table.open("w", encoding="utf-8", newline="\n") as rows,
    ):
        for line, values in _with_text_ids(lines):
            file.write(line)
            if values is not None:
                rows.write(
                    "\t".join([values["id"], *(values.get(name, "") for name in names if name != "id")])
                )
                rows.write("\n")
    fresh.replace(corpus.vertical)
    structures = {
        ("text" if name == "doc" else name): ({"id": None, **attributes} if name == "doc" else attributes)
        for name, attributes in corpus.inventory.structures.items()
    }
    inventory = Inventory(structures, corpus.inventory.documents, corpus.inventory.tokens)
    renamed = replace(corpus, inventory=inventory)
    return [_write(corpus.beside("cwb.sh"), cwb_commands(renamed)), table]


def _with_text_ids(lines: Iterable[str]) -> Iterator[tuple[str, dict[str, str] | None]]:
    """The lines with <text id="t1" …> in place of <doc …>, and for such a line its attributes."""
    unescape = dialect("cwb").read_value
    number = 0
    for line in lines:
        if line.startswith("</doc>"):
            yield "</text>\n", None
        elif _DOC_LINE.match(line):
            number += 1
            said = {m[1]: unescape(m[2] if m[2] is not None else m[3]) for m in ATTRIBUTE.finditer(line)}
            values = {**said, "id": f"t{number}"}
            # A text has one id, so that of the page gives way.
            rest = re.sub(r'\s+id="[^"]*"', "", line[len("<doc") :])
            yield f'<text id="t{number}"{rest}', values
        else:
            yield line, None


def _blacklab_format(corpus: CorpusDescription) -> str:
    """BlackLab's description of the format: columns, tags between the lines, <g/>, and documents."""
    lines = [
        f"displayName: {json.dumps(corpus.name)}",
        "description: vertical text made by Threadmill",
        "fileType: tabular",
        "fileTypeOptions:",
        "  type: tsv",
        "  inlineTags: true",
        "  glueTags: true",
        "documentPath: doc",
        "annotatedFields:",
        "  contents:",
        "    annotations:",
    ]
    for place, column in enumerate(corpus.columns, 1):
        lines += [f"    - name: {'pos' if column == 'tag' else column}", f"      valuePath: {place}"]
        if column != "tag":
            lines.append("      sensitivity: sensitive_insensitive")
    return "\n".join(lines) + "\n"


def _write_plain_texts(corpus: CorpusDescription) -> Path:
    """One text file for each document, as AntConc reads them. With tags, each word is word_TAG."""
    folder = corpus.beside("texts")
    tagged = "tag" in corpus.columns
    with corpus.vertical.open(encoding="utf-8", newline="\n") as lines:
        for number, document in enumerate(read(lines, dialect("sketch"), corpus.columns), 1):
            place = folder / f"{(number - 1) // _TEXTS_IN_A_FOLDER:05}"
            place.mkdir(parents=True, exist_ok=True)
            text = "\n".join(_plain_passages(document, tagged))
            (place / f"{number:08}.txt").write_text(text + "\n", encoding="utf-8", newline="\n")
    return folder


def _plain_passages(document: Document, tagged: bool) -> Iterator[str]:
    for passage in ((document.head,) if document.head else ()), document.passages():
        for part in passage:
            if not tagged:
                yield part.text
            else:
                yield " ".join(f"{token.form}_{token.tag or 'X'}" for token in part.tokens)


_STEPS = {
    "nosketch": """\
1. Install manatee and Bonito, so that `compilecorp` and `corpconfcheck` are on your PATH.
2. Run `sh {script}`. It checks the registry file and compiles the corpus.
3. Copy `{registry}` into the registry folder of your server (MANATEE_REGISTRY), under the name `{name}`.
4. Add `{name}` to the list of corpora in Bonito's settings (`corplist`).
""",
    "kontext": """\
1. Install manatee, so that `compilecorp` and `corpconfcheck` are on your PATH.
2. Run `sh {script}`. It checks the registry file and compiles the corpus.
3. Copy `{registry}` into KonText's registry folder (see conf/config.xml), under the name `{name}`.
4. Add the `<corpus>` line of `{corplist}` to KonText's conf/corplist.xml, and restart KonText.
""",
    "cwb": """\
1. Install the Corpus Workbench, so that `cwb-encode` and `cwb-makeall` are on your PATH.
2. Run `sh {script}`. It encodes the corpus into the folder `cwb` beside it.
3. Ask: `cqp -r {registry_folder} -D {upper} -e`
""",
    "cqpweb": """\
1. Run `sh {script}` on the server, or copy the folder `cwb` there after running it.
2. In CQPweb's admin area, install a corpus that is already indexed in CWB, with the name `{name}`.
3. Upload `{table}` as the metadata of the texts. It has no header.
   Its columns are: {fields}. All are free text.
4. Tell CQPweb that `s` marks sentences and `p` paragraphs, then build the frequency lists.
""",
    "blacklab": """\
1. Put `{format}` into a folder where BlackLab looks for formats, for instance `$HOME/.blacklab/formats/`.
2. Run `java -cp "blacklab.jar:lib/*" nl.inl.blacklab.tools.IndexTool create INDEX {vertical} {format_name}`.
3. Attributes of `<doc>` are metadata of the documents. CQL knows structures such as `<s>` and `<link>`.
""",
    "antconc": """\
1. Open AntConc, choose File, then "Open Corpus Manager", then "Raw Files", and add the folder `{texts}`.
2. {tags}
3. Give the corpus a name and press Create.
""",
}
_TAGGED = (
    'The words have tags (`mill_NOUN`): choose "Show tags" or a token definition without "_" in the settings.'
)


def _page(corpus: CorpusDescription, manager: CorpusManager, files: Sequence[Path]) -> str:
    """The page that says what is there and how to load it."""
    name = clean_name(corpus.name)
    fields = ["id", *(key for key in corpus.inventory.structures.get("doc", {}) if key != "id")]
    steps = _STEPS[manager.name].format(
        name=name,
        upper=name.upper(),
        vertical=corpus.vertical.name,
        registry=corpus.beside("registry").name,
        registry_folder="cwb/registry",
        script=corpus.beside("load.sh" if manager.dialect == "sketch" else "cwb.sh").name,
        corplist=corpus.beside("corplist.xml").name,
        table=corpus.beside("metadata.tsv").name,
        fields=", ".join(fields),
        format=corpus.beside("blf.yaml").name,
        format_name=corpus.beside("blf.yaml").name.removesuffix(".blf.yaml"),
        texts=corpus.beside("texts").name,
        tags=_TAGGED if "tag" in corpus.columns else "The texts are plain; the standard settings fit.",
    )
    count = corpus.inventory
    columns = ", ".join(f"`{column}`" for column in corpus.columns)
    listed = "".join(f"- `{path.name}`\n" for path in (corpus.vertical, *files))
    return (
        f"# {corpus.name} for {manager.title}\n\n"
        f"{count.documents:,} documents, {count.tokens:,} positions. Columns: {columns}.\n\n"
        f"## Files\n\n{listed}\n## How to load it\n\n{steps}"
    )


_LANGUAGE_NAMES = {
    "ar": "Arabic", "be": "Belarusian", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech",
    "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish",
    "gl": "Galician", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian",
    "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese", "ka": "Georgian",
    "kk": "Kazakh", "ko": "Korean",
    "la": "Latin", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "nb": "Norwegian",
    "nl": "Dutch", "nn": "Norwegian", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish",
    "ta": "Tamil", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese",
    "zh": "Chinese",
}  # fmt: skip
