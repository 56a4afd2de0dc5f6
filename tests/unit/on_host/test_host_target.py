"""Derived mappings and the facade of a vendor's SDK, for rules that a vendor may write."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mapping_files import rules
from rule_sets import port

from porter.base.errors import MappingError, Problem
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.on_host import host_target
from porter.on_host.host_target import _in_derived_files
from porter.simt.sources import include_dir

PROFILE = """\
target: acme
summary: a made-up vendor
names: {lower: acme, UPPER: ACME, Camel: Acme}
device: acme
libraries: {runtime: ac, driver: acdrv, cub: cub, thrust: thrust}
"""


def facade(folder: Path, text: str, profile: str = PROFILE) -> dict[str, Any]:
    """Document of the facade for target acme with these rules."""
    vendor = folder / "vendor" / "acme"
    vendor.mkdir(parents=True)
    (vendor / "target.yaml").write_text(profile)
    (vendor / "runtime.yaml").write_text(rules(text))
    library = MappingLibrary.find((folder / "vendor",))
    host_target.make(library, "acme", "2.6.0", folder / "sdk")
    return dict(json.loads((folder / "sdk" / "facade.json").read_text()))


@pytest.mark.parametrize(
    "rule",
    [
        "  - {qualified: thrust::cuda::par, replace: 'thrust::ac::par'}",
        "  - {qualified: thrust::cuda::par, replace: 'thrust::acme::par'}",
        "  - {qualified: thrust::cuda::par, status: unsupported, note: none}",
        "  - {qualified: thrust::cuda::par, replace: 'thrust::ac::par', only_in: ['aten/**']}",
        "  - {qualified: thrust::cuda, replace: 'thrust::ac'}",
        "  - {qualified: cub::DeviceReduce::Sum, replace: 'cub::DeviceFold::Sum'}",
    ],
)
def test_rules_about_names_inside_a_namespace_of_the_host_are_listed_as_unused(
    rule: str, tmp_path: Path
) -> None:
    chain = rule.split("qualified: ")[1].split(",")[0]
    made = facade(tmp_path, f"{rule}\n")
    assert f"acme/runtime: qualified {chain}" in made["unused_rules"]
    derived = json.loads((tmp_path / "sdk/mappings/acme/host.json").read_text())
    assert {"qualified": chain} in derived["rules"]


def test_rules_about_macros_keep_their_files(tmp_path: Path) -> None:
    facade(tmp_path, "  - {name: cudaFree, replace: acFree}\n")

    derived = json.loads((tmp_path / "sdk/mappings/acme/host.json").read_text())["rules"]
    about = {one["status"]: one for one in derived if one.get("macro") == "__NVCC__"}
    assert about["supported"]["not_in"] == about["unsupported"]["only_in"]
    library = MappingLibrary.find((tmp_path / "sdk/mappings",))
    derived_rules = rule_cache.rule_set(library, "acme", "2.6.0")
    for path, macro in (("csrc/a.cu", "__SIMTCC__"), ("aten/src/ATen/a.cu", "__NVCC__")):
        assert port("#ifdef __NVCC__\n", derived_rules, path).text.endswith(f"#ifdef {macro}\n")


@pytest.mark.parametrize("start", ["", "::"])
def test_a_renamed_namespace_is_a_macro_of_the_facade(start: str, tmp_path: Path) -> None:
    text = f"  - {{qualified: cub::DeviceReduce, replace: '{start}accub::DeviceReduce'}}\n"
    made = facade(tmp_path, text)
    assert made["aliases"]["accub"] == "cub"
    assert made["unused_rules"] == []


@pytest.mark.slow
def test_a_renamed_cub_is_global_and_in_the_namespace_of_the_program(tmp_path: Path) -> None:
    text = """\
  - {include: cub/cub.cuh, replace: accub/all.h}
  - {qualified: cub::DeviceReduce, replace: 'accub::DeviceReduce'}
"""
    facade(tmp_path, text)
    (tmp_path / "a.cpp").write_text("""\
