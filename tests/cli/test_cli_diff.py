"""`porter diff`: differences of two ports, given as folders or lock files."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from property_examples import examples
from repository import TEST_MAPPINGS
from workshop import Workshop

from porter.cli.main import call
from porter.model import lock as locks
from porter.model.lock import Lock, LockedFile
from porter.model.port_output import Output
from porter.port import output
from porter.report import diff, unified_diff

Text = pytest.CaptureFixture[str]


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def lock_file(port: Path) -> Path:
    """Lock file of a port, in the port's parent folder."""
    place = port.with_name(f"{port.name}.lock.json")
    place.write_text(locks.to_text(output.read(port).lock))
    return place


def compared(a: Path, b: Path, capsys: Text, *options: str) -> dict[str, Any]:
    """JSON document of a comparison. Fails if the exit code does not match the document."""
    capsys.readouterr()
    code = call(["diff", str(a), str(b), "--json", *options])
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert code == (0 if data["equal"] else 1)
    return data


def test_equal_ports(shop: Workshop, capsys: Text) -> None:
    a, b = shop.port("a"), shop.port("b")
    sides = [a, lock_file(a), a / "manifest.json"]
    others = [b, lock_file(b)]
    for one in sides:
        for other in others:
            data = compared(one, other, capsys)
            assert (data["schema"], data["equal"]) == (1, True)
            assert (data["files"], data["rules"]) == (
                {"added": [], "removed": [], "changed": []},
                [],
            )
            assert call(["diff", str(one), str(other)]) == 0
            assert capsys.readouterr().out.endswith("\n\nequal\n")
    assert compared(a, lock_file(b), capsys)["b"]["kind"] == "lock"


def test_upstream_changed(shop: Workshop, capsys: Text) -> None:
    a = shop.port("a")
    shop.edit(shop.tree / "c10/cuda/CUDAMemory.cpp", "  cudaFree(p);", "  if (p) cudaFree(p);")
    b = shop.port("b")
    data = compared(a, b, capsys)
    assert data["files"]["changed"] == [
        {
            "upstream": ["c10/cuda/CUDAMemory.cpp"] * 2,
            "ported": ["c10/toy/TOYMemory.cpp"] * 2,
            "moved": False,
            "cause": "upstream",
            "edits": [3, 3],
            "text": """\
--- a/c10/toy/TOYMemory.cpp
+++ b/c10/toy/TOYMemory.cpp
@@ -5,5 +5,5 @@ void* take(size_t n) {
   return p;
 }
 void give(void* p) {
-  toyFree(p);
+  if (p) toyFree(p);
 }
""",
        }
    ]
    assert (data["files"]["added"], data["files"]["removed"], data["rules"]) == ([], [], [])
    # Without both texts there is no unified text, and the rest is the same.
    for one, other in ((lock_file(a), b), (a, lock_file(b)), (lock_file(a), lock_file(b))):
        less = compared(one, other, capsys)
        assert less["files"]["changed"] == [{**data["files"]["changed"][0], "text": None}]
    assert compared(a, b, capsys, "--no-text")["files"] == less["files"]


def test_rules_changed(shop: Workshop, capsys: Text) -> None:
    a = shop.port("a")
    shop.edit(shop.mappings / "toy/launch.yaml", "TOY_LAUNCH", "TOY_START")
    b = shop.port("b")
    data = compared(a, b, capsys)
    (changed,) = data["files"]["changed"]
    assert (changed["cause"], changed["ported"][1]) == ("rules", "aten/src/ATen/native/toy/Fill.ty")
    assert "-  TOY_LAUNCH((fill)" in changed["text"]
    assert "+  TOY_START((fill)" in changed["text"]
    template = "(({kernel}), ({grid}), ({block}), ({shmem}), ({stream}){,args})"
    assert data["rules"] == [
        {"rule": f"toy/launch.yaml: launch TOY_LAUNCH{template}", "hits": [1, 0], "names": {}},
        {"rule": f"toy/launch.yaml: launch TOY_START{template}", "hits": [0, 1], "names": {}},
    ]
    assert call(["diff", str(a), str(b)]) == 1
    out = capsys.readouterr().out
    assert "Rules that stopped matching (1)" in out
    assert "Rules that began to match (1)" in out


