"""C++ programs that use PyTorch without Python: a CMake project with `find_package(Torch)` and a toolkit folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from workshop import write_files

pytestmark = pytest.mark.slow

PROJECT = {
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.18)
project(scale LANGUAGES CXX CUDA)
find_package(Torch REQUIRED)
add_library(scale_ops SHARED scale.cu)
target_link_libraries(scale_ops PUBLIC ${TORCH_LIBRARIES})
add_executable(scale main.cpp)
target_link_libraries(scale scale_ops)
add_executable(plain plain.cpp)
target_link_libraries(plain ${TORCH_LIBRARIES})
set_property(TARGET scale_ops scale plain PROPERTY CXX_STANDARD 17)
""",
    "scale.cu": """\
#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void scale_kernel(const float* in, float* out, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * by;
}

at::Tensor scale(at::Tensor in, double by) {
  auto out = at::empty_like(in);
  int n = in.numel();
  scale_kernel<<<(n + 63) / 64, 64, 0, at::cuda::getCurrentCUDAStream()>>>(
      in.data_ptr<float>(), out.data_ptr<float>(), n, by);
  return out;
}
""",
    "main.cpp": """\
#include <torch/torch.h>

#include <iostream>

at::Tensor scale(at::Tensor in, double by);

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto in = torch::arange(100, torch::device(device).dtype(torch::kFloat));
  std::cout << device << " " << scale(in, 2).sum().item<float>() << "\\n";
  torch::cuda::synchronize();
  std::cout << torch::cuda::device_count() << " devices\\n";
  torch::cuda::manual_seed(7);
  auto first = torch::rand(4, device);
  torch::cuda::manual_seed_all(7);
  std::cout << first.equal(torch::rand(4, device)) << first.equal(torch::rand(4, device));
  std::cout << first.cpu().equal(torch::rand(4, torch::Device(torch::kCUDA, 1)).cpu()) << "\\n";
}
""",
    # No symbol of the target's libraries occurs in this program.
    "plain.cpp": """\
#include <torch/torch.h>

#include <iostream>

int main() {
  std::cout << torch::ones(5, torch::kCUDA).sum().item<float>() << "\\n";
}
""",
}


def test_a_program_with_libtorch_runs_on_the_device(tmp_path: Path) -> None:
    write_files(tmp_path, PROJECT)
    toolkit = _output(sys.executable, "-m", "porter", "toolkit", "--target", "simt", "--torch")
    environment = {
        **os.environ,
        "CUDA_PATH": toolkit,
        "CUDACXX": f"{toolkit}/bin/nvcc",
        "CXX": f"{toolkit}/bin/c++",
        "TORCH_CUDA_ARCH_LIST": "7.0",
    }
    # The programs find the libraries by themselves.
    environment.pop("LD_LIBRARY_PATH", None)
    torch_package = f"-DCMAKE_PREFIX_PATH={torch.utils.cmake_prefix_path}"
    build = tmp_path / "build"
    for command in (
        ["cmake", "-S", str(tmp_path), "-B", str(build), torch_package],
        ["cmake", "--build", str(build), "-j", "2"],
    ):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    environment["SIMT_DEVICE_COUNT"] = "2"
    assert _output(f"{build}/plain", environment=environment) == "5"
    lines = _output(f"{build}/scale", environment=environment).splitlines()
    assert lines == ["privateuseone 9900", "2 devices", "101"]


def _output(*command: str, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