#define CUB_NS_PREFIX namespace mine {
#define CUB_NS_POSTFIX }
#define CUB_NS_QUALIFIER ::mine::accub
#include <accub/all.h>
static_assert(sizeof(::accub::NullType) == sizeof(mine::accub::NullType));
""")
    runtime = include_dir()
    command = ["g++", "-std=c++17", "-fsyntax-only", "-I", str(tmp_path / "sdk/include")]
    command += ["-I", str(runtime), str(tmp_path / "a.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("  - {call: __activemask(), replace: __ballot(1)}", "__ballot"),
        ("  - {call: __trap(), replace: __builtin_trap()}", "__builtin_trap"),
    ],
)
def test_a_function_of_the_runtime_or_the_compiler_becomes_no_macro(
    rule: str, name: str, tmp_path: Path
) -> None:
    made = facade(tmp_path, f"{rule}\n")
    assert made["unused_rules"] == [f"acme/runtime: call {rule.split('call: ')[1].split(',')[0]}"]
    assert f"#define {name}" not in (tmp_path / "sdk/include/porter_facade_names.h").read_text()


@pytest.mark.parametrize("type_of_cpp", ["int", "size_t", "uint64_t", "double"])
def test_a_type_of_cpp_becomes_no_macro(type_of_cpp: str, tmp_path: Path) -> None:
    made = facade(tmp_path, f"  - {{name: cusolver_int_t, replace: {type_of_cpp}}}\n")
    assert type_of_cpp not in made["aliases"] and "cusolver_int_t" in made["from_host"]
    library = MappingLibrary.find((tmp_path / "sdk/mappings",))
    derived_rules = rule_cache.rule_set(library, "acme", "2.6.0")
    assert "simtsolver_int_t n;" in port("cusolver_int_t n;\n", derived_rules, "a.cu").text


def test_rules_about_qualified_names_of_pytorch_apply_on_the_host(tmp_path: Path) -> None:
    rule = {"qualified": "at::cuda::detail", "replace": "at::acme::inner"}
    made = facade(tmp_path, "  - {qualified: at::cuda::detail, replace: 'at::acme::inner'}\n")
    assert made["unused_rules"] == [] and "acme" not in made["aliases"]
    derived = json.loads((tmp_path / "sdk/mappings/acme/runtime.json").read_text())
    assert derived["rules"] == [rule]


def test_the_facade_has_the_main_header_even_if_no_rule_writes_it(tmp_path: Path) -> None:
    profile = PROFILE + "main_header: {include: ac/start.h, insert_into: [cu]}\n"
    made = facade(tmp_path, "  - {name: cudaMalloc, replace: acAlloc}\n", profile)
    assert made["headers"]["ac/start.h"] == ["simt_runtime.h"]
    assert "simt_runtime.h" in (tmp_path / "sdk/include/ac/start.h").read_text()


def test_a_build_on_the_host_has_the_lanes_of_simt(tmp_path: Path) -> None:
    facade(tmp_path, "  - {name: cudaMalloc, replace: acAlloc}\n", PROFILE + "warp_size: 64\n")
    derived = json.loads((tmp_path / "sdk/mappings/acme/target.yaml").read_text())
    assert int(derived["warp_size"]) == 32


def test_a_replacement_that_is_no_name_becomes_the_name_of_simt(tmp_path: Path) -> None:
    made = facade(tmp_path, "  - {name: cudaMalloc, replace: 'alloc<void>'}\n")
    assert made["from_host"] == ["cudaMalloc"]


def test_errors_in_derived_files_name_the_file_and_the_vendors_folder(tmp_path: Path) -> None:
    for folder in ("derived/acme", "vendor/acme"):
        (tmp_path / folder).mkdir(parents=True)
    library = MappingLibrary((tmp_path / "derived", tmp_path / "vendor"))
    problems = [Problem("two rules", "acme/runtime.json:4", "remove one"), Problem("x", "cuda/a:1")]
    one, other = _in_derived_files(MappingError(problems), library, "acme").problems
    assert one.place == f"{tmp_path}/derived/acme/runtime.json:4"
    assert one.text == "derived mappings: two rules"
    assert f"change the rule in {tmp_path}/vendor/acme" in one.help
    assert other == problems[1]


def test_a_macro_that_shows_the_include_of_a_header_is_defined_by_this_header(
    tmp_path: Path,
) -> None:
    """NVIDIA's `helper_cuda.h` declares a function for cusparseStatus_t if CUSPARSEAPI is defined."""
    profile = PROFILE.replace("cub: cub", "sparse: acsparse, cub: cub")
    text = "  - {include: cusparse.h, replace: acsparse.h}\n  - {name: CUSPARSEAPI, replace: ACSPARSEAPI}\n"
    made = facade(tmp_path, text, profile)
    assert made["aliases"]["ACSPARSEAPI"] == "SIMTSPARSEAPI"
    headers = tmp_path / "sdk/include"
    line = "#define ACSPARSEAPI SIMTSPARSEAPI\n"
    assert line not in (headers / "porter_facade_names.h").read_text()
    assert line in (headers / "acsparse.h").read_text()
