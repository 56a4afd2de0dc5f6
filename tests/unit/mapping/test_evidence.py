"""Evidence for names that a port writes: guessed, listed by the target, or seen in the headers of its SDK."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mapping_files import Ran, rules, write

from porter.base.errors import UsageError
from porter.cli.main import call
from porter.mapping import sdk

_INVENTORY = json.dumps(
    {
        "cuda": "12.4",
        "areas": {
            "runtime": {"functions": ["cudaMalloc", "cudaFree", "cudaMemcpy", "dim3"]},
            "driver": {"functions": ["cuMemcpy", "cuInit"]},
        },
    }
)
_FILES = {
    "cuda/inventory.json": _INVENTORY,
    "cuda/runtime.yaml": rules("  - family: cuda([A-Z]\\w*)\n    replace: '{runtime}\\1'\n"),
    "cuda/driver.yaml": rules("  - family: cu([A-Z]\\w*)\n    replace: '{driver}\\1'\n", "driver"),
    "pytorch/names.yaml": rules(
        "  - family: (\\w*)CUDA(\\w*)\n    replace: \\1ACME\\2\n", "pytorch"
    ),
    "acme/runtime.yaml": rules("  - names: {cudaMalloc: acMalloc}\n"),
}
_ONE_PREFIX = (
    "target: acme\nsummary: a made-up vendor\nnames: {lower: acme, UPPER: ACME, Camel: Acme}\n"
    "device: acme\nlibraries: {runtime: ac, driver: ac}\n"
)
_KERNEL = "cudaMalloc(&p, n); cudaFree(p); cudaMemcpy(a, b, n, k); cuMemcpy(a, b, n); isCUDA();\n"


@pytest.fixture
def acme(tmp_path: Path) -> Path:
    """Mappings of a target with one prefix for two libraries and one listed name."""
    write(tmp_path / "m", {**_FILES, "acme/target.yaml": _ONE_PREFIX})
    return tmp_path / "m"


def _shown(capsys: pytest.CaptureFixture[str], acme: Path, *more: object) -> dict[str, Any]:
    names = ("cudaMalloc", "cudaFree", "cuInit", "cudaGraphs", "isCUDA")
    ran = Ran(capsys, "show", *names, "-t", "acme", "--mappings", acme, "--json", *more)
    assert ran.code == 0
    return {name: ran.json[name]["evidence"] for name in names}


def _headers(folder: Path, text: str, name: str = "ac_runtime.h") -> Path:
    folder.mkdir()
    (folder / name).write_text(text)
    return folder


def test_show_tells_a_guess_from_what_the_target_lists(
    acme: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _shown(capsys, acme) == {
        "cudaMalloc": "listed",
        "cudaFree": "guessed",
        "cuInit": "guessed",
        "cudaGraphs": None,
        "isCUDA": "listed",
    }


def test_names_in_code_of_headers_are_seen(
    acme: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "// acInit comes with the next release\n"
        '#define ACME_HELP "acInit"\n'
        "acError acFree(void *p); /* not acInit */\n"
        "#define acMalloc(p, n) acMallocTyped(p, n)\n"
    )
    found = _shown(capsys, acme, "--sdk", _headers(tmp_path / "sdk", text))
    assert (found["cudaMalloc"], found["cudaFree"], found["cuInit"]) == ("seen", "seen", "guessed")


def test_coverage_counts_grades_and_collisions(
    acme: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = ("coverage", "-t", "acme", "--mappings", acme)
    ran = Ran(capsys, *here, "--json")
    counted = ran.json["areas"]["runtime"]
    assert (counted["guessed"], counted["listed"], counted["seen"]) == (2, 1, 0)
    assert ran.json["collisions"] == [
        {"becomes": "acMemcpy", "names": ["cuMemcpy", "cudaMemcpy"], "guessed": 2}
    ]
    shown = Ran(capsys, *here, "--collisions").out
    assert "1 names of acme replace several CUDA names, 1 of them by a guess" in shown
    assert "acMemcpy" in shown
    strict = Ran(capsys, *here, "--require", "listed")
    assert strict.code == 1
    assert "4 mapped names have less evidence than listed" in strict.err


def test_seen_needs_headers(acme: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = ("coverage", "-t", "acme", "--mappings", acme)
    assert Ran(capsys, *here, "--require", "seen").code == 2
    assert Ran(capsys, *here, "--sdk", tmp_path / "none").code == 2
    (tmp_path / "empty").mkdir()
    ran = Ran(capsys, *here, "--sdk", tmp_path / "empty")
    assert (ran.code, "contains no header" in ran.err) == (2, True)


def _port(acme: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], *more: object) -> Any:
    source = tmp_path / "src"
    source.mkdir(exist_ok=True)
    (source / "a.cu").write_text(_KERNEL)
    out = tmp_path / "out"
    code = call(
        ["port", str(source), "-t", "acme", "--mappings", str(acme), "--out", str(out), "--json",
         *map(str, more)]
    )  # fmt: skip
    captured = capsys.readouterr()
    return code, json.loads(captured.out), captured.err, out / "acme"


def test_report_grades_every_replaced_name(
    acme: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, data, _, out = _port(acme, tmp_path, capsys)
    assert code == 0
    said = data["evidence"]
    grades = {one["name"]: (one["becomes"], one["evidence"]) for one in said["names"]}
    # isCUDA is PyTorch's own: the port declares it itself.
    assert grades == {
        "cudaMalloc": ("acMalloc", "listed"),
        "cudaFree": ("acFree", "guessed"),
        "cudaMemcpy": ("acMemcpy", "guessed"),
        "cuMemcpy": ("acMemcpy", "guessed"),
    }
    assert said["guessed"] == {"names": 3, "places": 3}
    assert [one["becomes"] for one in said["collisions"]] == ["acMemcpy"]
    page = (out / "report.md").read_text()
    assert "| guessed | 3 | 3 |" in page and "| acMemcpy | cuMemcpy, cudaMemcpy | 2 |" in page
    assert call(["report", str(out)]) == 0
    assert "Guessed names (3)" in capsys.readouterr().out


def test_required_evidence_makes_guesses_findings(
    acme: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err, _ = _port(acme, tmp_path, capsys, "--require", "listed")
    assert code == 1
    assert "3 replaced names are guessed, and listed is required: " in err
    assert "cudaFree -> acFree" in err and "acMalloc" not in err
    headers = _headers(tmp_path / "sdk", "void acFree(void *); void acMemcpy(); void acMalloc();")
    code, data, err, _ = _port(acme, tmp_path, capsys, "--require", "seen", "--sdk", headers)
    assert (code, data["evidence"]["seen"]["names"], err) == (0, 4, "")
    (headers / "ac_runtime.h").write_text("void acFree(void *); void acMemcpy();")
    code, _, err, _ = _port(acme, tmp_path, capsys, "--require", "seen", "--sdk", headers)
    assert (code, "1 replaced name is listed, and seen is required: cudaMalloc" in err) == (1, True)


# -- areas in which a target lists its names


def _listing(tmp_path: Path, driver: str) -> Path:
    profile = _ONE_PREFIX.replace("driver: ac", f"driver: {driver}")
    write(tmp_path / "m", {**_FILES, "acme/target.yaml": profile})
    return tmp_path / "m"


def test_a_name_that_is_not_listed_is_unmapped_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # PyTorch's families rename whatever holds CUDA; they must not take up a name of a listed area.
    _listing(tmp_path, "{lower: ac, listed: true}")
    names = rules("  - family: \\w*cu[A-Z]\\w*\n    note: PyTorch's own\n", "pytorch")
    (tmp_path / "m/pytorch/names.yaml").write_text(names)
    mappings = tmp_path / "m"
    ran = Ran(capsys, "show", "cuInit", "-t", "acme", "--mappings", mappings, "--json")
    assert (ran.json["cuInit"]["status"], ran.json["cuInit"]["replace"]) == ("unmapped", None)
    ran = Ran(capsys, "coverage", "-t", "acme", "--mappings", mappings, "--json", "--names")
    assert ran.json["areas"]["driver"]["unclassified_names"] == ["cuMemcpy", "cuInit"]
    _, data, _, out = _port(mappings, tmp_path, capsys)
    assert "cuMemcpy" in [word["name"] for word in data["words"]["unmapped"]]
    assert "cuMemcpy(a, b, n)" in (out / "src" / "a.cu").read_text()


def test_a_family_of_the_target_decides_about_names_that_are_not_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mappings = _listing(tmp_path, "{lower: ac, listed: true}")
    family = "  - family: cu[A-Z]\\w*\n    status: unsupported\n    note: no driver API\n"
    (mappings / "acme" / "driver.yaml").write_text(rules(family, "driver"))
    ran = Ran(capsys, "coverage", "-t", "acme", "--mappings", mappings, "--json")
    area = ran.json["areas"]["driver"]
    assert (area["unsupported"], area["unclassified"]) == (2, 0)
    _, data, _, _ = _port(mappings, tmp_path, capsys)
    assert "cuMemcpy" in [word["name"] for word in data["words"]["unsupported"]]


def test_a_listed_library_can_be_unsupported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mappings = _listing(tmp_path, "{unsupported: no driver API, listed: true}")
    ran = Ran(capsys, "coverage", "-t", "acme", "--mappings", mappings, "--json")
    area = ran.json["areas"]["driver"]
    assert (area["unsupported"], area["unclassified"]) == (2, 0)
    assert area["reasons"] == [{"reason": "no driver API", "names": 2}]


# -- reading headers


def test_headers_are_found_by_any_folder_above_them(tmp_path: Path) -> None:
    (tmp_path / "include" / "hip").mkdir(parents=True)
    (tmp_path / "include" / "hip" / "hip_runtime.h").write_text("int hipFree;")
    (tmp_path / "include" / "loop").symlink_to(tmp_path)
    (tmp_path / "lib.a").write_bytes(b"hipMalloc")
    (tmp_path / "tool").write_bytes(b"\x7fELF\0hipHost")
    found = sdk.read([tmp_path])
    assert {"hip/hip_runtime.h", "hip_runtime.h"} <= found.headers
    assert found.has(["hipFree"]) and not found.has(["hipMalloc"]) and not found.has(["hipHost"])


def test_every_folder_that_is_no_sdk_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        sdk.read([tmp_path / "a", tmp_path / "b"])
    assert [problem.place for problem in raised.value.problems] == [
        str(tmp_path / "a"),
        str(tmp_path / "b"),
    ]
