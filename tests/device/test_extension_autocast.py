"""Operators of extensions that are registered for CUDA's automatic mixed precision."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from workshop import write_files

pytestmark = pytest.mark.slow

OPERATOR = """\
#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <torch/library.h>

at::Tensor joined(const at::Tensor& x, const at::Tensor& y) {
  TORCH_CHECK(x.scalar_type() == y.scalar_type(), "x and y differ in dtype");
  return at::cat({x, y});
}
at::Tensor joined_autocast(const at::Tensor& x, const at::Tensor& y) {
  c10::impl::ExcludeDispatchKeyGuard guard(c10::DispatchKey::Autocast);
  static auto op = c10::Dispatcher::singleton()
      .findSchemaOrThrow("mixed::joined", "").typed<decltype(joined)>();
  return op.call(at::autocast::cached_cast(at::kFloat, x), at::autocast::cached_cast(at::kFloat, y));
}
TORCH_LIBRARY(mixed, m) { m.def("joined(Tensor x, Tensor y) -> Tensor"); }
TORCH_LIBRARY_IMPL(mixed, CUDA, m) { m.impl("joined", joined); }
TORCH_LIBRARY_IMPL(mixed, Autocast, m) { m.impl("joined", joined_autocast); }
"""
PROGRAM = """\
import torch
from torch.utils.cpp_extension import load
load("mixed", ["mixed.cpp"], is_python_module=False, with_cuda=True)
x, y = torch.ones(2, device="cuda", dtype=torch.half), torch.ones(3, device="cuda")
with torch.autocast("cuda"):
    both = torch.ops.mixed.joined(x, y)
assert both.is_cuda and both.dtype == torch.float and both.tolist() == [1] * 5, both
try:
    torch.ops.mixed.joined(x, y)
except RuntimeError as error:
    assert "differ in dtype" in str(error)
else:
    raise AssertionError("no error without autocast")
"""


def test_autocast_calls_the_kernel_for_cuda(tmp_path: Path) -> None:
    write_files(tmp_path, {"mixed.cpp": OPERATOR, "program.py": PROGRAM})
    done = subprocess.run(
        [sys.executable, "-m", "torch_simt.as_cuda", "program.py"],
        cwd=tmp_path,
        env={**os.environ, "TORCH_EXTENSIONS_DIR": str(tmp_path / "built"), "MAX_JOBS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
