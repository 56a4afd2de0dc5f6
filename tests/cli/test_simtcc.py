"""`simtcc`: the compiler driver with nvcc's command line, for programs on target `simt`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from simt_programs import libsimt
from workshop import write_files

pytestmark = pytest.mark.slow

Simtcc = Callable[..., subprocess.CompletedProcess[str]]

PROGRAM = {
    "src/main.cu": """\
#include <cstdio>
#include "scale.cuh"

int main() {
  float* x;
  cudaMallocManaged(&x, 64 * sizeof(float));
  for (int i = 0; i < 64; i++) x[i] = i;
  scale<<<2, 32>>>(x, 3.f, 64);
  cudaError_t status = cudaDeviceSynchronize();
  printf("%s %g %s\\n", cudaGetErrorString(status), x[63], __FILE__);
}
""",
    "include/scale.cuh": """\
#pragma once
#include "detail/step.inl"
extern __device__ float other(float x);
__global__ void scale(float* x, float a, int n);
""",
    "include/detail/step.inl": "__device__ inline float twice(float x) { return x + x; }\n",
    "src/scale.cu": """\
#include "scale.cuh"
__global__ void scale(float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = other(twice(x[i]) * a);
}
""",
    "src/other.cu": "__device__ float other(float x) { return x + STEP; }\n",
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def simtcc(tmp_path: Path, cache: Path) -> Simtcc:
    """Run simtcc in the test's folder, with the checkout's libsimt.so."""
    program = "from porter.toolkit.program import simtcc; simtcc()"
    told = {"PORTER_SIMT_RUNTIME": str(libsimt().parent)}

    def run(*arguments: str, cache: Path = cache) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-c", program, *arguments]
        environment = {**os.environ, **told, "PORTER_CACHE": str(cache)}
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return run


def test_several_files_with_device_functions_in_another_file(
    simtcc: Simtcc, tmp_path: Path
) -> None:
    write_files(tmp_path, PROGRAM)
    flags = (
        "-arch=sm_80",
        "-rdc=true",
        "-Iinclude",
        "-DSTEP=1",
        "-lcudart",
        "-lcublas",
        "-lineinfo",
    )
    done = simtcc(*flags, "src/main.cu", "src/scale.cu", "src/other.cu", "-o", "program")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    told = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=False)
    assert told.stdout == "no error 379 src/main.cu\n"


def test_macros_of_one_letter(simtcc: Simtcc, tmp_path: Path) -> None:
    """Programs define N or T on the command line; the runtime's headers have template parameters of such names."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    write_files(
        tmp_path,
        {
            "main.cu": '__global__ void f(int* x) { atomicAdd(x, N); }\n#include "host.h"\n',
            "host.cpp": '#include <cuda_runtime.h>\n#include "host.h"\n',
            "host.h": f"static_assert({' + '.join(letters)} == 78);\n",
        },
    )
    done = simtcc("-c", *(f"-D{letter}=3" for letter in letters), "main.cu", "host.cpp")
    assert done.returncode == 0, done.stderr
    write_files(tmp_path, {"later.cu": "#define N 3\n#include <cuda_runtime.h>\nint x = N;\n"})
    done = simtcc("-c", "later.cu")
    assert done.returncode == 0, done.stderr


def test_limits_of_float_come_with_cub(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.cu": "#include <cub/cub.cuh>\nfloat most = FLT_MAX;\n"})
    done = simtcc("-c", "a.cu")
    assert done.returncode == 0, done.stderr


def test_headers_by_their_paths_below_the_current_folder(simtcc: Simtcc, tmp_path: Path) -> None:
    """The headers include each other by such paths; the compiler reads the port of each, never the original."""
    write_files(
        tmp_path,
        {
            "a.cu": '#include "m/vector.h"\nstatic_assert(sizeof(Vector) == sizeof(void*));\n',
            "m/vector.h": '#pragma once\n#include "m/stream.h"\nstruct Vector { Stream stream; };\n',
            "m/stream.h": '#pragma once\n#include "m/vector.h"\n#include <cuda.h>\nusing Stream = CUstream;\n',
        },
    )
    done = simtcc("-I.", "-c", "a.cu")
    assert (done.returncode, done.stderr) == (0, "")


def test_files_with_a_byte_order_mark(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.cu": '\ufeff#include "b.cuh"\n', "b.cuh": "\ufeffint b;\n"})
    done = simtcc("-c", "a.cu")
    assert (done.returncode, done.stderr) == (0, "")


def test_what_programs_find_without_an_include(simtcc: Simtcc, tmp_path: Path) -> None:
    """CUDA's compiler includes the C library's headers in every source."""
    source = """\
__global__ void k() { printf("%d", INT_MAX); }
void f(const float** x, void* y) { cudaMalloc(x, ULONG_MAX % 8); memset(y, 0, 4); }
"""
    write_files(tmp_path, {"a.cu": source})
    done = simtcc("-c", "a.cu")
    assert (done.returncode, done.stderr) == (0, "")


MARKERS = """\
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <cstdio>

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  nvtxNameCudaStreamA(stream, "copies");
  nvtxNameOsThread(1, "worker");
  nvtxEventAttributes_t event = {0};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB;
  event.color = 0xff00ff00;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "step";
  nvtxDomainHandle_t domain = nvtxDomainCreateA("program");
  nvtxRangePushEx(&event);
  nvtxRangePop();
  nvtxRangeId_t range = nvtxDomainRangeStartEx(domain, &event);
  nvtxDomainRangeEnd(domain, range);
  printf("%d\\n", event.size);
}
"""


def test_markers_with_attributes_and_names(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"main.cu": MARKERS})
    assert simtcc("main.cu", "-lnvToolsExt", "-o", "program").returncode == 0
    assert subprocess.run([str(tmp_path / "program")], capture_output=True).stdout == b"48\n"


INTEROP = """\
#include <cstdio>
#include <cuda_gl_interop.h>
cudaGraphicsResource* resource;
int main(int argc, char**) {
  cudaGLSetGLDevice(0);
  if (argc > 1) cudaGraphicsMapResources(1, &resource);
  cudaError_t status = cudaGraphicsGLRegisterBuffer(&resource, 1, cudaGraphicsMapFlagsWriteDiscard);
  printf("%s\\n", cudaGetErrorName(status));
}
"""


def test_a_program_with_an_optional_window(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"window.cpp": INTEROP})
    done = simtcc("window.cpp", "-run")
    assert (done.returncode, done.stdout) == (0, "simtErrorInvalidGraphicsContext\n"), done.stderr


