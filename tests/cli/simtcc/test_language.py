"""`simtcc`: what programs write that g++ alone does not compile."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from simtcc_project import Simtcc
from workshop import write_files

pytestmark = pytest.mark.slow


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


def test_host_sources_define_functions_that_cuda_sources_find(
    simtcc: Simtcc, tmp_path: Path
) -> None:
    """As with nvcc: the samples' helper_math.h defines these for all compilers that do not define `__CUDACC__`."""
    header = """#include <cuda_runtime.h>
#ifndef __CUDACC__
inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
inline float rsqrtf(float x) { return 1 / x; }
#endif
"""
    source = (
        '#include "math.h.inl"\nint largest(int a) { return max(min(a, 7), (int)rsqrtf(1)); }\n'
    )
    write_files(tmp_path, {"math.h.inl": header, "a.cpp": source, "b.cu": source})
    done = simtcc("-c", "a.cpp", "b.cu")
    assert (done.returncode, done.stderr) == (0, "")


def test_headers_that_macros_name(simtcc: Simtcc, tmp_path: Path) -> None:
    """The headers are ported, and a file that is no header is not read."""
    write_files(
        tmp_path,
        {
            "a.cu": '#include "paths.h"\n#include RUNTIME\n#include STREAMS\n#include <dir/c.h>\nint a = c;\n',
            "paths.h": '#define RUNTIME <cuda_runtime.h>\n#  define STREAMS "streams.cuh"  // beside\n'
            '#define OTHER <dir/d.cuh>\n#define DATA "table.bin"\n',
            "streams.cuh": "inline cudaStream_t stream = cudaStreamLegacy;\n",
            "include/dir/c.h": "#include OTHER\n",
            "include/dir/d.cuh": "const int c = cudaSuccess;\n",
        },
    )
    (tmp_path / "table.bin").write_bytes(b"\xff\x00cuda")
    done = simtcc("-Iinclude", "-c", "a.cu")
    assert (done.returncode, done.stderr) == (0, "")


def test_headers_by_absolute_paths(simtcc: Simtcc, tmp_path: Path) -> None:
    """Unity builds and precompiled headers of CMake name files in this way."""
    write_files(
        tmp_path,
        {
            "a/a.cu": f'#include "{tmp_path}/b/../b/b.cuh"\n#include "b/b.cuh"\ncudaStream_t a = b;\n',
            "b/b.cuh": '#pragma once\n#include "c.cuh"\ninline cudaStream_t b = c;\n',
            "b/c.cuh": "#include <cuda_runtime.h>\ninline cudaStream_t c = cudaStreamLegacy;\n",
        },
    )
    done = simtcc("-I.", "-c", "a/a.cu", "-MD", "-MF", "a.d")
    assert (done.returncode, done.stderr) == (0, "")
    found = (tmp_path / "a.d").read_text()
    assert f"{tmp_path}/b/b.cuh" in found
    assert ".cache" not in found


def test_headers_that_the_command_line_includes(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "a.cu": "cudaStream_t a = b;\n__half h;\n",
            "b.cpp": "cudaStream_t c = b;\n",
            "b.cuh": '#pragma once\n#include "c.cuh"\n',
            "include/c.cuh": "#include <cuda_runtime.h>\nstatic cudaStream_t b = cudaStreamLegacy;\n",
        },
    )
    own = ("-Iinclude", "-include", "b.cuh", "-include", f"{tmp_path}/b.cuh")
    done = simtcc(*own, "--pre-include=cuda_fp16.h", "-c", "a.cu", "b.cpp")
    assert (done.returncode, done.stderr) == (0, "")


