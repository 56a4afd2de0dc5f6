"""The runtime's headers and mappings/simt contain the same names."""

from __future__ import annotations

from pathlib import Path

import pytest

import simt_contract
from mapping_tables import cuda_headers
from porter.simt.build import KERNEL_FLAGS
from porter.simt.sources import include_dir

pytestmark = pytest.mark.skipif(
    cuda_headers.clang is None, reason="libclang is not installed: pip install libclang"
)

RULES = simt_contract.rules()
AREAS = simt_contract.areas(RULES)

MARKERS = (include_dir() / "simttx.h").read_text(encoding="utf-8")
NAMES = "".join(
    f"void simttxName{one}A();\n#define simttxName{one} simttxName{one}A\n"
    for one in ["Device", "Stream", "Event", "DrvDevice", "DrvContext", "DrvStream", "DrvEvent"]
)
"""Text of a simttx_names.h that needs no other header."""
POP = "inline int simttxRangePop() { return SIMTTX_NO_PUSH_POP_TRACKING; }"


def of_markers(folder: Path, text: str) -> list[str]:
    """Findings of the check for a simttx.h with this text."""
    (folder / "simttx.h").write_text(text, encoding="utf-8")
    (folder / "simttx_names.h").write_text(NAMES, encoding="utf-8")
    return [str(difference) for difference in simt_contract.check(RULES, "nvtx", folder)]


@pytest.mark.parametrize("area", AREAS)
def test_headers_and_mapping_agree(area: str) -> None:
    assert [str(difference) for difference in simt_contract.check(RULES, area)] == []


def test_every_area_of_the_runtime_is_compared() -> None:
    assert set(AREAS) >= {
        *("runtime", "driver", "intrinsics", "math", "blas", "blaslt", "rand", "rand_device"),
        *("nvtx", "sparse", "solver", "cub", "thrust"),
    }


def test_the_profile_and_the_runtimes_build_name_the_same_flags() -> None:
    assert RULES.profile.compiler_flags == ("-x", "c++", *KERNEL_FLAGS)


def test_headers_that_agree(tmp_path: Path) -> None:
    assert of_markers(tmp_path, MARKERS) == []


def test_a_promised_function_is_missing(tmp_path: Path) -> None:
    text = MARKERS.replace(POP, "")
    assert of_markers(tmp_path, text) == ["nvtx: simttxRangePop: not declared (for nvtxRangePop)"]


def test_a_promised_macro_is_missing(tmp_path: Path) -> None:
    text = MARKERS.replace("#define SIMTTX_VERSION 3\n", "")
    assert of_markers(tmp_path, text) == ["nvtx: SIMTTX_VERSION: not declared (for NVTX_VERSION)"]


def test_a_name_in_a_namespace_is_not_a_global_one(tmp_path: Path) -> None:
    text = MARKERS.replace(POP, f"namespace simtrt {{ {POP} }}")
    assert of_markers(tmp_path, text) == ["nvtx: simttxRangePop: not declared (for nvtxRangePop)"]


@pytest.mark.parametrize(
    ("declaration", "name"),
    [
        ("void simttxDomainSyncUserCreate(int);", "simttxDomainSyncUserCreate"),
        ('extern "C" { void simttxNameClEventW(const wchar_t*); }', "simttxNameClEventW"),
        ("#define SIMTTX_INLINE inline", "SIMTTX_INLINE"),
        ("enum { SIMTTX_COLOR };", "SIMTTX_COLOR"),
        ("struct simttxDomain { int id; };", "simttxDomain"),
        ("namespace simttx { struct domain {}; }", "simttx::domain"),
    ],
)
def test_a_name_is_declared_that_nothing_promises(
    tmp_path: Path, declaration: str, name: str
) -> None:
    assert of_markers(tmp_path, MARKERS + declaration) == [
        f"nvtx: {name}: not in mappings/simt, declared by simttx.h"
    ]


@pytest.mark.parametrize(
    "declaration",
    [
        "namespace simtrt { struct Marker {}; }",
        "#define SIMTRT_MARKER 1",
        "#define SIMTTX_STEP 1\n#undef SIMTTX_STEP",
        "struct SIMTTXdomain_st;",
        "#include <cstdint>",
    ],
)
def test_what_is_not_for_programs_needs_no_promise(tmp_path: Path, declaration: str) -> None:
    assert of_markers(tmp_path, MARKERS + declaration) == []


def test_a_header_that_a_rule_names_is_missing(tmp_path: Path) -> None:
    found = [str(difference) for difference in simt_contract.check(RULES, "nvtx", tmp_path)]
    assert "nvtx: SIMTTX_VERSION: not declared (for NVTX_VERSION)" in found
    assert "nvtx: simttx.h: the header is missing" in found


def test_a_header_that_no_rule_names(tmp_path: Path) -> None:
    (tmp_path / "simt_extra.h").write_text("", encoding="utf-8")
    assert simt_contract.Difference(
        "runtime", "simt_extra.h", "no `include:` rule names it"
    ) in simt_contract.check(RULES, "runtime", tmp_path)


def test_a_header_that_does_not_compile(tmp_path: Path) -> None:
    before, after = MARKERS.split("typedef std::uint64_t", 1)
    found = of_markers(tmp_path, f"{before}typedef unknown_type{after}")
    line = before.count("\n") + 1
    assert f"nvtx: simttx.h:{line}: does not compile: unknown type name 'unknown_type'" in found


def test_guards_have_the_profiles_values(tmp_path: Path) -> None:
    (tmp_path / "simt_runtime.h").write_text("#define SIMT_COMPAT_VERSION 13000\n", "utf-8")
    found = simt_contract.check(RULES, "runtime", tmp_path)
    assert simt_contract.Difference("runtime", "SIMT_COMPAT_VERSION", "not 12040") in found


def test_names_in_namespaces_and_members_of_classes(tmp_path: Path) -> None:
    (tmp_path / "cub").mkdir()
    (tmp_path / "cub" / "cub.cuh").write_text(
        "namespace cub { struct DeviceReduce { template <class T> static int Sum(T); }; }",
        encoding="utf-8",
    )
    found = {difference.name for difference in simt_contract.check(RULES, "cub", tmp_path)}
    assert "cub::DeviceReduce" not in found
    assert "cub::DeviceReduce::Sum" not in found
    assert "cub::DeviceReduce::Max" in found
    assert "cub" not in found


def test_the_command_line_names_each_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = MARKERS.replace(POP, "")
    assert of_markers(tmp_path, text)
    assert simt_contract.main(["--area", "nvtx", "--include", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert said.out == "nvtx: simttxRangePop: not declared (for nvtxRangePop)\n"
    assert said.err == "1 difference\n"


def test_the_command_line_refuses_what_it_does_not_know(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert simt_contract.main(["--area", "dance"]) == 2
    assert "unknown area 'dance'" in capsys.readouterr().err


def test_exceptions_have_reasons_and_are_needed() -> None:
    for kind in ("not_promised", "inner"):
        assert all(entry["reason"] for entry in simt_contract.SETTINGS[kind])
    declared = "\n".join(
        path.read_text(encoding="utf-8") for path in include_dir().rglob("*") if path.is_file()
    )
    for entry in simt_contract.SETTINGS["not_promised"]:
        names = [name.rpartition("::")[2] for name in entry["names"]]
        assert [name for name in names if name not in declared] == []