REFERENCES = """\
#include <cstdio>
texture<float> weights;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> image;
__global__ void scale(float* x) { x[threadIdx.x] *= tex1Dfetch(weights, threadIdx.x); }
int main() {
  float *x, *w;
  cudaMallocManaged(&x, 16);
  cudaMallocManaged(&w, 16);
  for (int i = 0; i < 4; i++) x[i] = w[i] = i;
  cudaBindTexture(0, weights, w, 16);
  scale<<<1, 4>>>(x);
  cudaUnbindTexture(weights);
  printf("%g\\n", x[3]);
}
"""


def test_texture_references_of_older_programs(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.cu": REFERENCES})
    done = simtcc("a.cu", "-run")
    assert (done.returncode, done.stdout) == (0, "9\n"), done.stderr
    own = "struct texture { cudaTextureObject_t object; };\ntexture surface;\n"
    write_files(tmp_path, {"own.cu": own})
    done = simtcc("-c", "own.cu")
    assert done.returncode == 0, done.stderr


NEWER = """\
#include <cstdio>
#include <cufft.h>
#include <thrust/random.h>
static_assert(CUFFT_NVSHMEM_FAILURE == 20 && CUDA_EMULATION_MANTISSA_CONTROL_FIXED == 1);
void show(cudaEmulationMantissaControl one) { std::cout << one; }
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
__global__ void bend(float* x) {
  *x = __half2float(htanh_approx(__float2half(*x))) + __low2float(h2tanh_approx(__float2bfloat162_rn(0.f)));
}
int main() {
  float* x;
  cudaMallocManaged(&x, 4);
  *x = 20;
  cudaMemLocation place = {cudaMemLocationTypeDevice, 0};
  cudaError_t advised = cudaMemAdvise(x, 4, cudaMemAdviseSetPreferredLocation, place);
  cudaError_t moved = cudaMemPrefetchAsync(x, 4, place, 0, cudaStream_t());
  place.id = 9;
  cudaError_t refused = cudaMemPrefetchAsync(x, 4, place, 0);
  bend<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  thrust::device_vector<int> numbers(3);
  thrust::sequence(numbers.begin(), numbers.end());
  printf("%d %d %d %g %d\\n", advised, moved, refused, *x, (int)numbers[2]);
}
"""


def test_names_of_newer_cuda_releases(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.cu": NEWER})
    done = simtcc("a.cu", "-run")
    assert (done.returncode, done.stdout) == (0, "0 0 101 1 2\n"), done.stderr


def test_vectors_of_thrust_declare_the_streams_of_the_host(simtcc: Simtcc, tmp_path: Path) -> None:
    text = "#include <thrust/host_vector.h>\nvoid show(int one) { std::cout << one; }\n"
    write_files(tmp_path, {"a.cu": text})
    done = simtcc("-c", "a.cu")
    assert done.returncode == 0, done.stderr


def test_separate_steps_and_dependencies(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, PROGRAM)
    for name in ("main", "scale", "other"):
        done = simtcc("-dc", "-MMD", "-Iinclude", "-DSTEP=1", f"src/{name}.cu", "-o", f"{name}.o")
        assert (done.returncode, done.stderr) == (0, "")
    rule = (tmp_path / "main.d").read_text().replace("\\\n", "").split()
    own = [word for word in rule if str(tmp_path) in word or word.startswith("src")]
    assert rule[0] == "main.o:"
    assert own == [
        "src/main.cu",
        f"{tmp_path}/include/scale.cuh",
        f"{tmp_path}/include/detail/step.inl",
    ]
    assert simtcc("-dlink", "main.o", "scale.o", "other.o", "-o", "device.o").returncode == 0
    done = simtcc("main.o", "scale.o", "other.o", "device.o", "-run")
    assert done.stdout == "no error 379 src/main.cu\n"


def test_an_error_names_the_users_line_and_the_rule(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "a.cu": '#include "b.cuh"\nint f() { return g(); }\n',
            "b.cuh": "#include <cublas_v2.h>\ninline int g() {\n  cudaFrobnicate();\n  return cudaMalloc(3);\n}\n",
        },
    )
    done = simtcc("-c", "a.cu")
    assert done.returncode == 1
    assert "b.cuh:3:3: error: " in done.stderr
    assert "b.cuh:3: note: porter: cudaFrobnicate is foreign" in done.stderr
    assert "b.cuh:4: note: porter: cudaMalloc became simtMalloc (simt/" in done.stderr
    assert "porter-" not in done.stderr
    assert "toolkit/ported" not in done.stderr
    assert not (tmp_path / "a.o").exists()


REDECLARED = """\
#include <cstdio>
template <int N> struct Scan { static constexpr int size = N; };
template <int N> struct Block {
  using Scan = Scan<N>;
  int use() { return Scan::size; }
};
int main() { std::printf("%d\\n", Block<7>().use()EXTRA); }
"""


def test_code_that_a_program_selects_for_nvcc(simtcc: Simtcc, tmp_path: Path) -> None:
    source = (
        "#include <cstdio>\n"
        "#ifdef __NVCC__\n"
        "__global__ void fill(int* x) { *x = 7; }\n"
        "#endif\n"
        "int main() {\n"
        "  int* x;\n"
        "  cudaMallocManaged(&x, sizeof(int));\n"
        "  fill<<<1, 1>>>(x);\n"
        "  cudaDeviceSynchronize();\n"
        '  std::printf("%d\\n", *x);\n'
        "}\n"
    )
    (tmp_path / "a.cu").write_text(source, encoding="utf-8")
    done = simtcc("a.cu", "-o", "a")
    assert done.returncode == 0, done.stderr
    ran = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True)
    assert ran.stdout == "7\n"