_HEADER = """#pragma once
#include <cstdio>
#define DEVICE __device__
__device__ int helper(int x) { return x + 1; }
__constant__ int c[2];
DEVICE int counter;
"""
_FIRST = """#include "h.cuh"
__device__ int own(int x) { return x * 10; }
__device__ int table[2] = {1, 2};
__global__ void ka(int* o) { o[0] = helper(1) + own(2) + table[1] + c[0]; counter = 5; }
int b();
int main() {
  int *o, v[2] = {100, 200};
  cudaMallocManaged(&o, 4);
  cudaMemcpyToSymbol(c, v, 8);
  ka<<<1, 1>>>(o);
  cudaDeviceSynchronize();
  printf("%d %d\\n", o[0], b());
}
"""
_SECOND = """#include "h.cuh"
__device__ int own(int x) { return x * 1000; }
__device__ int table[2] = {7, 8};
__global__ void kb(int* o) { o[0] = helper(1) + own(2) + table[1] + c[0] + counter; }
int b() {
  int* o;
  cudaMallocManaged(&o, 4);
  kb<<<1, 1>>>(o);
  cudaDeviceSynchronize();
  return o[0];
}
"""


def test_device_functions_and_variables_of_each_source(simtcc: Simtcc, tmp_path: Path) -> None:
    """Without `-rdc=true`, each source has its own, also those of a header."""
    write_files(tmp_path, {"a.cu": _FIRST, "b.cu": _SECOND, "h.cuh": _HEADER})
    done = simtcc("a.cu", "b.cu", "-run")
    assert (done.returncode, done.stdout) == (0, "124 2010\n"), done.stderr
    done = simtcc("-rdc=true", "a.cu", "b.cu")
    assert "multiple definition of `own(int)'" in done.stderr


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


def test_a_class_that_declares_a_name_it_used_before(simtcc: Simtcc, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(REDECLARED.replace("EXTRA", ""), encoding="utf-8")
    done = simtcc("a.cu", "-o", "a")
    assert done.returncode == 0, done.stderr
    assert "a.cu:4:9: warning: " in done.stderr and "changes meaning" in done.stderr
    ran = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True)
    assert ran.stdout == "7\n"
    (tmp_path / "b.cu").write_text(REDECLARED.replace("EXTRA", " + none"), encoding="utf-8")
    assert simtcc("b.cu", "-o", "b").returncode != 0


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


def test_a_member_template_that_is_called_without_template(simtcc: Simtcc, tmp_path: Path) -> None:
    """nvcc finds the template in the primary template of `Cast`; g++ takes the `<` for a comparison."""
    write_files(
        tmp_path,
        {
            "a.cu": """template <class T> struct Cast {
  template <int n> __device__ static void apply(T* to, const float* from) { *to = T(*from) * n; }
};
template <class T> __global__ void f(T* to, const float* from) { Cast<T>::apply<4>(to, from); }
template __global__ void f<int>(int*, const float*);
"""
        },
    )
    done = simtcc("-c", "a.cu")
    assert (done.returncode, done.stderr) == (0, "")


def test_headers_inside_a_block_with_c_linkage(simtcc: Simtcc, tmp_path: Path) -> None:
    """CUDA's headers for C permit it: programs wrap an include of a C header that includes cuda.h."""
    headers = ("cuda.h", "cuComplex.h", "cufft.h", "cusparse.h", "curand.h")
    write_files(
        tmp_path,
        {f"{at}.cu": f'extern "C" {{\n#include <{name}>\n}}\n' for at, name in enumerate(headers)},
    )
    for at in range(len(headers)):
        done = simtcc("-c", f"{at}.cu")
        assert (done.returncode, done.stderr) == (0, "")


def test_a_launch_by_an_address_with_default_arguments(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "a.cu": """#include <cstdio>
__global__ void f(int* x) { *x += 1; }
int main() {
  int* x;
  cudaMallocManaged(&x, sizeof(int));
  *x = 0;
  void* arguments[] = {&x};
  cudaLaunchCooperativeKernel((void*)f, 1, 1, arguments);
  cudaLaunchKernel((void*)f, 1, 1, arguments);
  cudaDeviceSynchronize();
  std::printf("%d\\n", *x);
}
"""
        },
    )
    done = simtcc("a.cu", "-o", "a")
    assert (done.returncode, done.stderr) == (0, "")
    ran = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "2\n")


