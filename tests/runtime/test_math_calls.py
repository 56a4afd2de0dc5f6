"""The compiler plugin makes loops over exp, erf and tanh of float free of calls, whatever name the source calls."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from simt_programs import libsimt

from porter.simt.build import conversion_flags, link_flags, program_flags

CALLS = {
    "exp": ("std::exp(x)", "::expf(x)", "::exp(x)", "__builtin_expf(x)", "__expf(x)"),
    "erf": ("std::erf(x)", "::erff(x)", "::erf(x)"),
    "tanh": ("std::tanh(x)", "::tanhf(x)", "::tanh(x)"),
}
PROGRAM = """
#include <simt_runtime.h>
#include <cmath>
#include <cstdio>
__global__ void loop(const float* in, float* out, int count) {
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) {
    const float x = in[i];
    out[i] = %s;
  }
}
int main() {
  float in[9] = {-200, -3, -0.25, -0.0, 0, 0.25, 3, 200, __builtin_nanf("")};
  float out[9];
  SIMT_LAUNCH((loop), (1), (1), (0), (0), in, out, 9);
  if (simtDeviceSynchronize() != simtSuccess) return 1;
  for (float x : out) std::printf("%%.6g ", x);
}
"""
RESULTS = {
    "exp": "0 0.0497871 0.778801 1 1 1.28403 20.0855 inf nan",
    "erf": "-1 -0.999978 -0.276326 -0 0 0.276326 0.999978 1 nan",
    "tanh": "-1 -0.995055 -0.244919 -0 0 0.244919 0.995055 1 nan",
}


@pytest.mark.parametrize(
    ("function", "call"), [(name, call) for name, calls in CALLS.items() for call in calls]
)
def test_the_loop_is_vectorized(function: str, call: str, tmp_path: Path) -> None:
    source = tmp_path / "program.cpp"
    source.write_text(PROGRAM % call, encoding="utf-8")
    convert = conversion_flags(libsimt().parent)
    assert not convert.warning
    flags = [*program_flags(), *convert.flags, "-O1", "-ftree-vectorize", "-x", "c++", str(source)]
    assembly = tmp_path / "program.s"
    subprocess.run(["g++", *flags, "-S", "-o", assembly], check=True)
    text = assembly.read_text(encoding="utf-8")
    assert not re.search(rf"\bcall\s+{function}f?\b", text)
    assert re.search(r"\bv?mulps\b|\bfmul\s+v", text)
    program = tmp_path / "program"
    link = link_flags(libsimt().parent)
    subprocess.run(["g++", *flags, "-x", "none", "-o", program, *link], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == RESULTS[function].split()


def test_functions_of_double_stay_calls(tmp_path: Path) -> None:
    source = tmp_path / "program.cpp"
    source.write_text(PROGRAM % "std::exp(static_cast<double>(x))", encoding="utf-8")
    flags = [*program_flags(), *conversion_flags(libsimt().parent).flags, "-O1", "-x", "c++"]
    done = subprocess.run(
        ["g++", *flags, source, "-S", "-o", "-"], capture_output=True, text=True, check=True
    )
    assert re.search(r"\bcall\s+exp\b", done.stdout)