def test_the_compute_capability_is_selectable(
    simtcc: Simtcc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "#include <cstdio>\n"
        "__global__ void ask(int* x) { *x = __CUDA_ARCH__; }\n"
        "int main() {\n"
        "  int* x;\n"
        "  cudaMallocManaged(&x, sizeof(int));\n"
        "  ask<<<1, 1>>>(x);\n"
        "  cudaDeviceSynchronize();\n"
        "  cudaDeviceProp device;\n"
        "  cudaGetDeviceProperties(&device, 0);\n"
        '  std::printf("%d %d.%d\\n", *x, device.major, device.minor);\n'
        "}\n"
    )
    (tmp_path / "a.cu").write_text(source, encoding="utf-8")
    for chosen, printed in ((None, "700 7.0\n"), ("8.6", "860 8.6\n")):
        if chosen:
            monkeypatch.setenv("SIMT_COMPUTE_CAPABILITY", chosen)
        done = simtcc("a.cu", "-o", "a")
        assert done.returncode == 0, done.stderr
        ran = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True)
        assert ran.stdout == printed
    monkeypatch.setenv("SIMT_COMPUTE_CAPABILITY", "sm_80")
    done = simtcc("a.cu", "-o", "a")
    assert done.returncode != 0 and "SIMT_COMPUTE_CAPABILITY=sm_80" in done.stderr
    ran = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True)
    assert ran.stdout == "860 7.0\n" and "7.0 is used" in ran.stderr


def test_an_error_in_code_for_newer_gpus_names_the_variable(
    simtcc: Simtcc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "#if __CUDA_ARCH__ < 900\n"
        "__global__ void store(int* x) { *x = __CUDA_ARCH__; }\n"
        "#endif\n"
        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 860\n"
        '#error "this program needs sm_86"\n'
        "#endif\n"
    )
    write_files(tmp_path, {"a.cu": source, "b.cu": "int main() { return missing; }\n"})
    done = simtcc("-c", "a.cu")
    assert done.returncode != 0
    assert done.stderr.endswith(
        "a.cu: note: porter: the file compares __CUDA_ARCH__ with 860, and the macro is 700; "
        "SIMT_COMPUTE_CAPABILITY=8.6 selects another compute capability\n"
    )
    assert "SIMT_COMPUTE_CAPABILITY" not in simtcc("-c", "b.cu").stderr
    monkeypatch.setenv("SIMT_COMPUTE_CAPABILITY", "8.6")
    assert simtcc("-c", "a.cu").returncode == 0


MANAGEMENT = """\
#include <cstdio>
#include <cuda_runtime.h>
#include <nvml.h>
int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  char bus[16];
  cudaDeviceGetPCIBusId(bus, sizeof bus, 0);
  unsigned clock = 0, watts = 0;
  nvmlDevice_t device;
  if (nvmlInit() != NVML_SUCCESS) return 1;
  nvmlReturn_t found = nvmlDeviceGetHandleByPciBusId(bus, &device);
  nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEM, &clock);
  std::printf("%d %d %s\\n", found, clock == properties.memoryClockRate / 1000,
              nvmlErrorString(nvmlDeviceGetPowerUsage(device, &watts)));
  return nvmlShutdown();
}
"""


def test_a_program_that_asks_nvml(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"main.cu": MANAGEMENT})
    done = simtcc("main.cu", "-lnvidia-ml", "-o", "program")
    assert done.returncode == 0, done.stderr
    ran = subprocess.run([str(tmp_path / "program")], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "0 1 Not Supported\n")


