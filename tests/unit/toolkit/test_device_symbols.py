"""Names of device functions and variables in the text of a program."""

from __future__ import annotations

import pytest

from porter.toolkit.device_symbols import base_name, device_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("__device__ int f(int x) { return g(x); }\n__device__ int g(int);", {"f", "g"}),
        ("int __device__ __noinline__ f(float (*p)(int), int x) {}", {"f"}),
        ("__constant__ float f[2] = {1, 2}; __device__ A<int, 3> *g;", {"f", "g"}),
        ("struct A { __device__ int f(); };\n__device__ int A::f() { return 0; }", {"f"}),
        ("#define DEV static_cast\n#define DEVICE __device__\nDEVICE int f() {}", {"f"}),
        ("#if X\n#define DEV __device__\n#else\n#define DEV\n#endif\nDEV int f() {}", {"f"}),
        ("#define BOTH __host__ __device__\nBOTH int f() {}", set()),
        ("__device__ int f(int);\nint f(float) { return 1; }", set()),
        ("extern __device__ int f; __device__ int f;", set()),
        ("__global__ void f() { __device__ int g(int); }", set()),
        ("__constant__ int f;\nint h(int f) { int f = 1; struct A { int f; }; return f; }", {"f"}),
        ("struct __align__(8) A : B<int> { int f; };\n__constant__ int f;", {"f"}),
        ("struct A { static int f; };\n__constant__ int f;", set()),
        (
            'namespace n { namespace m { __device__ int f; } }\nextern "C" { __device__ void g() {} }',
            {"f", "g"},
        ),
        ("namespace n { int f; }\n__device__ int f;", set()),
        ("__constant__ float f[] = {1, 2};\nenum E { g };\n__device__ int g;", {"f", "g"}),
        ('const char* h = R"(\nint f; )";\n__device__ int f;', {"f"}),
        ("// __device__ int f();\nint f() { return 1; }", set()),
        ("__device__ int f() {}\nint h() { return f(); int x = f(1); k(f, 1); p.f(); }", {"f"}),
        ("template <class T> __device__ T f(T);\ntemplate <> __device__ int f<int>(int) {}", {"f"}),
    ],
)
def test_names_of_the_device(text: str, names: set[str]) -> None:
    assert device_names([text], {"f", "g"}) == names


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("c", "c"),
        ("helper(int)", "helper"),
        ("int ns::A<int>::f<float>(int (*)(float), std::vector<int>) const", "f"),
        ("(anonymous namespace)::f(int)", "f"),
    ],
)
def test_base_name_of_a_symbol(symbol: str, name: str) -> None:
    assert base_name(symbol) == name
