"""Names that a project declares: golden cases of whole projects, and the search for declarations."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden import assert_golden
from project_cases import port_project, read_project_case
from repository import TEST_DATA
from rule_sets import target_rules

from porter.model.project_names import NameKind
from porter.rewrite.declared_words import declared_scopes, declared_words
from porter.rewrite.source import Source

CASES = sorted((TEST_DATA / "projects").glob("*.case"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_project(path: Path, tmp_path: Path) -> None:
    case = read_project_case(path)
    made = port_project(case, tmp_path)
    for name, text in case.outputs.items():
        assert_golden(made.texts[name], text, f"{path.name}: {name}")
    assert_golden(made.left, case.left, f"{path.name}: residue")


def kinds(text: str, word: str) -> list[NameKind]:
    source = Source("a.cu", text, target_rules("toy", "2.6.0"), {})
    return [found.kind for found in declared_words(source, [word])]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("#define X 1", NameKind.MACRO),
        ("#  define X(a) a", NameKind.MACRO),
        ("#cmakedefine X", NameKind.MACRO),
        ("namespace X {}", NameKind.NAMESPACE),
        ("namespace a::X { }", NameKind.NAMESPACE),
        ("namespace X::b { }", NameKind.NAMESPACE),
        ("namespace X = cv::cuda;", NameKind.NAMESPACE),
        ("struct X { int a; };", NameKind.TYPE),
        ("class EXPORT_API X : public B {};", NameKind.TYPE),
        ("struct __align__(16) X { };", NameKind.TYPE),
        ("template <typename T> class X final {};", NameKind.TYPE),
        ("enum class X : int { A };", NameKind.TYPE),
        ("using X = int;", NameKind.TYPE),
        ("typedef unsigned long X;", NameKind.TYPE),
        ("typedef void (*X)(int);", NameKind.TYPE),
        ("typedef struct { int a; } X;", NameKind.VARIABLE),
        ("enum { A, X, B };", NameKind.ENUMERATOR),
        ("enum E { A, X = 3 };", NameKind.ENUMERATOR),
        ("void X(int a);", NameKind.FUNCTION),
        ("static std::vector<int> X(int a) { return {}; }", NameKind.FUNCTION),
        ("A<B<C<int>>> X(int a);", NameKind.FUNCTION),
        ("A<B<C<int>> > X(int a);", NameKind.FUNCTION),
        ("__global__ void X(float* p) {}", NameKind.FUNCTION),
        ("int* X(void);", NameKind.FUNCTION),
        ("int X = 3;", NameKind.VARIABLE),
        ("float a = 1, X = 2;", NameKind.VARIABLE),
        ("int X[4];", NameKind.VARIABLE),
        ("void f(const T& a, int X);", NameKind.VARIABLE),
        ("void f(int* X, float *b);", NameKind.VARIABLE),
        ("template <typename X, int N> void f();", NameKind.VARIABLE),
        ("template <int X> void f();", NameKind.VARIABLE),
        ("#define F(X, y) g(y)", NameKind.VARIABLE),
        ("int (*X)(float);", NameKind.VARIABLE),
        ("for (auto X : list) {}", NameKind.VARIABLE),
    ],
)
def test_a_declaration(text: str, kind: NameKind) -> None:
    assert kinds(text, "X")[:1] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "class X;",
        "X a = 3;",
        "return X;",
        "return X(1);",
        "int a = X(1);",
        "f(a, X, b);",
        "f(a * X);",
        "g(n & X)",
        "if (a == X) {}",
        "using n::X;",
        "using namespace X;",
        "n::X a;",
        "a.X = 3;",
        "p->X(1);",
        "namespace at { namespace X { } }",
        "namespace c10::X { }",
        "#ifdef X\n#endif",
        "#define A X\nint b;",
        "#pragma unroll X\nfor (;;) {}",
        "void f(const X);",
        "struct B : public X {};",
        "// int X = 3;",
        'const char* a = "int X = 3;";',
        "case X: break;",
        "sizeof X;",
        "goto X;",
        "new X;",
        "template <> struct X<int> {};",
    ],
)
def test_a_use(text: str) -> None:
    assert kinds(text, "X") == []


def test_scopes() -> None:
    text = "namespace a::b { class API C : D { enum class E { F }; }; } namespace at { struct G {}; } class H;"
    source = Source("a.cu", text, target_rules("toy", "2.6.0"), {})
    assert declared_scopes(source) == {"a", "b", "C", "E", "G"}
