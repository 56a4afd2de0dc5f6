"""Guard macros in builds with a vendor's compiler: versions in every source, the architecture in the device pass."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from rule_sets import target_rules

from porter.builder import guard_macros
from porter.model.rules import Guard, RuleSet

SOURCE = """\
#if {version} >= 11000 && {version} < 12000
version
#endif
#if {arch} >= 800
arch
#endif
"""


def preprocessed(rules: RuleSet, folder: Path, *flags: str) -> list[str]:
    guards = rules.profile.guards
    source = folder / "source.cpp"
    names = {"version": guards["CUDA_VERSION"].macro, "arch": guards["__CUDA_ARCH__"].macro}
    source.write_text(SOURCE.format(**names))
    used = guard_macros.with_header(rules, folder / "build").profile.compiler_flags
    include = used[used.index("-include") : used.index("-include") + 2]
    command = ["g++", "-E", "-P", *flags, *include, str(source)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


@pytest.mark.parametrize(
    ("target", "device_pass"), [("musa", "__MUSA_ARCH__=220"), ("maca", "__MACA_ARCH__=1000")]
)
def test_comparisons_see_the_values_of_the_profile(
    target: str, device_pass: str, tmp_path: Path
) -> None:
    rules = target_rules(target, "2.6.0")
    assert preprocessed(rules, tmp_path) == ["version"]
    assert preprocessed(rules, tmp_path, f"-D{device_pass}") == ["version", "arch"]


def test_definition_on_the_command_line_precedes(tmp_path: Path) -> None:
    assert not preprocessed(target_rules("musa", "2.6.0"), tmp_path, "-DMUSA_COMPAT_VERSION=12040")


def test_value_0_and_macros_of_the_vendors_headers_are_not_defined() -> None:
    rules = target_rules("hip", "2.6.0")
    assert "HIP_COMPAT_ARCH" not in guard_macros.text(rules)
    guards = {"CUB_VERSION": Guard("CUB_VERSION", 200302)}
    theirs = rules._replace(profile=rules.profile._replace(guards=guards))
    assert "#define" not in guard_macros.text(theirs)


def test_the_runtime_of_simt_defines_its_own(tmp_path: Path) -> None:
    rules = target_rules("simt", "2.6.0")
    assert guard_macros.with_header(rules, tmp_path / "build") is rules
    assert not (tmp_path / "build").exists()
