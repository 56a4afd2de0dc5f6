"""Targets on the host: CUDA programs ported with a vendor's names, built with the runtime of simt, and run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from repository import ROOT
from simt_programs import compile_ported

from porter.cli.main import call

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "examples" / "cuda"
NAMES = ("bitonic_sort", "reduction", "streams_events")
"""Programs with dynamic shared memory, warp collectives, streams and events."""
LIBRARIES = """#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cub/cub.cuh>
#include <cufft.h>
#include <curand_kernel.h>
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

__global__ void draw(float* out, unsigned long long seed) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand_uniform(&state);
}

int main() {
  float host[64], total = 0;
  float* data = nullptr;
  if (cudaMalloc(reinterpret_cast<void**>(&data), sizeof(host)) != cudaSuccess) return 1;
  draw<<<1, 64>>>(data, 7);
  if (cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  for (float one : host) total += one;

  cublasHandle_t handle;
  float sum = 0;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 3;
  if (cublasSasum(handle, 64, data, 1, &sum) != CUBLAS_STATUS_SUCCESS) return 4;
  cublasDestroy(handle);

  float* out = nullptr;
  void* scratch = nullptr;
  size_t bytes = 0;
  cudaMalloc(reinterpret_cast<void**>(&out), sizeof(float));
  cub::DeviceReduce::Sum(scratch, bytes, data, out, 64);
  cudaMalloc(&scratch, bytes);
  cub::DeviceReduce::Sum(scratch, bytes, data, out, 64);
  float reduced = 0;
  cudaMemcpy(&reduced, out, sizeof(reduced), cudaMemcpyDeviceToHost);

  cufftHandle plan;
  cufftComplex* signal = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&signal), 64 * sizeof(cufftComplex));
  if (cufftPlan1d(&plan, 64, CUFFT_C2C, 1) != CUFFT_SUCCESS) return 5;
  thrust::device_vector<float> ones(10, 1.0f);
  const float counted = thrust::reduce(thrust::cuda::par.on(0), ones.begin(), ones.end());
  std::printf("%d %d %d\\n", total > 20 && total < 44, sum > total - 1e-3f && sum < total + 1e-3f,
              reduced > total - 1e-3f && reduced < total + 1e-3f && counted == 10);
  return 0;
}
"""


RULES = """area: runtime
rules:
  - call: cudaMemcpy(dst, src, n, kind)
    replace: acmeMemcpy(0, kind, src, dst, n)
    example: {before: "cudaMemcpy(a, b, 4, k);", after: "acmeMemcpy(0, k, b, a, 4);"}
  - name: cudaMalloc
    replace: acme_allocate
    shim: acme/shims.h
"""
"""Function of a vendor that takes CUDA's arguments in another order and one argument more, and a shim."""


@pytest.fixture(scope="module")
def vendor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Mapping folder with a new vendor, as `porter target new` writes it."""
    folder = tmp_path_factory.mktemp("vendor")
    assert call(["target", "new", "acme", "--mappings", str(folder)]) == 0
    (folder / "acme" / "runtime.yaml").write_text(RULES)
    return folder


@pytest.fixture(scope="module", params=["musa", "hip", "maca", "acme"])
def port(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, vendor: Path
) -> tuple[str, Path]:
    """Target, and the folder with its port of the examples and of a program that uses libraries."""
    sources = tmp_path_factory.mktemp("sources")
    (sources / "libraries.cu").write_text(LIBRARIES)
    out = tmp_path_factory.mktemp(request.param)
    words = ["port", str(EXAMPLES), str(sources), "--target", request.param, "--on-host"]
    assert call([*words, "--mappings", str(vendor), "--out", str(out)]) == 0
    return request.param, out


def built(port: tuple[str, Path], name: str, program: Path) -> Path:
    target, out = port
    (source,) = (out / target / "src").rglob(f"{name}.*")
    text = source.read_text()
    # The headers of simt declare `thrust::cuda::par`; a vendor's own port has `thrust::acme::par`.
    assert "cuda" not in text.replace("examples/cuda", "").replace("thrust::cuda::par", "")
    return compile_ported(source, program, "-I", str(out / f"{target}-sdk" / "include"))


@pytest.mark.parametrize("name", NAMES)
def test_a_program_with_the_names_of_a_vendor(
    port: tuple[str, Path], name: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [built(port, name, tmp_path / name)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{name}: ok")


def test_libraries_with_the_names_of_a_vendor(port: tuple[str, Path], tmp_path: Path) -> None:
    done = subprocess.run(
        [built(port, "libraries", tmp_path / "libraries")], stdout=subprocess.PIPE, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"1 1 1\n")