def test_a_class_that_declares_a_name_it_used_before(simtcc: Simtcc, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(REDECLARED.replace("EXTRA", ""), encoding="utf-8")
    done = simtcc("a.cu", "-o", "a")
    assert done.returncode == 0, done.stderr
    assert "a.cu:4:9: warning: " in done.stderr and "changes meaning" in done.stderr
    ran = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True)
    assert ran.stdout == "7\n"
    (tmp_path / "b.cu").write_text(REDECLARED.replace("EXTRA", " + none"), encoding="utf-8")
    assert simtcc("b.cu", "-o", "b").returncode != 0


def test_a_change_of_a_header_and_a_damaged_cache(
    simtcc: Simtcc, cache: Path, tmp_path: Path
) -> None:
    write_files(
        tmp_path,
        {"a.cu": '#include "b.h"\nint main() { return VALUE; }\n', "b.h": "#define VALUE 3\n"},
    )
    assert simtcc("a.cu", "-run").returncode == 3
    (tmp_path / "b.h").write_text("#define VALUE 4\n")
    assert simtcc("a.cu", "-run").returncode == 4
    for place in cache.glob(f"toolkit/ported/*{tmp_path}/*"):
        place.write_bytes(place.read_bytes()[:10])
    done = simtcc("a.cu", "-run")
    assert (done.returncode, done.stderr) == (4, "")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "error: no input files\n"),
        (("-c", "no_such.cu"), 4, "error: no_such.cu: cannot be read: No such file or directory\n"),
        (("-c", "wide.cu"), 4, "is UTF-16"),
        (("-c", "a.cu", "b.cu", "-o", "x.o"), 2, "error: -o needs exactly one source, unless"),
    ],
)
def test_a_wrong_call(
    simtcc: Simtcc, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "wide.cu").write_bytes("int x;".encode("utf-16"))
    done = simtcc(*arguments)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_release_that_build_systems_recognise(simtcc: Simtcc, tmp_path: Path) -> None:
    for option in ("--version", "-V"):
        done = simtcc(option, cache=tmp_path / "empty")
        assert "\nCuda compilation tools, release 12.4, V12.4.0\n" in done.stdout
    # CMake waits 10 seconds for the version, less than the build of a runtime takes.
    assert not (tmp_path / "empty/toolkit").exists()


CMAKE = """\
cmake_minimum_required(VERSION 3.18)
project(program LANGUAGES CUDA)
find_package(CUDAToolkit REQUIRED)
add_library(parts STATIC src/scale.cu src/other.cu)
target_include_directories(parts PUBLIC include)
target_compile_definitions(parts PRIVATE STEP=1)
set_target_properties(parts PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
add_executable(program src/main.cu)
target_link_libraries(program PRIVATE parts CUDA::cublas)
"""


def built_by_cmake() -> str:
    """Output of `program` of the CMake project in the current folder."""
    for command in (["cmake", "-S", ".", "-B", "b"], ["cmake", "--build", "b"], ["b/program"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def toolkit_folder() -> Path:
    program = [sys.executable, "-m", "porter", "toolkit", "--target", "simt"]
    done = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=True)
    return Path(done.stdout.strip())


def test_cmake_takes_simtcc_as_its_cuda_compiler(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {**PROGRAM, "CMakeLists.txt": CMAKE})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
    monkeypatch.setenv("PORTER_CACHE", str(cache))
    monkeypatch.setenv("CUDACXX", str(Path(sys.executable).with_name("simtcc")))
    assert built_by_cmake().startswith("no error 379 ")


OPENMP = {
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.18)
project(program LANGUAGES CXX CUDA)
find_package(OpenMP REQUIRED)
add_executable(program main.cpp count.cu)
target_link_libraries(program PRIVATE OpenMP::OpenMP_CXX)
""",
    "main.cpp": "int count();\nint main() { return count() < 1; }\n",
    "count.cu": """\
#include <omp.h>
__global__ void nothing() {}
int count() {
  nothing<<<1, 1>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? omp_get_num_procs() : 0;
}
""",
}


def test_cmake_links_cpp_and_cuda_sources_with_openmp(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # CMake reads the libraries from the verbose output of the linker.
    write_files(tmp_path, OPENMP)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
    monkeypatch.setenv("PORTER_CACHE", str(cache))
    toolkit = toolkit_folder()
    monkeypatch.setenv("CUDACXX", str(toolkit / "bin/nvcc"))
    monkeypatch.setenv("CXX", str(toolkit / "bin/c++"))
    built_by_cmake()


PACKAGES = {
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.18)
project(program LANGUAGES CXX CUDA)
find_package(CUB 2.0 REQUIRED CONFIG)
find_package(Thrust REQUIRED CONFIG)
find_package(libcudacxx REQUIRED CONFIG)
thrust_create_target(ThrustOfDevice HOST CPP DEVICE CUDA)
add_executable(program sum.cu)
target_link_libraries(program PRIVATE ThrustOfDevice CUB::CUB libcudacxx::libcudacxx)
""",
    "sum.cu": """\
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
int main() {
  thrust::device_vector<int> ones(100, 1);
  return thrust::reduce(ones.begin(), ones.end()) - 100;
}
""",
}


