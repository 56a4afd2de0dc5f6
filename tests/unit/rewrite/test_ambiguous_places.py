"""Texts that a vendor's rules do not fit exactly: each such place is ambiguous, and none is guessed."""

from __future__ import annotations

import pytest
from rule_sets import rule_set

from porter.cpp.lex import encode
from porter.model.rewrite_result import Reason
from porter.rewrite.rendering import render
from porter.rewrite.rewriter import Rewriter, outermost

RULES = [
    {"family": r"cuda([A-Z]\w*)", "replace": r"mc\1"},
    {
        "call": "cudaMemcpyAsync(dst, src, n, kind, stream)",
        "replace": "mcMemcpyAsync(dst, src, n, stream, kind)",
    },
    {"call": "cudaFree(p)", "replace": "mcRelease(p)"},
    {"call": "__shfl_sync(mask, value, lane)", "replace": "mc_shfl(value, lane)"},
    {"name": "cudaDeviceProp", "replace": "mcDeviceProp_t"},
    {"value": "CUDNN_MAJOR", "replace": "MC_AS_DNN_MAJOR"},
    {"value": "CUBLAS_VERSION", "replace": "MC_AS_BLAS_VERSION"},
    {"macro": "CUBLAS_VERSION", "replace": "MC_BLAS_VERSION"},
    {"qualified": "cooperative_groups::details::sync", "replace": "mc::sync"},
    {"qualified": "nvcuda::Tile", "replace": "mc::tile"},
    {"names": {"cudaLaunchHostFunc": "mcHostCall"}},
    {"launch": "MC_RUN({kernel}, {grid}, {block}, {shmem}, {stream}{,args})"},
    {"dynamic_shared": "{type}* {name} = mcShared<{type}>()"},
]

WRONG = [
    # calls
    "cudaMemcpyAsync(a, b, 4, cudaMemcpyDeviceToDevice);",
    "auto f = &cudaMemcpyAsync;",
    "auto f = cudaMemcpyAsync;",
    "use(cudaMemcpyAsync);",
    "#define COPY cudaMemcpyAsync",
    "#define COPY(...) cudaMemcpyAsync(__VA_ARGS__)",
    "#define COPY(x, ...) cudaMemcpyAsync(x, x, 1, k, ##__VA_ARGS__)",
    "#ifdef cudaMemcpyAsync",
    "#if !defined(cudaFree) /* none */ && 1",
    "#if 1 /* before */ && defined(cudaFree)",
    "#undef cudaFree",
    "cudaError_t cudaMemcpyAsync(void* d, const void* s, size_t n, Kind k, Stream t);",
    'extern "C" void cudaFree(void* p) { }',
    "template <class T> T* cudaFree(T* p);",
    "mine::cudaFree(p);",
    "pool.cudaFree(p);",
    "pool->cudaFree(p);",
    "using std::cudaFree;",
    "decltype(&cudaFree) table[] = {cudaFree};",
    "cudaFree<float>(p);",
    "(cudaFree)(p);",
    "cudaFree(p...);",
    "cudaFree();",
    "__shfl_sync(mask++, x, 0);",
    "__shfl_sync(m = 3, x, 0);",
    "int cudaFree = 1;",
    "#define CALL(f) f##_v2 cudaFree##_v2",
    "std::function<int(void*)> g = cudaFree;",
    "MACRO(cudaFree, p)",
    "x = cudaMemcpyAsync /* why */ \\\n  (a, b);",
    # names and numbers
    "#ifdef cudaDeviceProp",
    "#if CUDNN_MAJOR",
    "int n = CUDNN_MAJOR;",
    "#define NUMBER CUBLAS_VERSION",
    "return CUBLAS_VERSION;",
    "f(CUBLAS_VERSION);",
    "#if AT_LEAST(CUBLAS_VERSION, 12)",
    # names pasted together
    "#define RT(name) cuda##name",
    "#define DRV(name) cu##name",
    "#define ASK(D) get##D##Kind\nASK(CUDA);",
    "#define RT(a, b) a##b\nRT(cuda, LaunchHostFunc)(f);",
    # chains of names
    "namespace cg = other;\nnamespace cg = cooperative_groups;\ncg::details::sync(x);",
    "using namespace cooperative_groups::details;\nsync(x);",
    "details::sync(x);",
    "namespace cooperative_groups { namespace details { void sync(int); } }",
    "using namespace nvcuda;\nTile t;",
    # launches and shared memory
    "k<<<1>>>(x);",
    "k<<<1, 2, 3, 4, 5>>>(x);",
    "#define LAUNCH k<<<",
    "k<<<1, 2>>>;",
    "#define SHARED __shared__\nextern SHARED float s[];",
    "EXTERN __shared__ float s[];",
    "extern __shared__ float a[], b[];",
    "extern __shared__ float* p;",
]

