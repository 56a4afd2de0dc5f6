"""Functions of C++ files, found by brackets alone, and the stubs that they use."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.cpp.functions import functions
from porter.model.ops import DeviceQuery
from porter.register import dispatch_stubs


def bodies(text: str) -> dict[str, str]:
    """Function name -> body with normalised blanks."""
    return {function.name: " ".join(function.body.split()) for function in functions(text)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("int f(int x) { return g(x); }", {"f": "return g(x);"}),
        ("namespace a::b { namespace { void f() { x; } } }", {"f": "x;"}),
        ('extern "C" { void f() { x; } }', {"f": "x;"}),
        ("TORCH_IMPL_FUNC(abs_out) (const T& a) { x; }", {"structured_abs_out::impl": "x;"}),
        ("TORCH_META_FUNC(abs) (const T& a) { x; }", {}),
        ("int table[] = {1, 2}; void f() { x; }", {"f": "x;"}),
        # A macro without a semicolon, before a function.
        ("DEFINE_THINGS(a, b)\nvoid f(int) { x; }", {"f": "x;"}),
        ("void f(int a) noexcept(g()) { x; }", {"f": "x;"}),
        ("void f(std::function<void(int)> a) { x; }", {"f": "x;"}),
        ("template <typename T> struct S { void operator()() { x; } };", {"S": "void operator()() { x; }"}),
        ('void f() { /* } */ g("}"); // }\n x; }', {"f": 'g(""); x;'}),
        ("#define M(n, s) void n() { s(1); } void n##_() { s(2); }\nM(f, stub)", {"f": "stub(1);", "f_": "stub(2);"}),
        ("#define INNER(n) void n() { x; }\n#define OUTER(n) \\\n  INNER(n)\nOUTER(f)", {"f": "x;"}),
    ],
)  # fmt: skip
def test_functions_of_a_text(text: str, found: dict[str, str]) -> None:
    assert bodies(text) == found


def tree_of(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / "aten/src/ATen/native" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


DEVICE = "REGISTER_DISPATCH(abs_stub, &abs)\nREGISTER_DISPATCH(fill_stub, &fill)\n"


@pytest.mark.parametrize(
    ("host", "needed"),
    [
        ("void f() { abs_stub(self.device(), self); }", {"abs_stub"}),
        # Passed on, and through functions of the same file.
        ("void f() { run(self, abs_stub); }", {"abs_stub"}),
        ("static void g() { abs_stub(d); } void f() { g(); }", {"abs_stub"}),
        ("struct G { void operator()() { abs_stub(d); } }; void f() { run<G>(); }", {"abs_stub"}),
        # An operator of the dispatcher's, or a method, is registered for the device or not: it needs nothing here.
        ("void abs() { abs_stub(d); } void f() { at::abs(x); x.abs(); }", set()),
        ("void abs() { abs_stub(d); } void f() { at::native::abs(x); }", {"abs_stub"}),
        # For the CPU alone, and one that no CUDA source fills.
        ("void f() { abs_stub(kCPU, x); }", set()),
        ("void f() { other_stub(d, x); }", set()),
        ("void f() { f(); fill_stub(d); abs_stub(at::kCPU); }", {"fill_stub"}),
    ],
)
def test_stubs_that_a_kernel_needs(tmp_path: Path, host: str, needed: set[str]) -> None:
    tree = tree_of(tmp_path, {"Host.cpp": host, "cuda/Device.cu": DEVICE})
    assert dispatch_stubs.read(tree, {}).of("at::native::f") == needed


def test_helpers_are_found_in_other_files_and_their_homes_are_told(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        {
            "Host.cpp": "void f() { at::native::helper(x); }",
            "Other.cpp": "void helper() { abs_stub(d); }",
            "cuda/linalg/Device.cu": DEVICE + "void f_cuda() { x; }",
        },
    )
    needs = dispatch_stubs.read(tree, {"add_stub": "generated.cu"})
    assert needs.of("at::native::f") == {"abs_stub"}
    assert needs.of("at::native::f_cuda") is None
    assert needs.file_of("at::native::f_cuda") == "aten/src/ATen/native/cuda/linalg/Device.cu"
    assert needs.filled["add_stub"] == "generated.cu"


@pytest.mark.parametrize(
    ("host", "asks"),
    [
        ("void f() { kernel(x.is_cuda() ? kCUDA : kCPU); }", ["f"]),
        ("static void g() { if (d.type() == at::kCUDA) {} } void f() { g(); }", ["g"]),
        ("void f() { fill_stub(kCUDA, x); }", ["f"]),
        ("void f() { switch (d) { case DeviceType::CUDA: break; } }", ["f"]),
        ("void f() { switch (d) { default: run(d == DeviceType::CUDA); } }", ["f"]),
        # What asks for the CPU, or for CUDA in a comment, does not; nor what the dispatcher sends elsewhere.
        ("void g() { x.is_cuda(); } void f() { at::g(); x.is_cpu(); /* kCUDA, */ }", []),
    ],
)
def test_who_asks_for_cuda_by_name(tmp_path: Path, host: str, asks: list[str]) -> None:
    tree = tree_of(tmp_path, {"Host.cpp": host, "cuda/Device.cu": DEVICE})
    place = "aten/src/ATen/native/Host.cpp"
    assert dispatch_stubs.read(tree, {}).asks_of("at::native::f") == tuple(
        DeviceQuery(n, place) for n in asks
    )


def test_stubs_are_read_again_when_a_source_changes(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, {"Host.cpp": "void f() { x; }", "cuda/Device.cu": DEVICE})
    assert dispatch_stubs.read(tree, {}).of("f") == set()
    tree_of(tmp_path, {"Host.cpp": "void f() { abs_stub(d); }"})
    assert dispatch_stubs.read(tree, {}).of("f") == {"abs_stub"}
