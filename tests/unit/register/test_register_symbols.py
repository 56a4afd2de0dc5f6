"""Symbols of real objects and libraries, compiled by the test."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from porter.base import elf
from porter.base.errors import SourceError
from porter.register import exported_symbols

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="no g++")

KERNELS = """
namespace at { namespace native {
struct Stub { void fill(void (*)(int)); void (*slot)(int); };
extern Stub abs_stub, sin_stub;
struct Register { Register(Stub& stub, void (*f)(int)) { stub.slot = f; } };
void abs_kernel_cuda(int) {}
static void hidden(int) {}
template <typename T> void templated(T) {}
template void templated<int>(int);
static Register abs_stub__register(abs_stub, &abs_kernel_cuda);
static Register late__register(abs_stub, &hidden);
void calls() { sin_stub.slot(1); }
struct structured_cat_cuda { void impl(int); };
void structured_cat_cuda::impl(int) {}
[[gnu::abi_tag("cxx11")]] void tagged() {}
}}
"""


def compiled(folder: Path, *flags: str, text: str = KERNELS, name: str = "kernels.o") -> Path:
    source = folder / "kernels.cpp"
    source.write_text(text)
    out = folder / name
    subprocess.run(["g++", *flags, str(source), "-o", str(out)], check=True)
    return out


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2"])
def test_an_object_provides_functions_and_fills_stubs(tmp_path: Path, level: str) -> None:
    found = exported_symbols.provided([compiled(tmp_path, level, "-fPIC", "-c")])
    wanted = {"abs_kernel_cuda", "calls", "structured_cat_cuda::impl", "tagged"}
    assert {f"at::native::{name}" for name in wanted} <= found.functions
    assert "at::native::hidden" not in found.functions
    # A stub that is called, and not filled, is none.
    assert found.stubs == {"abs_stub"}


def test_a_library_exports_what_is_not_hidden(tmp_path: Path) -> None:
    text = 'namespace at::native { void shown() {} [[gnu::visibility("hidden")]] void unseen() {} }'
    library = compiled(tmp_path, "-shared", "-fPIC", "-std=c++17", text=text, name="libx.so")
    exported = exported_symbols.exported(library)
    assert "at::native::shown" in exported
    assert "at::native::unseen" not in exported
    # From what was kept, too.
    assert exported_symbols.exported(library) == exported


def test_only_new_objects_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = tmp_path / "memory.json"
    objects = [compiled(tmp_path, "-c")]
    first = exported_symbols.provided(objects, memory)
    with monkeypatch.context() as patch:
        patch.setattr(elf, "read", lambda path: pytest.fail("read again"))
        assert exported_symbols.provided(objects, memory) == first
    text = KERNELS.replace("abs_kernel_cuda", "abs_other_cuda")
    objects = [compiled(tmp_path, "-c", text=text)]
    assert "at::native::abs_other_cuda" in exported_symbols.provided(objects, memory).functions


def test_names_are_those_that_cxxfilt_gives(tmp_path: Path) -> None:
    made = compiled(tmp_path, "-c")
    mangled = subprocess.run(
        ["nm", "--defined-only", "-g", "-j", str(made)], capture_output=True, text=True, check=True
    ).stdout.split()
    plain = subprocess.run(
        ["c++filt", "-p"], input="\n".join(mangled), capture_output=True, text=True, check=True
    ).stdout.split("\n")
    for symbol, written in zip(mangled, plain, strict=False):
        name = exported_symbols.qualified(symbol)
        assert name is None or name == written.replace("[abi:cxx11]", "")
        *scope, last = written.split("::")
        # Templates, what is in no namespace, and constructors.
        assert (name is None) == ("<" in written or not scope or last == scope[-1])


@pytest.mark.parametrize(
    "content", [b"", b"\x7fELF\x02\x01", b"!<arch>\n", b"\x7fELF\x01\x01" + bytes(99)]
)
def test_what_is_no_object_is_an_error_with_its_place(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.o"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"x\.o: its symbols cannot be read"):
        exported_symbols.provided([path])


def test_an_object_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No such file"):
        exported_symbols.provided([tmp_path / "gone.o"])