RIGHT = {
    "cudaMemcpyAsync(a, b, n, k, s);": "mcMemcpyAsync(a, b, n, s, k);",
    "return ::cudaMemcpyAsync(a, b, n, k, s);": "return ::mcMemcpyAsync(a, b, n, s, k);",
    "if (x) cudaFree(p);": "if (x) mcRelease(p);",
    "cudaFree(f(cudaFree(p)));": "mcRelease(f(mcRelease(p)));",
    "__shfl_sync(m, x++, 0);": "mc_shfl(x++, 0);",
    "#define F(p) cudaFree(p)": "#define F(p) mcRelease(p)",
    "cudaDeviceProp p;": "mcDeviceProp_t p;",
    "#if CUDNN_MAJOR >= 8": "#if MC_AS_DNN_MAJOR >= 8",
    "#if defined(CUBLAS_VERSION) && CUBLAS_VERSION > 1": "#if defined(MC_BLAS_VERSION) && MC_AS_BLAS_VERSION > 1",
    "cooperative_groups:: /**/ details::sync(x);": "mc::sync(x);",
    "namespace cg = cooperative_groups;\ncg::details::sync(x);": "namespace cg = cooperative_groups;\nmc::sync(x);",
    "#define CG cooperative_groups::details\nCG::sync(x);": "#define CG cooperative_groups::details\nmc::sync(x);",
    "details::other(x); sync(x); a.sync(); Tile t;": "details::other(x); sync(x); a.sync(); Tile t;",
    "#define RT(a, b) a##b\nRT(my, Name)(f);": "#define RT(a, b) a##b\nRT(my, Name)(f);",
    "k<<<1, 2>>>(x);": "MC_RUN(k, 1, 2, 0, 0, x);",
    "__shared__ float s[32];": "__shared__ float s[32];",
}

MACA = Rewriter(rule_set({"toy": RULES}, on_shipped=True), {})


def ported(text: str) -> tuple[str, list[Reason]]:
    source = MACA.examine("aten/src/ATen/native/cuda/a.cuh", encode(text))
    edits = outermost(source)
    return render(source.text, edits), [left.reason for left in source.left]


@pytest.mark.parametrize("text", WRONG)
def test_a_shape_that_no_rule_covers_is_ambiguous(text: str) -> None:
    _, reasons = ported(f"{text}\n")
    assert Reason.AMBIGUOUS in reasons


@pytest.mark.parametrize("text", WRONG[:30])
def test_a_name_with_a_call_rule_is_renamed_by_no_family(text: str) -> None:
    made, _ = ported(f"{text}\n")
    assert "mcFree" not in made and "mcMemcpyAsync" not in made


@pytest.mark.parametrize("text", RIGHT)
def test_a_shape_that_a_rule_covers_is_not(text: str) -> None:
    made, reasons = ported(f"{text}\n")
    assert made == f"{RIGHT[text]}\n"
    assert Reason.AMBIGUOUS not in reasons