def test_cmake_finds_the_packages_of_thrust_and_cub(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, PACKAGES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
    monkeypatch.setenv("PORTER_CACHE", str(cache))
    toolkit = toolkit_folder()
    monkeypatch.setenv("CUDACXX", str(toolkit / "bin/nvcc"))
    monkeypatch.setenv("CMAKE_PREFIX_PATH", str(toolkit))
    built_by_cmake()


DRIVER = """\
#include <cuda.h>
#include <cstdio>

#define CHECK(call) if (CUresult error = (call)) return printf("%d %s\\n", error, #call)

int main() {
  CUdevice device;
  CUcontext context, popped;
  int warp = 0, virtual_memory = -1;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  CHECK(cuDeviceGetAttribute(&virtual_memory, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
  CHECK(cuCtxCreate(&context, CU_CTX_SCHED_AUTO, device));
  CUdeviceptr x, y;
  CHECK(cuMemAlloc(&x, 64));
  CHECK(cuMemAlloc(&y, 64));
  CHECK(cuMemsetD32(x, 0x01020304, 16));
  CHECK(cuMemsetD16(x + 4, 7, 1));
  CUstream stream;
  CUevent start, end;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  CHECK(cuEventRecord(start, stream));
  CHECK(cuMemcpyDtoDAsync(y, x, 64, stream));
  CHECK(cuEventRecord(end, stream));
  CHECK(cuStreamSynchronize(stream));
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, start, end));
  unsigned values[16];
  CHECK(cuMemcpyDtoH(values, y, 64));
  CHECK(cuMemFree(x));
  CHECK(cuMemFree(y));
  CHECK(cuCtxPopCurrent(&popped));
  CHECK(cuCtxDestroy(context));
  CUctxCreateParams params = {};  // the signature of CUDA 13
  CHECK(cuCtxCreate(&context, &params, 0, device));
  printf("%d %d %x %x %d %d\\n", warp, virtual_memory, values[0], values[1], milliseconds >= 0, popped == context);
  printf("%d\\n", cuMemAlloc(&x, 0) == CUDA_ERROR_INVALID_VALUE);
}
"""


def test_a_program_that_uses_the_driver_api(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"driver.cpp": DRIVER})
    done = simtcc("driver.cpp", "-lcuda", "-run")
    assert (done.stderr, done.stdout) == ("", "32 1 1020304 1020007 1 1\n1\n")


ARRAYS = r"""
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

#define CHECK(call) if (CUresult error = (call)) return printf("%d %s\n", error, #call)

__global__ void turn(CUtexObject image, cudaSurfaceObject_t turned, int width) {
  int x = threadIdx.x, y = threadIdx.y;
  surf2Dwrite(tex2D<float>(image, x + 1.0f, y + 0.5f), turned, 4 * (width - 1 - x), y);
}

int main() {
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));

  CUarray image, turned;
  CUDA_ARRAY_DESCRIPTOR size;
  memset(&size, 0, sizeof size);
  size.Width = 4;
  size.Height = 2;
  size.Format = CU_AD_FORMAT_FLOAT;
  size.NumChannels = 1;
  CHECK(cuArrayCreate(&image, &size));
  CUDA_ARRAY3D_DESCRIPTOR writable = {4, 2, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
  CHECK(cuArray3DCreate(&turned, &writable));

  float host[2][6] = {{0, 1, 2, 3, 9, 9}, {10, 20, 30, 40, 9, 9}};
  CUDA_MEMCPY2D rows;
  memset(&rows, 0, sizeof rows);
  rows.srcMemoryType = CU_MEMORYTYPE_HOST;
  rows.srcHost = host;
  rows.srcPitch = sizeof host[0];
  rows.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  rows.dstArray = image;
  rows.WidthInBytes = 4 * sizeof(float);
  rows.Height = 2;
  CHECK(cuMemcpy2D(&rows));

  CUtexObject texture;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC how;
  memset(&resource, 0, sizeof resource);
  memset(&how, 0, sizeof how);
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = image;
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr));

  // The runtime API knows the array and the surface under the same handles.
  cudaResourceDesc target = {};
  target.resType = cudaResourceTypeArray;
  target.res.array.array = (cudaArray_t)turned;
  cudaSurfaceObject_t surface;
  if (cudaCreateSurfaceObject(&surface, &target)) return 1;
  turn<<<1, dim3(4, 2)>>>(texture, surface, 4);
  CHECK(cuCtxSynchronize());

  CUDA_MEMCPY3D box;
  memset(&box, 0, sizeof box);
  box.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  box.srcArray = turned;
  box.srcXInBytes = 4;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = host;
  box.dstPitch = sizeof host[0];
  box.dstHeight = 2;
  box.WidthInBytes = 12;
  box.Height = 2;
  box.Depth = 1;
  CHECK(cuMemcpy3D(&box));
  for (auto& row : host) printf("%g %g %g %g\n", row[0], row[1], row[2], row[3]);
  box.Height = 3;
  printf("%d\n", cuMemcpy3D(&box) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuSurfObjectDestroy(surface));
  CHECK(cuTexObjectDestroy(texture));
  CHECK(cuArrayDestroy(turned));
  CHECK(cuArrayDestroy(image));
  printf("%d\n", cuArrayDestroy(image) == CUDA_ERROR_INVALID_HANDLE);
}
"""


