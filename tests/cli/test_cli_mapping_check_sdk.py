"""`porter mapping check --sdk`, with the headers of simt's runtime in the place of a vendor's SDK."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mapping_files import Ran

from porter.simt.sources import include_dir

pytestmark = pytest.mark.slow

PROFILE = """target: acme
summary: a made-up vendor whose SDK is that of simt
names: {lower: acme, UPPER: ACME, Camel: Acme}
device: acme
libraries: {runtime: {lower: simt, listed: true}, solver: {lower: simtsolver, listed: true}}
compiler: {command: g++, flags: [-x, c++, -std=c++17, -D__SIMTCC__=1]}
"""
RULES = """area: runtime
rules:
  - {include: cuda_runtime.h, replace: simt_runtime.h}
  - names:
      cudaMalloc: simtMalloc
      cudaFree: simtFreee
      cudaMemset: simtMalloc
      cudaError_t: simtError_t
"""
CALL = "  - {call: 'cudaMemset(p, v, n)', replace: 'simtMalloc(p, n)'}\n"


def checked(
    capsys: pytest.CaptureFixture[str], folder: Path, files: dict[str, str], *more: object
) -> Ran:
    for name, text in files.items():
        place = folder / "acme" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    words = ("check", "--target", "acme", "--mappings", folder, "--sdk", include_dir())
    return Ran(capsys, *words, *more)


def test_wrong_names_and_functions_with_other_parameters_are_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = checked(capsys, tmp_path, {"target.yaml": PROFILE, "runtime.yaml": RULES})
    assert ran.code == 3
    errors = [line for line in ran.err.splitlines() if line.startswith("error:")]
    assert [line.partition("acme/")[2] for line in errors] == [
        "runtime.yaml:6: 'cudaFree' becomes 'simtFreee', which is in no header of the SDK",
        "runtime.yaml:7: 'cudaMemset' has 3 parameters, and 'simtMalloc' of the SDK has 2",
    ]
    assert "write a rule `call: cudaMemset(...)`" in ran.err


def test_a_call_rule_accounts_for_other_parameters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = RULES.replace("simtFreee", "simtFree") + CALL
    ran = checked(capsys, tmp_path, {"target.yaml": PROFILE, "runtime.yaml": rules})
    assert "error" not in ran.err and "cudaMemset" not in ran.err
    assert ran.code == 1  # warnings: names that only families propose


def test_names_that_macros_of_the_sdk_paste_are_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pasted = "cusolverDnZpotrf_bufferSize: simtsolverDnZpotrf_bufferSize"
    assert "simtsolverDnZpotrf_bufferSize" not in (include_dir() / "simtsolver.h").read_text()
    solver = (
        "area: solver\nrules:\n  - {include: cusolverDn.h, replace: simtsolver.h}\n"
        f"  - names: {{{pasted}}}\n"
    )
    rules = RULES.replace("simtFreee", "simtFree") + CALL
    files = {"target.yaml": PROFILE, "runtime.yaml": rules, "solver.yaml": solver}
    assert "Zpotrf" not in checked(capsys, tmp_path, files).err


def test_the_mappings_of_simt_fit_its_own_headers(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "check", "--target", "simt", "--sdk", include_dir())
    assert "error" not in ran.err
    assert ran.code == 1  # libraries that the host lacks


def test_an_sdk_belongs_to_one_target(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "check", "--sdk", include_dir())
    assert ran.code == 2 and "--sdk needs exactly one target" in ran.err


def test_an_sdk_of_another_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = tmp_path / "usr" / "include" / "hip" / "hip_version.h"
    header.parent.mkdir(parents=True)
    header.write_text("#define HIP_VERSION_MAJOR 5\n#define HIP_VERSION_MINOR 2\n")
    ran = Ran(capsys, "check", "--target", "hip", "--sdk", tmp_path)
    assert ran.code == 7
    assert "hip_version.h: the SDK has version 5.2" in ran.err
    assert "help: use version 6.3 or 6.4 of the SDK for hip" in ran.err


def test_a_folder_without_headers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "check", "--target", "simt", "--sdk", tmp_path)
    assert ran.code == 2 and "contains no header" in ran.err


def test_parameters_of_another_kind_are_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In simt, `cudaFree` takes a pointer and `cudaSetDevice` an integer; both have one parameter."""
    rules = """area: runtime
rules:
  - {include: cuda_runtime.h, replace: simt_runtime.h}
  - names:
      cudaFree: simtSetDevice
      cudaSetDevice: simtSetDevice
      cudaError_t: simtError_t
"""
    ran = checked(capsys, tmp_path, {"target.yaml": PROFILE, "runtime.yaml": rules})
    errors = [line for line in ran.err.splitlines() if line.startswith("error:")]
    assert [line.partition("acme/")[2] for line in errors] == [
        "runtime.yaml:5: 'cudaFree' has the parameters (void *), and 'simtSetDevice' of the SDK has (int)"
    ]
    assert ran.code == 3


