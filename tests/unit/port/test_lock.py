"""Lock files: contents, layout, rejected files; and reproducible ports."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repository import TEST_MAPPINGS
from workshop import Workshop

from porter.cli.main import call
from porter.model import lock as locks
from porter.model.lock import Lock, LockedFile, lock_of, safe_name
from porter.model.manifest import FileHazard, FileResidue, Manifest, PortedFile
from porter.port import output

A, B = "a" * 64, "b" * 64

FILL = PortedFile(
    path="native/cuda/Fill.cu",
    to="native/toy/Fill.ty",
    reason="kernels",
    sha_in=A,
    sha_out=B,
    edits=7,
    hits={
        ("cuda/runtime.yaml: family cuda(.*)", "cudaMalloc"): 2,
        ("toy/launch.yaml: launch", ""): 1,
    },
    residue=(
        FileResidue("in_string", "cuda", 3, 1),
        FileResidue("unsupported", "cudaHalt", 5, 1, "x", "why"),
        # The same word for two reasons of the mapping is one word of the lock.
        FileResidue("unsupported", "cudaHalt", 9, 4, "y", "why else"),
    ),
    hazards=(FileHazard("warp_size", 4, 2, "cuda/hazards.yaml: hazard warp_size"),),
)
COPY = FILL._replace(
    path="c10/cuda/Copy.cu",
    to="c10/toy/Copy.ty",
    edits=1,
    hits={("cuda/runtime.yaml: family cuda(.*)", "cudaMalloc"): 3},
    residue=(FileResidue("unsupported", "cudaHalt", 1, 1, "x", "why"),),
    hazards=(),
)


def manifest(*files: PortedFile) -> Manifest:
    return Manifest("toy", "2.6.0", "digest", "0", {file.path: file for file in files})


LOCKED = f"""\
{{
"schema": 1,
"target": "toy",
"release": "2.6.0",
"files": {{
"c10/cuda/Copy.cu": {{"to": "c10/toy/Copy.ty", "edits": 1, "in": "{A}", "out": "{B}"}},
"native/cuda/Fill.cu": {{"to": "native/toy/Fill.ty", "edits": 7, "in": "{A}", "out": "{B}"}}
}},
"hits": {{
"cuda/runtime.yaml: family cuda(.*)": {{
"cudaMalloc": 5
}},
"toy/launch.yaml: launch": {{
"": 1
}}
}},
"residue": {{
"in_string": {{
"cuda": 1
}},
"unsupported": {{
"cudaHalt": 6
}}
}},
"hazards": {{
"warp_size": {{
"native/toy/Fill.ty": 2
}}
}}
}}
"""


@pytest.mark.parametrize("files", [(FILL, COPY), (COPY, FILL)], ids=["one order", "the other"])
def test_the_text_of_a_lock(files: tuple[PortedFile, ...]) -> None:
    assert locks.to_text(lock_of(manifest(*files))) == LOCKED


def test_a_lock_does_not_say_with_what_it_was_made() -> None:
    other = manifest(FILL)._replace(mappings="another digest", porter="9.9")
    assert lock_of(other) == lock_of(manifest(FILL))


def test_an_empty_port_has_a_lock() -> None:
    lock = lock_of(manifest())
    assert locks.from_json(json.loads(locks.to_text(lock))) == lock


_COUNTS = st.integers(1, 2**63 - 1)
_TABLES = st.dictionaries(
    st.text(max_size=8), st.dictionaries(st.text(max_size=8), _COUNTS, min_size=1)
)
_NAMES = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="/"),
    min_size=1,
    max_size=8,
).filter(lambda name: name not in (".", ".."))
_PATHS = st.lists(_NAMES, min_size=1, max_size=3).map("/".join)
_FILES = st.dictionaries(_PATHS, st.tuples(_PATHS, st.text(), st.text(), _COUNTS))
LOCKS = st.builds(
    lambda target, files, hits, residue, hazards: Lock(
        target,
        "2.6.0",
        {path: LockedFile(path, *rest) for path, rest in files.items()},
        hits,
        residue,
        hazards,
    ),
    st.text(),
    _FILES,
    _TABLES,
    st.dictionaries(
        st.sampled_from(["unmapped", "intended"]),
        st.dictionaries(st.text(), _COUNTS, min_size=1),
    ),
    _TABLES,
)


@given(LOCKS)
@settings(derandomize=True)
def test_a_lock_is_read_as_it_was_written(lock: Lock) -> None:
    text = locks.to_text(lock)
    assert locks.from_json(json.loads(text)) == lock
    entries = len(lock.files) + sum(
        len(inner) for table in (lock.hits, lock.residue, lock.hazards) for inner in table.values()
    )
    assert (
        len(re.findall(r'^".*": (?:\d+|\{".*\}),?$', text, re.MULTILINE)) == entries + 1
    )  # schema


@pytest.mark.parametrize(
    ("left", "kept"),
    [
        ("cudaMalloc", True),
        ("cutlass/gemm/gemm.h", True),
        ("c10::cuda::X", True),
        ("<<<>>>", True),
        ("extern __shared__", True),
        ("auto p = cudaMalloc(n);", False),
        ("cudaMalloc\ncudaFree", False),
        ("int n = a", False),
        ("{0}", False),
        ("x" * 1000, False),
    ],
)
def test_what_may_name_residue_in_a_lock(left: str, kept: bool) -> None:
    name = safe_name(left)
    assert (name == left) is kept
    if not kept:
        assert re.fullmatch(r"text:[0-9a-f]{16}", name)
        file = FILL._replace(residue=(FileResidue("ambiguous", left, 1, 1),))
        assert left not in locks.to_text(lock_of(manifest(file)))


BROKEN: dict[str, tuple[Any, str]] = {
    "not JSON": ("{\n\n]", "{place}:3: is not a lock file: malformed JSON"),
    "a merge conflict": (
        LOCKED.replace('"files"', "<<<<<<< ours\n", 1),
        "{place}:5: is not a lock",
    ),
    "another document": ({"schema": 1, "edits": 3}, "{place}: is not a lock file: key 'files'"),
    "a list": ([], "{place}: is not a lock file"),
    "a later schema": ({"schema": 2}, "{place}: is not a lock file: schema 2; this porter reads"),
    "a count that is none": (
        LOCKED.replace(": 5", ": -5"),
        "{place}: is not a lock file: -5 is not",
    ),
    "a hash that is none": (
        LOCKED.replace(f'"{A}"', "7"),
        "{place}: is not a lock file: 7 is not text",
    ),
    "an unknown reason": (
        LOCKED.replace("in_string", "in_jest"),
        "'in_jest' is not a valid Reason",
    ),
    "bytes": (b"\xff\xfe", "{place}: is not UTF-8: byte 0"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_lock_is_told(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, message = BROKEN[what]
    place = tmp_path / "toy-2.6.0.lock.json"
    if isinstance(content, bytes):
        place.write_bytes(content)
    else:
        place.write_text(content if isinstance(content, str) else json.dumps(content))
    assert call(["diff", str(place), str(place)]) == 4
    told = capsys.readouterr()
    assert message.format(place=place) in told.err
    assert "help: run `porter regenerate --update`" in told.err
    assert told.out == ""


def test_the_lock_of_a_port_on_disk(tmp_path: Path) -> None:
    port = Workshop(tmp_path).port("out")
    lock = output.read(port).lock
    assert lock.files.keys() == {
        "aten/src/ATen/native/cuda/Fill.cu",
        "c10/cuda/CUDAMemory.cpp",
        "c10/cuda/CUDAStream.h",
    }
    memory = lock.files["c10/cuda/CUDAMemory.cpp"]
    assert memory.to == "c10/toy/TOYMemory.cpp"
    # The include, cudaMalloc and cudaFree.
    assert memory.edits == 3
    assert lock.hits[r"cuda/runtime.yaml: family cuda([A-Z]\w*)"] == {
        "cudaFree": 1,
        "cudaMalloc": 1,
        "cudaStream_t": 1,
    }
    assert lock.hazards == {"warp_size": {"aten/src/ATen/native/toy/Fill.ty": 1}}
    assert lock.residue == {}


def ported(tree: Path, out: Path, jobs: int, seed: str, cache: Path) -> Path:
    """Port by a separate process: an empty cache, and another order of sets."""
    command = [
        sys.executable,
        "-m",
        "porter",
        "run",
        "--until",
        "port",
        "--no-page",
        "--pytorch-src",
        str(tree),
        "--json",
    ]
    command += ["-t", "toy", "--mappings", str(TEST_MAPPINGS), "--out", str(out), "-j", str(jobs)]
    env = {**os.environ, "PYTHONHASHSEED": seed, "PORTER_CACHE": str(cache)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out / "toy" / str(json.loads(done.stdout)["release"])


@pytest.mark.release
def test_two_ports_are_the_same_byte_by_byte(release_tree: Path, tmp_path: Path) -> None:
    first = ported(release_tree, tmp_path / "out", 1, "1", tmp_path / "cache")
    # The same sources in another place, with another history of its folders.
    elsewhere = tmp_path / "an other" / "place" / "pytörch"
    upstream = json.loads((first / "manifest.json").read_text())["files"]
    landmarks = ["version.txt", "aten/src/ATen/native/native_functions.yaml"]
    for path in sorted([*upstream, *landmarks], reverse=True):
        (elsewhere / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(release_tree / path, elsewhere / path)
    second = ported(elsewhere, tmp_path / "an other" / "out", 3, "2", tmp_path / "cache of its own")

    one, other = contents(first), contents(second)
    assert len(one) > 400
    assert one.keys() == other.keys()
    assert [path for path in one if one[path] != other[path]] == []
    assert locks.to_text(output.read(first).lock) == locks.to_text(output.read(second).lock)


def contents(port: Path) -> dict[str, bytes]:
    """Every file of a port but `.state.json`, which holds the times of files."""
    return {
        path.relative_to(port).as_posix(): path.read_bytes()
        for path in port.rglob("*")
        if path.is_file() and path.name != ".state.json"
    }


@pytest.mark.release
def test_the_lock_of_a_release_is_small_and_holds_no_text(
    release_tree: Path, tmp_path: Path
) -> None:
    port = ported(release_tree, tmp_path / "out", 2, "0", tmp_path / "cache")
    lock = output.read(port).lock
    text = locks.to_text(lock)
    assert len(text) < 600_000
    assert locks.from_json(json.loads(text)) == lock
    # Of upstream there are paths and single words, and no line of code.
    words = [n for table in (lock.hits, lock.residue) for names in table.values() for n in names]
    assert len(words) > 1000
    assert [word for word in words if not re.fullmatch(r"[\w./<>:*+-]*", word)] == []
    lines = set()
    for path in list(lock.files)[:100]:
        source = (release_tree / path).read_text(encoding="latin-1")
        lines |= {line.strip() for line in source.split("\n") if len(line.strip()) > 40}
    assert len(lines) > 1000
    assert [line for line in lines if line in text] == []