def test_arrays_and_textures_of_the_driver_api(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"arrays.cu": ARRAYS})
    done = simtcc("arrays.cu", "-lcuda", "-run")
    assert (done.stderr, done.stdout) == ("", "2.5 1.5 0.5 3\n35 25 15 40\n1\n1\n")


COMPILED_AGAIN = r"""
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <string>

extern "C" __global__ void k(int* p) { *p = 3; }

int run(const char* text) {
  nvrtcProgram program;
  size_t size = 0;
  nvrtcCreateProgram(&program, text, "k.cu", 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, 0, nullptr) != NVRTC_SUCCESS) return -1;
  nvrtcGetPTXSize(program, &size);
  std::string image(size, 0);
  nvrtcGetPTX(program, &image[0]);
  CUmodule module;
  CUfunction function;
  CUdeviceptr p;
  cuModuleLoadData(&module, image.data());
  cuModuleGetFunction(&function, module, "k");
  cuMemAlloc(&p, 4);
  void* arguments[] = {&p};
  if (cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr)) return -2;
  int value = 0;
  cuMemcpyDtoH(&value, p, 4);
  return value;
}

int main() {
  printf("%d\n", run("extern \"C\" __global__ void k(int* p) { *p = 41; }"));
}
"""


def test_a_program_of_nvrtc_has_a_kernel_of_the_same_name(
    simtcc: Simtcc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIMT_RTC_COMPILER", str(Path(sys.executable).with_name("simtcc")))
    write_files(tmp_path, {"again.cu": COMPILED_AGAIN})
    done = simtcc("again.cu", "-lcuda", "-lnvrtc", "-run")
    assert (done.stderr, done.stdout) == ("", "41\n")


MODULE = r"""
#include <cuda.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main() {
  CUmodule first, second;
  CUfunction add;
  CUdeviceptr p, variable;
  size_t size = 0;
  int count = 3, value = 0;
  cuInit(0);
  printf("%d %d\n", cuModuleLoad(&first, "none.ptx"), cuModuleLoad(&first, "module.cpp"));
  // Programs read PTX as a text.
  std::ifstream text("add.ptx");
  const std::string ptx{std::istreambuf_iterator<char>(text), {}};
  if (cuModuleLoadData(&first, std::string(ptx.c_str()).c_str())) return 1;
  const std::string half(ptx, 0, ptx.size() / 2);
  if (cuModuleLoadData(&first, half.c_str()) != CUDA_ERROR_INVALID_IMAGE) return 1;
  if (cuModuleLoad(&first, "add.ptx")) return 1;
  std::ifstream file("add.fatbin", std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  if (cuModuleLoadData(&second, image.data())) return 2;
  cuMemAlloc(&p, sizeof(int));
  for (CUmodule module : {first, second, second}) {
    if (cuModuleGetFunction(&add, module, "add")) return 3;
    cuMemsetD32(p, 0, 1);
    void* arguments[] = {&p, &count};
    if (cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr)) return 4;
    cuMemcpyDtoH(&value, p, sizeof value);
    printf("%d ", value);
  }
  cuModuleGetGlobal(&variable, &size, second, "calls");
  cuMemcpyDtoH(&value, variable, sizeof value);
  printf("%zu %d\n", size, value);

  // Arguments in one buffer, each at a multiple of its alignment.
  struct { CUdeviceptr p; int count; } packed{p, 5};
  size_t bytes = 12;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  printf("%d ", cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  cuMemcpyDtoH(&value, p, sizeof value);
  bytes = 8;
  printf("%d %d\n", value, cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));

  // The linker and its options.
  char log[8] = "text";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  CUlinkState state;
  void* linked;
  if (cuLinkCreate(2, options, values, &state)) return 5;
  char other[] = "// PTX of another compiler, which is longer than the header of a shared library";
  if (cuLinkAddData(state, CU_JIT_INPUT_PTX, other, sizeof other, "no", 0, 0, 0) != CUDA_ERROR_INVALID_IMAGE) return 6;
  if (cuLinkAddFile(state, CU_JIT_INPUT_PTX, "add.ptx", 0, 0, 0) || cuLinkComplete(state, &linked, &size)) return 7;
  if (cuModuleLoadDataEx(&first, linked, 2, options, values) || cuLinkDestroy(state) || *log) return 8;
  CUfunction again;
  if (cuModuleGetFunction(&again, first, "add")) return 9;

  // Launches of CUDA 3: the function holds its configuration.
  cuFuncSetBlockShape(add, 1, 1, 1);
  cuParamSetv(add, 0, &p, sizeof p);
  cuParamSeti(add, 8, 2);
  printf("%d ", cuLaunchGrid(add, 1, 1));
  cuParamSetSize(add, 12);
  printf("%d ", cuLaunchGrid(add, 1, 1));
  cuMemcpyDtoH(&value, p, sizeof value);
  printf("%d\n", value);

  int blocks = 0, threads = 0;
  cuOccupancyMaxPotentialBlockSize(&blocks, &threads, add, [](int size) -> size_t { return size; }, 0, 128);
  printf("%d %d\n", threads, blocks > 0);
}
"""


LOADED = """
import ctypes as c
runtime, driver = c.CDLL("libcudart.so.12"), c.CDLL("libcuda.so.1")
management, blas = c.CDLL("libnvidia-ml.so.1"), c.CDLL("libcublas.so.12")
p, q, handle, device = c.c_void_p(), c.c_uint64(), c.c_void_p(), c.c_void_p()
size, given, copied = c.c_size_t(16), (c.c_int * 4)(1, 2, 3, 4), (c.c_int * 4)()
results = [
    runtime.cudaMalloc(c.byref(p), size),
    runtime.cudaMemcpy(p, given, size, 1),
    runtime.cudaMemcpy(copied, p, size, 2),
    driver.cuInit(0),
    driver.cuMemAlloc_v2(c.byref(q), size),
    driver.cuMemcpyDtoD_v2(q, c.c_uint64(p.value), size),
    driver.cuMemFree_v2(q),
    management.nvmlInit_v2(),
    management.nvmlDeviceGetHandleByIndex_v2(0, c.byref(device)),
    blas.cublasCreate_v2(c.byref(handle)),
    blas.cublasDestroy_v2(handle),
]
print(set(results), list(copied))
"""


def test_programs_load_libraries_by_cudas_file_names(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
    write_files(tmp_path, {"loaded.py": LOADED})
    done = subprocess.run(
        [sys.executable, "loaded.py"],
        cwd=tmp_path,
        env={**os.environ, "LD_LIBRARY_PATH": str(toolkit_folder() / "lib64")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stderr, done.stdout) == ("", "{0} [1, 2, 3, 4]\n")


def test_modules_in_files(simtcc: Simtcc, tmp_path: Path) -> None:
    kernel = """\
__device__ int calls;
extern "C" __global__ void add(int* p, int count) { *p += count + 10 * ++calls; }
"""
    write_files(tmp_path, {"add.cu": kernel, "module.cpp": MODULE})
    for option in ("-ptx", "-fatbin"):
        done = simtcc(option, "-arch=sm_80", "add.cu")
        assert (done.returncode, done.stderr) == (0, "")
    done = simtcc("module.cpp", "-lcuda", "-run")
    assert (done.stderr, done.stdout) == ("", "301 200\n13 13 23 4 2\n0 58 1\n0 0 152\n128 1\n")


SHARED = """\
#include <cstdio>
#include <cuda_runtime.h>
constexpr int kPad = 3;
__global__ void turn(int* x) {
  extern __shared__ int tile[][4 + kPad];
  __shared__ alignas(alignof(float4)) int sums[4];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 4 + threadIdx.x];
  __syncthreads();
  x[threadIdx.y * 4 + threadIdx.x] = tile[threadIdx.x][threadIdx.y] + (int)sizeof(tile[0]);
  if (threadIdx.y == 0) sums[threadIdx.x] = (reinterpret_cast<size_t>(sums) % 16 == 0);
  if (threadIdx.y == 0) x[threadIdx.x] += 1000 * sums[threadIdx.x];
}
int main() {
  int* x;
  cudaMallocManaged(&x, 64);
  for (int i = 0; i < 16; i++) x[i] = i;
  turn<<<1, dim3(4, 4), 4 * 7 * sizeof(int)>>>(x);
  cudaDeviceSynchronize();
  printf("%d %d %d\\n", x[1], x[4], x[14]);
}
"""


def test_shared_memory_of_several_dimensions(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.cu": SHARED})
    done = simtcc("a.cu", "-run")
    assert (done.returncode, done.stdout) == (0, "1032 29 39\n"), done.stderr


LAUNCHED = """\
#include <cooperative_groups.h>
#include <cstdio>
template <class T> __global__ void add(T* x, T value) {
  cudaGridDependencySynchronize();
  atomicAdd(x, value);
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0) *x *= 2;
}
int main() {
  float* x;
  cudaMallocManaged(&x, 4);
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {dim3(3), dim3(1), 0, nullptr, attributes, 2};
  cudaError_t launched = cudaLaunchKernelEx(&config, add<float>, x, 2);
  cudaDeviceSynchronize();
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim.x = 2;
  printf("%d %g %d\\n", launched, *x, cudaLaunchKernelEx(&config, add<float>, x, 2) == cudaErrorNotSupported);
}
"""


def test_launches_with_attributes(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.cu": LAUNCHED})
    done = simtcc("a.cu", "-run")
    assert (done.returncode, done.stdout) == (0, "0 12 1\n"), done.stderr


# X11's headers define these macros, and NVIDIA's graphics samples include them first.
MACROS = """\
#define Complex 0
#define None 0L
#define True 1
#define False 0
#define Bool int
#define Status int
#include <cuComplex.h>
#include <cub/cub.cuh>
#include <cusolverSp.h>
#include <thrust/device_vector.h>
#include <thrust/partition.h>
#include <thrust/sort.h>
int main() { return cuCrealf(cuCmulf(make_cuFloatComplex(2, 0), make_cuFloatComplex(3, 0))) != 6; }
"""
RANDOM = """\
#include <curand.h>
#ifndef __CUDA_RUNTIME_H__
#error curand.h includes cuda_runtime.h
#endif
__global__ void fill(float* x) { *x = 1; }
"""


def test_macros_of_x11_and_headers_that_include_the_runtime(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.cu": MACROS, "b.cu": RANDOM})
    done = simtcc("a.cu", "-run")
    assert done.returncode == 0, done.stderr
    done = simtcc("-c", "b.cu")
    assert done.returncode == 0, done.stderr


LIBRARY = r"""
#include <cuda.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main() {
  CUlibrary of_file, of_data;
  CUkernel kernel;
  CUfunction add;
  CUdeviceptr p, variable, begin;
  CUstream stream;
  CUgraph graph;
  CUgraphExec exec;
  size_t size = 0;
  int count = 3, value = 0;
  if (cuLibraryLoadFromFile(&of_file, "add.fatbin", nullptr, nullptr, 0, nullptr, nullptr, 0)) return 1;
  std::ifstream file("add.fatbin", std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  if (cuLibraryLoadData(&of_data, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0)) return 2;
  if (cuLibraryGetKernel(&kernel, of_data, "none") != CUDA_ERROR_NOT_FOUND) return 3;
  if (cuLibraryGetKernel(&kernel, of_data, "add") || cuKernelGetFunction(&add, kernel)) return 4;

  cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  if (cuMemAllocAsync(&p, sizeof value, stream) || cuMemsetD32Async(p, 0, 1, stream)) return 5;
  void* arguments[] = {&p, &count};
  if (cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL)) return 6;
  cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
  cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
  if (cuStreamEndCapture(stream, &graph) || cuGraphInstantiate(&exec, graph, 0)) return 7;
  cuGraphLaunch(exec, stream);
  cuMemcpyDtoHAsync(&value, p, sizeof value, stream);
  cuStreamSynchronize(stream);
  printf("%d\n", value);
  cuLibraryGetGlobal(&variable, &size, of_data, "calls");
  cuMemcpyDtoH(&value, variable, sizeof value);
  printf("%zu %d\n", size, value);
  cuMemGetAddressRange(&begin, &size, p + 2);
  printf("%d %zu\n", begin == p, size);
  cuMemFreeAsync(p, stream);
  return cuLibraryUnload(of_data) || cuLibraryUnload(of_file);
}
"""


def test_libraries_streams_and_graphs_of_the_driver_api(simtcc: Simtcc, tmp_path: Path) -> None:
    kernel = """\
__device__ int calls;
extern "C" __global__ void add(int* p, int count) { *p += count + 10 * ++calls; }
"""
    write_files(tmp_path, {"add.cu": kernel, "library.cpp": LIBRARY})
    assert simtcc("-fatbin", "add.cu").returncode == 0
    done = simtcc("library.cpp", "-lcuda", "-run")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "36\n4 2\n1 4\n")


def test_preprocessed_host_code(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, PROGRAM)
    for name in ("main", "scale", "other"):
        done = simtcc("-cuda", "-Iinclude", "-DSTEP=1", f"src/{name}.cu")
        assert (done.returncode, done.stderr) == (0, "")
    done = simtcc("main.cu.cpp.ii", "scale.cu.cpp.ii", "other.cu.cpp.ii", "-run")
    assert (done.returncode, done.stdout) == (0, "no error 379 src/main.cu\n"), done.stderr


MAKEFILE = """\
OBJECTS = main.o scale.o other.o
program: $(OBJECTS)
\tg++ -o $@ $(OBJECTS) -L$(CUDA)/lib64/stubs -lcuda -L$(CUDA)/lib64 -lcudart -lcublas -Wl,-rpath=$(CUDA)/lib64
main.o: src/main.cpp
\tg++ -std=c++11 -Iinclude -I$(CUDA)/include -c $<
%.o: src/%.cu
\tnvcc -rdc=true -Iinclude -DSTEP=1 -c $< -o $@
"""
MAIN = """\
#include <cublas_v2.h>
#include <cstdio>
void run(float* x);
int main() {
  float* x;
  cudaMallocManaged(&x, 64 * sizeof(float));
  x[63] = 63;
  run(x);
  cudaError_t status = cudaDeviceSynchronize();
  printf("%s %g\\n", cudaGetErrorString(status), x[63]);
}
"""


def test_a_makefile_that_calls_compilers_by_name(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The toolkit's folder `compilers` stands first on PATH. The program finds libsimt.so in CUDA's folder."""
    scale = f"{PROGRAM['src/scale.cu']}void run(float* x) {{ scale<<<2, 32>>>(x, 3.f, 64); }}\n"
    files = {**PROGRAM, "src/scale.cu": scale, "src/main.cpp": MAIN, "Makefile": MAKEFILE}
    write_files(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
    monkeypatch.setenv("PORTER_CACHE", str(cache))
    porter = [sys.executable, "-m", "porter"]
    toolkit = [*porter, "toolkit", "--target", "simt"]
    folder = subprocess.run(toolkit, capture_output=True, text=True, check=True).stdout.strip()
    monkeypatch.setenv("PATH", f"{folder}/compilers{os.pathsep}{os.environ['PATH']}")
    for command in (["make", f"CUDA={folder}"], ["./program"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "no error 379\n"
    # A toolkit that is made under this PATH calls the system's compiler.
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path / "another"))
    other = subprocess.run(toolkit, capture_output=True, text=True, check=True).stdout.strip()
    assert "compilers" not in (Path(other) / "toolkit.json").read_text()