def test_residue_and_hazards(shop: Workshop, capsys: Text) -> None:
    a = shop.port("a")
    shop.edit(shop.tree / "c10/cuda/CUDAMemory.cpp", "cudaFree(p)", "cudaStrange(p)")
    shop.edit(shop.tree / "aten/src/ATen/native/cuda/Fill.cu", "+= 32", "+= blockDim.x")
    b = shop.port("b")
    data = compared(a, b, capsys)
    assert data["residue"] == {
        "unmapped": [{"name": "cudaStrange", "places": [0, 1], "first": "c10/toy/TOYMemory.cpp:8"}]
    }
    assert data["hazards"] == {"warp_size": {"aten/src/ATen/native/toy/Fill.ty": [1, 0]}}
    assert data["rules"] == [
        {
            "rule": r"cuda/runtime.yaml: family cuda([A-Z]\w*)",
            "hits": [3, 2],
            "names": {"cudaFree": [1, 0]},
        }
    ]
    totals = data["totals"]
    assert (totals["unmapped"], totals["warp_size"], totals["files"]) == ([0, 1], [1, 0], [3, 3])
    # The other way round it is what vanished, and its place is still known.
    back = compared(b, a, capsys)
    assert back["residue"]["unmapped"][0]["first"] == "c10/toy/TOYMemory.cpp:8"
    # A lock knows the words and not their places.
    assert compared(lock_file(a), lock_file(b), capsys)["residue"] == {
        "unmapped": [{"name": "cudaStrange", "places": [0, 1], "first": ""}]
    }


def test_files_come_go_and_move(shop: Workshop, capsys: Text) -> None:
    cuda = shop.tree / "c10/cuda"
    (cuda / "CUDAOld.h").write_text("int o();\n")
    a = shop.port("a")
    (cuda / "impl").mkdir()
    # Upstream moves one file as it is; the rules give another one a new name.
    (cuda / "CUDAMemory.cpp").rename(cuda / "impl/CUDAMemory.cpp")
    shop.edit(shop.mappings / "toy/target.yaml", "cu: ty", "cu: toyc")
    (cuda / "CUDANew.h").write_text("int f();\n")
    (cuda / "CUDAOld.h").unlink()
    b = shop.port("b")
    files = compared(a, b, capsys)["files"]
    assert files["added"] == [{"upstream": "c10/cuda/CUDANew.h", "ported": "c10/toy/TOYNew.h"}]
    assert files["removed"] == [{"upstream": "c10/cuda/CUDAOld.h", "ported": "c10/toy/TOYOld.h"}]
    fill, memory = files["changed"]
    assert memory["upstream"] == ["c10/cuda/CUDAMemory.cpp", "c10/cuda/impl/CUDAMemory.cpp"]
    assert memory["ported"] == ["c10/toy/TOYMemory.cpp", "c10/toy/impl/TOYMemory.cpp"]
    assert (memory["moved"], memory["cause"]) == (True, "upstream")
    assert fill["ported"] == [
        "aten/src/ATen/native/toy/Fill.ty",
        "aten/src/ATen/native/toy/Fill.toyc",
    ]
    assert (fill["moved"], fill["cause"]) == (True, "rules")