def test_macros_of_x11_and_headers_that_include_the_runtime(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.cu": MACROS, "b.cu": RANDOM})
    done = simtcc("a.cu", "-run")
    assert done.returncode == 0, done.stderr
    done = simtcc("-c", "b.cu")
    assert done.returncode == 0, done.stderr


def test_lanes_that_exchange_values_without_a_barrier(simtcc: Simtcc, tmp_path: Path) -> None:
    """Shared memory that is not volatile, and no `__syncwarp`: right on GPUs whose lanes run together."""
    source = """
        #include <cstdio>
        __global__ void reverse(int* out) {
          __shared__ int values[32];
          int* const all = values;
          all[threadIdx.x] = threadIdx.x;
          out[threadIdx.x] = all[31 - threadIdx.x];
        }
        int main() {
          int* out;
          cudaMallocManaged(&out, 32 * sizeof(int));
          reverse<<<1, 32>>>(out);
          cudaDeviceSynchronize();
          int wrong = 0;
          for (int i = 0; i < 32; ++i) wrong += out[i] != 31 - i;
          std::printf("%d", wrong);
        }
    """
    write_files(tmp_path, {"reverse.cu": source})
    together = ("-Xcompiler", "-fplugin-arg-simt_compiler-warp-stores")
    for options, expected in (((), False), (together, True)):
        done = simtcc(*options, "reverse.cu", "-o", "reverse")
        assert done.returncode == 0, done.stderr
        run = subprocess.run([tmp_path / "reverse"], capture_output=True, text=True, check=True)
        assert (run.stdout == "0") is expected


C_PROGRAM = {
    "main.c": """\
#include <stdlib.h>
#include <cuda_runtime.h>
#include "device.h"
static double twice(const double* restrict p) { return 2 * *p; }
int main(void) {
  double* host = malloc(sizeof *host);
  double* device;
  _Bool good = cudaMalloc((void**)&device, sizeof *device) == cudaSuccess;
  *host = 4;
  cudaMemcpy(device, host, sizeof *host, cudaMemcpyHostToDevice);
  add(device, delta());
  cudaMemcpy(host, device, sizeof *host, cudaMemcpyDeviceToHost);
  return good && twice(host) == 10 ? 0 : 1;
}
""",
    "device.h": """\
double delta(void);
#ifdef __cplusplus
extern "C"
#endif
void add(double* x, double y);
""",
    "device.cu": """\
#include "device.h"
__global__ void plus(double* x, double y) { *x += y; }
void add(double* x, double y) { plus<<<1, 1>>>(x, y); }
""",
    "plain.c": "double delta(void) { int class = 1; return class; }\n",
}
"""Program whose C sources call CUDA, a kernel and each other. `plain.c` is no C++, and includes no header of CUDA."""


def test_c_sources_that_include_headers_of_cuda(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, C_PROGRAM)
    done = simtcc("main.c", "device.cu", "plain.c", "-o", "program")
    assert (done.returncode, done.stderr) == (0, "")
    assert subprocess.run([tmp_path / "program"], check=False).returncode == 0


def test_dependencies_and_messages_of_a_c_source(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, C_PROGRAM)
    done = simtcc("-MM", "main.c")
    target, _, files = done.stdout.replace("\\\n", "").partition(":")
    assert target == "main.o"
    assert {Path(name).name for name in files.split()} == {"main.c", "device.h"}
    assert {tmp_path / name for name in files.split()} <= {
        tmp_path / "main.c",
        tmp_path / "device.h",
    }
    write_files(tmp_path, {"main.c": C_PROGRAM["main.c"].replace("double twice", "double twise")})
    done = simtcc("-c", "main.c")
    assert done.returncode == 1
    assert "main.c:13:18: error: " in done.stderr


def test_registers_of_the_multiprocessor(simtcc: Simtcc, tmp_path: Path) -> None:
    source = """#include <cstdio>
__global__ void f(unsigned* out) {
  asm volatile("mov.u32 %0, %%smid;" : "=r"(out[0]));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(out[1]));
  asm volatile("mov.u32 %0, %%globaltimer_hi;" : "=r"(out[2]));
  asm volatile("mov.u32 %0, %%clock_hi;" : "=r"(out[3]));
}
int main() {
  unsigned* out;
  cudaMallocManaged(&out, 16);
  f<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d", out[0] < out[1], out[2] > 300000000);
}
"""
    write_files(tmp_path, {"a.cu": source})
    done = simtcc("a.cu", "-run")
    assert (done.returncode, done.stdout) == (0, "1 1"), done.stderr
