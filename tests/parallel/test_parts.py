import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from threadmill.archive.remote_files import AnyFile
from threadmill.errors import ArchiveError
from threadmill.parallel.parts import (
    PartMaker,
    drop_parts,
    make_part,
    parts_folder,
    read_part,
    run_in_parts,
    share_evenly,
    share_files,
)
from threadmill.parallel.workers import LocalWorkers


def upper(
    options: dict[str, Any], files: Sequence[AnyFile], write: Callable[[bytes], object]
) -> dict[str, Any]:
    """Capital letters; a file with an X in it cannot be read."""
    for file in files:
        with Path(options["log"]).open("a") as log:
            log.write(f"{file.name}\n")
        text = file.read_bytes()
        if b"X" in text:
            raise ValueError("no X")
        write(text.upper())
    return {"files": len(files)}


@pytest.fixture
def inputs(tmp_path: Path) -> list[Path]:
    files = [tmp_path / f"{number:02}.txt" for number in range(9)]
    for number, file in enumerate(files):
        file.write_text(f"text {number}\n")
    return files


@pytest.fixture
def maker(tmp_path: Path) -> PartMaker:
    return PartMaker(upper, {"log": str(tmp_path / "log")}, "job", parts_folder(tmp_path / "out"))


def join(maker: PartMaker, files: Sequence[Path]) -> bytes:
    outcomes = list(run_in_parts(LocalWorkers(2), maker, share_files((file, 8) for file in files)))
    assert [file for outcome in outcomes for file in outcome.files] == list(files)
    return b"".join(
        piece for outcome in outcomes for part in outcome.parts for piece in read_part(maker.folder, part)
    )


def test_parts_join_to_the_whole_in_the_order_of_the_inputs(inputs: list[Path], maker: PartMaker) -> None:
    assert join(maker, inputs) == b"".join(b"TEXT %d\n" % number for number in range(9))


def test_a_second_run_reads_only_what_is_not_done(inputs: list[Path], maker: PartMaker) -> None:
    first = make_part(maker, inputs[:2])
    assert make_part(maker, inputs[:2]) == first
    log = Path(maker.options["log"])
    assert log.read_text().split() == ["00.txt", "01.txt"]
    inputs[1].write_text("changed\n")
    assert make_part(maker, inputs[:2]).name != first.name
    assert len(log.read_text().split()) == 4


def test_the_marker_names_inputs_with_versions_and_the_hash_of_the_part(
    inputs: list[Path], maker: PartMaker
) -> None:
    part = make_part(maker, inputs[:1])
    said = json.loads((maker.folder / f"{part.name}.json").read_bytes())
    assert said["inputs"] == [[str(inputs[0]), f"7:{inputs[0].stat().st_mtime_ns}"]]
    assert said["octets"] == 7
    assert said["counts"] == {"files": 1}


def test_a_part_without_its_marker_is_made_again(inputs: list[Path], maker: PartMaker) -> None:
    part = make_part(maker, inputs[:1])
    Path(str(maker.folder / f"{part.name}.json")).unlink()
    Path(str(maker.folder / f"{part.name}.part")).write_bytes(b"half of it")
    assert b"".join(read_part(maker.folder, make_part(maker, inputs[:1]))) == b"TEXT 0\n"


def test_a_part_that_changed_or_is_not_visible_is_an_error(inputs: list[Path], maker: PartMaker) -> None:
    part = make_part(maker, inputs[:1])
    file = Path(str(maker.folder / f"{part.name}.part"))
    file.write_bytes(b"TEXT 1\n")
    with pytest.raises(ArchiveError, match="has changed since it was written"):
        list(read_part(maker.folder, part))
    drop_parts(maker.folder, [part])
    assert not list(Path(str(maker.folder)).iterdir())
    with pytest.raises(ArchiveError, match="give an output on storage that all machines share"):
        list(read_part(maker.folder, part))


def test_of_several_files_of_a_task_only_the_one_that_fails_is_left_out(
    inputs: list[Path], maker: PartMaker
) -> None:
    inputs[3].write_text("X\n")
    assert join(maker, inputs) == b"".join(b"TEXT %d\n" % number for number in range(9) if number != 3)
    assert not [file for file in Path(str(maker.folder)).iterdir() if file.suffix not in {".json", ".part"}]


def test_a_few_small_files_are_work_for_all_workers(tmp_path: Path) -> None:
    files = [tmp_path / str(number) for number in range(12)]
    for file in files:
        file.write_bytes(b"x" * 1000)
    shared = list(share_evenly(files, 2))
    assert sum(shared, ()) == tuple(files)
    assert len(shared) >= 6
    # One file more, and the tasks of the others are the same: their parts are made already.
    assert list(share_evenly([*files, files[0]], 2))[: len(shared)] == shared


def test_small_files_share_a_task_and_large_ones_stand_alone() -> None:
    files = [Path(str(number)) for number in range(5)]
    shared = list(share_files(zip(files, (5, 5, 20, 1, 1), strict=True), 10))
    assert [len(task) for task in shared] == [2, 1, 2]
    assert [len(task) for task in share_files((file, 0) for file in files * 30)] == [64, 64, 22]