def test_a_port_that_was_changed_by_hand(shop: Workshop, capsys: Text) -> None:
    a, b = shop.port("a"), shop.port("b")
    lock = lock_file(b)
    shop.edit(b / "src/c10/toy/TOYMemory.cpp", "toyFree", "toyRelease")
    (b / "src/c10/toy/TOYStream.h").unlink()
    (b / "src/c10/toy/notes.txt").write_text("mine")
    data = compared(a, b, capsys)
    assert [file["cause"] for file in data["files"]["changed"]] == ["hand"]
    assert "+  toyRelease(p);" in data["files"]["changed"][0]["text"]
    assert data["files"]["removed"][0]["ported"] == "c10/toy/TOYStream.h"
    assert data["b"]["not_as_ported"] == {
        "changed": ["c10/cuda/CUDAMemory.cpp"],
        "missing": ["c10/cuda/CUDAStream.h"],
        "foreign": ["c10/toy/notes.txt"],
    }
    assert call(["diff", str(lock), str(b)]) == 1
    warnings = capsys.readouterr().err.splitlines()
    assert len(warnings) == 3
    assert warnings[0] == (
        f"warning: {b}: 1 file changed since porter wrote them: c10/cuda/CUDAMemory.cpp"
    )


def test_text_and_markdown(shop: Workshop, capsys: Text) -> None:
    a = shop.port("a")
    for number in range(30):
        (shop.tree / f"c10/cuda/New{number}.h").write_text("// ```\nint f();\n")
    shop.edit(shop.tree / "c10/cuda/CUDAMemory.cpp", "void* p =", "// ````\n  void* p =")
    b = shop.port("b")
    capsys.readouterr()

    assert call(["diff", str(a), str(b)]) == 1
    shown = capsys.readouterr().out
    assert "Files added (30)" in shown
    assert "... and 10 more" in shown
    assert shown.count("c10/toy/New") == 20
    assert shown.endswith("+  // ````\n   void* p = nullptr;\n   toyMalloc(&p, n);\n   return p;\n")
    assert call(["diff", str(a), str(b), "--limit", "0", "--no-text"]) == 1
    shown = capsys.readouterr().out
    assert shown.count("c10/toy/New") == 30
    assert "@@" not in shown

    assert call(["diff", str(a), str(b), "--markdown"]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("# Drift\n\n- a: `")
    assert "| files | 3 | 33 | +30 |" in shown
    assert "## Files added (30)" in shown
    # The fence is longer than the one that the source holds.
    assert "\n`````diff\n--- a/c10/toy/TOYMemory.cpp\n" in shown
    assert "| upstream | 3 | 3 | c10/toy/TOYMemory.cpp |" in shown


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["{a}", "{tmp}/nothing"], 2, "error: {tmp}/nothing: no such file or folder\n  help: give"),
        (["{tmp}", "{a}"], 2, "error: {tmp}: holds no port (no manifest.json)\n  help: did you"),
        (["{tmp}/pytorch/c10", "{a}"], 2, "c10: holds no port (no manifest.json)\n  help: give"),
        (
            ["{a}", "{tmp}/pytorch/version.txt"],
            4,
            "version.txt:1: is not a lock file: malformed JSON",
        ),
        (["{a}", "{a}/report.json"], 4, "report.json: is not a lock file: "),
        (["{a}", "{a}", "--json", "--markdown"], 2, "error: --json and --markdown exclude each"),
        (["{a}"], 2, "error: Missing argument 'B'.\n  help: run porter diff --help"),
    ],
)
def test_bad_input(
    shop: Workshop, capsys: Text, arguments: list[str], code: int, message: str
) -> None:
    a = shop.port("a")
    capsys.readouterr()
    places = {"a": str(a), "tmp": str(shop.folder)}
    assert call(["diff", *(argument.format(**places) for argument in arguments)]) == code
    told = capsys.readouterr()
    assert message.format(**places) in told.err
    assert told.out == ""


def test_a_broken_manifest(shop: Workshop, capsys: Text) -> None:
    a, b = shop.port("a"), shop.port("b")
    (b / "manifest.json").write_text('{"schema": 1, "files": {}}')
    assert call(["diff", str(a), str(b)]) == 4
    assert f"error: {b}/manifest.json: is not a manifest: key 'rules'" in capsys.readouterr().err