def test_a_type_with_another_representation_is_the_same_parameter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`cudaStream_t` is a pointer in CUDA, and an integer here."""
    sdk = tmp_path / "sdk"
    sdk.mkdir()
    (sdk / "acme.h").write_text(
        "typedef int acmeStream_t;\nint acmeStreamSynchronize(acmeStream_t s);\n"
        "int acmeStreamDestroy(long s);\n"
    )
    rules = """area: runtime
rules:
  - {include: cuda_runtime.h, replace: acme.h}
  - names:
      cudaStream_t: acmeStream_t
      cudaStreamSynchronize: acmeStreamSynchronize
      cudaStreamDestroy: acmeStreamDestroy
"""
    profile = PROFILE.replace("lower: simt,", "lower: acme,")
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "target.yaml").write_text(profile)
    (tmp_path / "acme" / "runtime.yaml").write_text(rules)
    words = ("check", "--target", "acme", "--mappings", tmp_path, "--sdk", sdk)
    errors = [line for line in Ran(capsys, *words).err.splitlines() if line.startswith("error:")]
    assert len(errors) == 1 and "'acmeStreamDestroy' of the SDK has (long)" in errors[0]


def test_the_inventory_of_an_sdk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sdk").mkdir()
    (tmp_path / "sdk" / "simt_runtime.h").write_text(
        "namespace one { struct Pair { int a; }; }\n"
        "enum Mode { kFast, kSlow };\n"
        "#define SDK_LIMIT 3\n"
        "int work(const char* name, unsigned count, double by, one::Pair pair, Mode = kFast);\n"
        "int print(const char*, ...);\n"
    )
    words = ("inventory", "--target", "simt", "--sdk", tmp_path / "sdk", "--json")
    ran = Ran(capsys, *words)
    assert ran.code == 0, ran.err
    found = {one["name"]: one for one in json.loads(ran.out)["names"]}
    assert {name: one["kind"] for name, one in found.items()} == {
        "Pair": "type",
        "Mode": "type",
        "kFast": "enumerator",
        "kSlow": "enumerator",
        "SDK_LIMIT": "macro",
        "work": "function",
        "print": "function",
    }
    assert found["Pair"]["namespace"] == "one"
    assert found["work"]["parameters"] == ["pointer", "integer", "real", "record", "integer"]
    assert (found["work"]["required"], found["work"]["place"]) == (4, "simt_runtime.h:4")
    assert "parameters" not in found["print"]


def test_an_inventory_tells_what_it_could_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "simt_runtime.h").write_text("int known();\nunknown_t later();\n")
    ran = Ran(capsys, "inventory", "--target", "simt", "--sdk", tmp_path)
    assert ran.code == 1
    assert "incomplete: simt_runtime.h: simt_runtime.h:2: unknown type name 'unknown_t'" in ran.out


@pytest.mark.parametrize("folder", ["empty", "absent"])
def test_an_inventory_of_no_sdk(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    ran = Ran(capsys, "inventory", "--target", "simt", "--sdk", tmp_path / folder)
    assert ran.code == 2 and "contains no header that a port includes" in ran.err
