"""Declarations of headers, read by brackets alone."""

from __future__ import annotations

import pytest

from porter.cpp.header_declarations import HeaderDeclaration, header_declarations
from porter.cpp.signatures import function_signature, least_parameters

HEADER = """\
#pragma once
#include <c10/core/Device.h>
#include "Local.h"
#define CHECK(x, ...) do { \\
  f(x); } while (0)

namespace c10::impl {
// struct Commented { };
enum class Flag : uint8_t { OFF, ON = 2 };
using namespace other::place;
struct C10_API Guard final : public virtual Base<int>, Other {
 public:
  Guard() : index_{0}, names_({"a;"}) {}
  virtual ~Guard() = default;
  virtual Device get(Device d = Device{kCPU, 0}) const = 0;
  bool ready() const override { TORCH_CHECK(false, "no { here"); }
  Guard& operator=(const Guard&) = delete;
  std::function<void(int)> callback = [](int) {};
 private:
  int64_t index_{0};
};
template <typename T, typename = std::enable_if_t<(sizeof(T) > 1)>>
inline T twice(const T& value, int times = 2) { return value; }
extern "C" { void plain(void* p, unsigned n); }
Device Guard::get(Device d) const { return d; }
typedef void (*Callback)(int);
using Names = std::vector<std::string>;
} // namespace c10::impl
"""


@pytest.fixture(scope="module")
def found() -> dict[str, HeaderDeclaration]:
    return {one.qualified: one for one in header_declarations(HEADER).declarations}


def test_every_declaration_is_found_once_with_its_scope_and_kind() -> None:
    kinds = [(one.qualified, one.kind.value) for one in header_declarations(HEADER).declarations]
    scope = "c10::impl"
    assert kinds == [
        ("CHECK", "macro"),
        (f"{scope}::Flag", "type"),
        (f"{scope}::Flag::OFF", "enumerator"),
        (f"{scope}::Flag::ON", "enumerator"),
        (f"{scope}::other::place", "directive"),
        (f"{scope}::Guard", "class"),
        (f"{scope}::Guard::Guard", "function"),
        (f"{scope}::Guard::~Guard", "function"),
        (f"{scope}::Guard::get", "function"),
        (f"{scope}::Guard::ready", "function"),
        (f"{scope}::Guard::operator=", "function"),
        (f"{scope}::Guard::callback", "variable"),
        (f"{scope}::Guard::index_", "variable"),
        (f"{scope}::twice", "function"),
        (f"{scope}::plain", "function"),
        (f"{scope}::Callback", "type"),
        (f"{scope}::Names", "type"),
    ]


def test_includes_are_kept_as_written() -> None:
    assert header_declarations(HEADER).includes == ("c10/core/Device.h", "Local.h")


def test_lines_are_those_of_the_text(found: dict[str, HeaderDeclaration]) -> None:
    lines = HEADER.splitlines()
    for name in ("Guard", "Guard::get", "Guard::ready", "Guard::index_", "plain", "Names"):
        one = found[f"c10::impl::{name}"]
        assert one.name in lines[one.line - 1]


def test_virtual_functions_are_told(found: dict[str, HeaderDeclaration]) -> None:
    get, ready = found["c10::impl::Guard::get"], found["c10::impl::Guard::ready"]
    assert (get.is_virtual, get.is_pure, get.is_unimplemented) == (True, True, False)
    assert (ready.is_virtual, ready.is_pure, ready.is_unimplemented) == (True, False, True)
    assert found["c10::impl::Guard"].bases == ("Base", "Other")


@pytest.mark.parametrize(
    ("text", "name", "signature"),
    [
        (
            "virtual void setDevice(DeviceIndex index = 0) const",
            "setDevice",
            "void(DeviceIndex)const",
        ),
        ("C10_API static bool f(const T* p, unsigned int n)", "f", "bool(const T*,unsigned int)"),
        (
            "Stream g(Stream, bool isHighPriority = false) noexcept",
            "g",
            "Stream(Stream,bool)noexcept",
        ),
        (
            "std::map<int, T> h(std::pair<int, ::c10::B> x)",
            "h",
            "std::map<int,T>(std::pair<int,c10::B>)",
        ),
        ("auto k(int (&a)[3]) -> int", "k", "auto(int(&a)[3])"),
    ],
)
def test_a_signature_has_types_and_no_names(text: str, name: str, signature: str) -> None:
    assert function_signature(text, name) == signature


def test_parameters_with_values_are_not_among_the_least() -> None:
    assert least_parameters("void f(int a, bool b, T c = T(1, 2), D d = {0, 0})") == ["int", "bool"]


def test_branches_for_rocm_are_left_out() -> None:
    first = "#ifdef USE_ROCM\nint rocm();\n#else\nint cuda();\n#endif\n"
    second = "#if X\nstruct A : B {\n#else\nstruct A {\n#endif\n};\nint after();\n"
    text = first + second
    names = [one.qualified for one in header_declarations(text).declarations]
    assert names == ["cuda", "A", "after"]