def test_a_file_that_cannot_be_read(shop: Workshop, capsys: Text) -> None:
    a, b = shop.port("a"), shop.port("b")
    place = b / "src/c10/toy/TOYMemory.cpp"
    place.unlink()
    place.mkdir()
    assert call(["diff", str(a), str(b)]) == 4
    assert f"error: {place}: cannot be read: is a folder" in capsys.readouterr().err


def test_a_changed_rule_taken_back_leaves_no_trace(shop: Workshop, capsys: Text) -> None:
    cold, again = shop.port("cold"), shop.port("again")
    shop.edit(shop.mappings / "cuda/runtime.yaml", r"'{runtime}\1'", r"'{runtime}x\1'")
    assert shop.port("again") == again
    assert not compared(cold, again, capsys)["equal"]
    shop.edit(shop.mappings / "cuda/runtime.yaml", r"'{runtime}x\1'", r"'{runtime}\1'")
    assert shop.port("again") == again
    assert compared(cold, again, capsys)["equal"]


# -- which files are the same, and what equal means

_SHAS = st.sampled_from("pqrs")
_NAMES = st.sampled_from(["k", "l", "m", "n"])


@st.composite
def _locks(draw: st.DrawFn) -> Lock:
    paths = draw(st.lists(_NAMES, unique=True))
    moves = draw(st.permutations(["K", "L", "M", "N"]))
    files = {
        path: LockedFile(path, to, draw(_SHAS), draw(_SHAS), draw(st.integers(0, 2)))
        for path, to in zip(paths, moves, strict=False)
    }
    counts = st.dictionaries(_NAMES, st.integers(1, 2), min_size=1)
    reasons = st.sampled_from(["unmapped", "unsupported"])
    return Lock(
        draw(st.sampled_from(["toy", "simt"])),
        "2.6.0",
        files,
        draw(st.dictionaries(_NAMES, counts)),
        draw(st.dictionaries(reasons, counts)),
        draw(st.dictionaries(_NAMES, counts)),
    )


@given(_locks(), _locks())
@settings(derandomize=True, max_examples=examples(300))
def test_every_difference_of_two_locks_is_drift(one: Lock, other: Lock) -> None:
    a, b = Output(Path("a"), one), Output(Path("b"), other)
    drift = diff.compare(a, b)
    assert drift.equal == (one == other)
    assert diff.compare(a, a).equal
    # Each file of either side is told of once.
    common = {
        path for path in one.files.keys() & other.files if one.files[path] == other.files[path]
    }
    before = [f.path for f in drift.removed] + [f.before.path for f in drift.changed]
    after = [f.path for f in drift.added] + [f.after.path for f in drift.changed]
    assert sorted(before) == sorted(one.files.keys() - common)
    assert sorted(after) == sorted(other.files.keys() - common)
    # The other way round it is the same drift, mirrored.
    mirror = diff.compare(b, a)
    assert (mirror.added, mirror.removed) == (drift.removed, drift.added)
    assert [(r.rule, r.after, r.before) for r in mirror.rules] == [
        (r.rule, r.before, r.after) for r in drift.rules
    ]


# -- unified text

_LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"", b"\n", b"@@ x\n", b"-- a\n", b"\xe9\r\n"]))


@pytest.mark.parametrize("with_git", [True, False], ids=["git", "difflib"])
@pytest.mark.skipif(
    not shutil.which("git"), reason="git applies what is tested: it is not installed"
)
def test_unified_text_turns_the_one_into_the_other(
    with_git: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = shutil.which("git") or ""
    # The user's settings must not show in the text.
    config = tmp_path / "gitconfig"
    config.write_text("[diff]\n  noprefix = true\n  external = false\n[color]\n  ui = always\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    if not with_git:
        monkeypatch.setattr("shutil.which", lambda name: None)

    @given(st.lists(st.tuples(_LINES, _LINES), min_size=1, max_size=12), st.booleans())
    @settings(derandomize=True, max_examples=25, deadline=None)
    def check(contents: list[tuple[list[bytes], list[bytes]]], cut: bool) -> None:
        pairs = []
        for index, (old, new) in enumerate(contents):
            texts = (b"".join(old), b"".join(new)[: -1 if cut else None])
            places = (tmp_path / f"old{index}", tmp_path / f"new{index}")
            for place, raw in zip(places, texts, strict=True):
                # The replacement character comes back as UTF-8, so the text is that from the start.
                place.write_bytes(raw.decode("utf-8", "replace").encode())
            pairs.append(unified_diff.TextPair(*places, f"a/old{index}", f"b/old{index}"))
        found = unified_diff.texts(pairs)
        assert len(found) == len(pairs)
        for pair, text in zip(pairs, found, strict=True):
            assert bool(text) == (pair.old.read_bytes() != pair.new.read_bytes())
            if text:
                patch = tmp_path / "patch"
                patch.write_bytes(text.encode())
                subprocess.run([git, "apply", "--unsafe-paths", patch], cwd=tmp_path, check=True)
            assert pair.old.read_bytes() == pair.new.read_bytes()

    check()


def test_binary_files_are_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(b"\0\1")
    new.write_bytes(b"\0\2")
    pair = unified_diff.TextPair(old, new, "a/x.png", "b/x.png")
    shown = ["--- a/x.png\n+++ b/x.png\nBinary files differ\n"]
    assert unified_diff.texts([pair, replace(pair, new=old)]) == [*shown, ""]
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert unified_diff.texts([pair]) == shown


# -- real trees


@pytest.mark.release
def test_two_releases(
    releases: dict[str, Path], tmp_path_factory: pytest.TempPathFactory, capsys: Text
) -> None:
    missing = {"1.13.1", "2.6.0"} - releases.keys()
    if missing:
        pytest.skip(f"PORTER_TEST_RELEASES names no {', '.join(sorted(missing))}")
    out = tmp_path_factory.mktemp("ports")
    mappings = str(TEST_MAPPINGS)
    for release in ("1.13.1", "2.6.0"):
        command = [
            "run",
            "--until",
            "port",
            "--pytorch-src",
            str(releases[release]),
            "-t",
            "toy",
            "--out",
            str(out),
        ]
        assert call([*command, "--mappings", mappings, "-j", "2"]) == 0
    a, b = out / "toy/1.13.1", out / "toy/2.6.0"
    data = compared(a, b, capsys)
    files = data["files"]
    one, other = (json.loads((port / "manifest.json").read_text())["files"] for port in (a, b))
    moved = [f["upstream"] for f in files["changed"] if f["upstream"][0] != f["upstream"][1]]
    assert len(files["added"]) + len(moved) == len(other.keys() - one.keys())
    assert len(files["removed"]) + len(moved) == len(one.keys() - other.keys())
    # Known of the releases: 2.6.0 has no PinnedMemoryAllocator.cpp any more, and has
    # RowwiseScaledMM.cu.
    removed = [file["upstream"] for file in files["removed"]]
    assert "aten/src/ATen/cuda/PinnedMemoryAllocator.cpp" in removed
    added = [file["upstream"] for file in files["added"]]
    assert "aten/src/ATen/native/cuda/RowwiseScaledMM.cu" in added
    text = {file["upstream"][1]: file["text"] for file in files["changed"]}
    blas = text["aten/src/ATen/cuda/CUDABlas.cpp"]
    assert blas.startswith(
        "--- a/aten/src/ATen/toy/TOYBlas.cpp\n+++ b/aten/src/ATen/toy/TOYBlas.cpp"
    )
    assert files == compared(b, b, capsys)["files"] | files
