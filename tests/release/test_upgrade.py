"""`porter upgrade` on header trees of real releases, and on trees that cannot be compared."""

from __future__ import annotations

import functools
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from release_trees import header_tree, named_releases

from porter.base.errors import SourceError
from porter.cli.exit_codes import report_error
from porter.cli.main import cli
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.mapping.places import Places
from porter.model.upgrade import Change, Effect, Subject, Upgrade, UpgradeRow
from porter.upgrade import (
    declarations,
    header_index,
    mentions,
    ported,
    sources,
    trees,
    virtuals,
)
from porter.upgrade.compare import Compared, as_compiled, compare
from porter.upgrade.header_index import HeaderIndex
from porter.upgrade.mentions import BackendFile
from porter.upgrade.rules import ReleasePort

pytestmark = pytest.mark.slow


BACKEND = """\
#include <ATen/cuda/CUDAContext.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/cuda/RowwiseScaledMM.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/util/BFloat16.h>

namespace at::cuda::backend {
struct Hooks final : PrivateUse1HooksInterface {
  bool hasPrimaryContext(DeviceIndex index) const override { return index == 0; }
};
using c10::CachingDeviceAllocator::Stat;
struct Pool {
  c10::cuda::MemPoolContext context;
};
auto history() { return c10::cuda::CUDACachingAllocator::recordHistory(true, nullptr, 0, {}); }
void use() { c10::cuda::set_device(0); }
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("_cdist_backward", backward);
}
}  // namespace at::cuda::backend
"""
"""Source of a small backend for 2.6.0. porter's own backend is not used, because it changes."""


@functools.cache
def upgraded(a: str, b: str) -> Upgrade:
    """Comparison of two releases by their header trees."""
    return of_backend(a, b, (BackendFile("backend/csrc/Hooks.cpp", BACKEND),))


def of_backend(a: str, b: str, backend: tuple[BackendFile, ...]) -> Upgrade:
    """Comparison of two releases for a backend, target simt."""
    library = MappingLibrary.find()
    first, second = trees.pair(str(header_tree(a)), str(header_tree(b)))
    rules = [rule_cache.rule_set(library, "simt", one.release) for one in (first, second)]
    return compare(Compared(first, second, rules[0], rules[1], library, backend))


@functools.cache
def indexed(release: str) -> HeaderIndex:
    """Declarations of a header tree."""
    return header_index.read(compared(release), 1)


def compared(release: str) -> trees.Tree:
    """Header tree of a release, as the comparison reads it."""
    other = "2.7.1" if release == "2.6.0" else "2.6.0"
    return trees.pair(str(header_tree(release)), str(header_tree(other)))[0]


def declared(a: str, b: str, *texts: str) -> dict[str, UpgradeRow]:
    """Rows of declarations, and of virtual functions in the texts, for a backend of such sources, by name."""
    files = tuple(BackendFile(f"backend/{at}.cpp", text) for at, text in enumerate(texts))
    return rows_of_sources(a, b, as_compiled(files, compared(b), indexed(b)))


def rows_of_sources(a: str, b: str, files: tuple[BackendFile, ...]) -> dict[str, UpgradeRow]:
    given = (indexed(a), indexed(b), files)
    rows = [*declarations.rows(*given), *virtuals.rows(*given)]
    return {row.name: row for row in rows if row.place.startswith("backend/")}


def rows_of(done: Upgrade, subject: Subject, name: str) -> list[UpgradeRow]:
    return [row for row in done.of(subject) if row.name == name]


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["upgrade", *args])


def test_an_operator_that_takes_symbols_now_is_a_changed_declaration() -> None:
    (row,) = rows_of(upgraded("2.6.0", "2.7.1"), Subject.SCHEMA, "nonzero_static")
    assert (row.change, row.effect) == (Change.CHANGED, Effect.BREAKS)
    assert "int64_t size" in row.before and "c10::SymInt size" in row.after
    file, line = row.place.split(":")
    declared = (header_tree("2.7.1") / file).read_text().splitlines()[int(line) - 1]
    assert declared.startswith("- func: nonzero_static(")


def test_an_operator_that_is_gone_breaks_where_it_has_a_kernel() -> None:
    done = upgraded("2.13.0", "2.14.1")
    (row,) = rows_of(done, Subject.SCHEMA, "cholesky")
    assert (row.change, row.effect, row.after) == (Change.GONE, Effect.BREAKS, "")


def test_a_header_that_the_other_release_lacks_is_found_where_the_backend_includes_it() -> None:
    done = upgraded("2.6.0", "2.4.1")
    gone = {row.name: row for row in done.of(Subject.HEADER)}
    row = gone["aten/src/ATen/native/cuda/RowwiseScaledMM.h"]
    assert row.effect is Effect.BREAKS
    assert row.place == "backend/csrc/Hooks.cpp:3"


def test_a_moved_header_that_the_selection_has_at_both_places_breaks_nothing() -> None:
    done = upgraded("2.7.1", "2.8.0")
    moved = {row.name: row for row in done.of(Subject.HEADER)}
    row = moved["torch/csrc/distributed/c10d/intra_node_comm.hpp"]
    assert (row.change, row.effect) == (Change.MOVED, Effect.INFORMS)
    assert row.after == "torch/csrc/distributed/c10d/symm_mem/intra_node_comm.hpp"


def test_a_header_that_is_emptied_into_another_one_names_it() -> None:
    done = upgraded("2.8.0", "2.9.1")
    moved = {row.name: row.after for row in done.of(Subject.HEADER)}
    assert moved["c10/macros/Macros.h"] == "torch/headeronly/macros/Macros.h"


def test_the_answer_from_the_cache_is_the_same() -> None:
    again = upgraded.__wrapped__("2.6.0", "2.7.1")
    assert upgraded("2.6.0", "2.7.1") == again


def test_the_document_has_every_row() -> None:
    given = [str(header_tree(release)) for release in ("2.6.0", "2.7.1")]
    document = json.loads(run(*given, "--json").stdout)
    assert document["schema"] == 1
    assert (document["from"]["release"], document["to"]["release"]) == ("2.6.0", "2.7.1")
    schemas = [row for row in document["rows"] if row["subject"] == "schema"]
    assert len(schemas) == len(upgraded("2.6.0", "2.7.1").of(Subject.SCHEMA))


def failure(*args: str) -> SourceError:
    error = run(*args).exception
    assert isinstance(error, SourceError) and report_error(error) == 4
    return error


def test_a_release_that_was_not_fetched_is_an_error() -> None:
    (problem,) = failure("2.6.99", str(header_tree("2.6.0"))).problems
    assert problem.text == "PyTorch 2.6.99 is not in the cache"
    assert "porter release fetch 2.6.99-headers" in problem.help


def test_a_text_that_is_neither_a_folder_nor_a_release_is_an_error() -> None:
    problems = failure("nowhere", "two.six").problems
    assert [problem.place for problem in problems] == ["nowhere", "two.six"]


def test_a_release_is_not_compared_with_itself() -> None:
    tree = str(header_tree("2.6.0"))
    assert "is given twice" in failure(tree, tree).problems[0].text


def test_a_tree_of_which_files_are_missing_is_an_error(tmp_path: Path) -> None:
    half = tmp_path / "half"
    shutil.copytree(header_tree("2.7.1"), half, ignore=shutil.ignore_patterns("csrc"))
    (problem,) = failure(str(header_tree("2.6.0")), str(half)).problems
    assert problem.text.startswith("is incomplete: ")


def test_a_tree_with_the_version_of_another_release_is_an_error(tmp_path: Path) -> None:
    mixed = tmp_path / "mixed"
    shutil.copytree(header_tree("2.7.1"), mixed)
    version = header_tree("2.6.0") / "torch" / "version.py"
    (mixed / "torch" / "version.py").write_text(version.read_text())
    (problem,) = failure(str(header_tree("2.6.0")), str(mixed)).problems
    assert "torch/version.py 2.6.0" in problem.text


def test_functions_of_hooks_that_raise_an_error_now_are_to_be_implemented() -> None:
    done = upgraded("2.7.1", "2.8.0")
    for name in ("isBuilt", "isAvailable"):
        (row,) = rows_of(done, Subject.VIRTUAL, f"PrivateUse1HooksInterface::{name}")
        assert (row.change, row.effect) == (Change.CHANGED, Effect.CHECK)
        assert row.place == "backend/csrc/Hooks.cpp:9"


def test_a_class_that_the_backend_uses_and_that_is_gone_breaks() -> None:
    done = upgraded("2.7.1", "2.8.0")
    (row,) = rows_of(done, Subject.DECLARATION, "c10::cuda::MemPoolContext")
    assert (row.change, row.effect) == (Change.GONE, Effect.BREAKS)


def test_names_that_a_using_directive_still_brings_are_no_rows() -> None:
    done = upgraded("2.6.0", "2.7.1")
    assert not rows_of(done, Subject.DECLARATION, "c10::CachingDeviceAllocator::Stat")


def test_operators_that_dsl_kernels_override_are_listed() -> None:
    done = upgraded("2.12.1", "2.13.0")
    names = {row.name for row in done.of(Subject.DSL)}
    assert {"bmm", "topk", "topk.values", "scatter_add_", "_foreach_mm"} <= names


def test_a_cxx_standard_beyond_the_flags_of_the_profile_is_checked_where_it_changes() -> None:
    (row,) = rows_of(upgraded("2.11.0", "2.12.1"), Subject.FACT, "C++ standard")
    assert (row.before, row.after, row.effect) == ("C++17", "C++20", Effect.CHECK)
    assert "-std=c++20" in row.advice
    assert not rows_of(upgraded("2.13.0", "2.14.1"), Subject.FACT, "C++ standard")
    assert row.place.startswith("mappings/simt/target.yaml:")


def test_a_function_with_another_parameter_breaks_and_one_with_a_default_does_not() -> None:
    done = upgraded("2.6.0", "2.8.0")
    allocator = "c10::cuda::CUDACachingAllocator"
    (history,) = rows_of(done, Subject.DECLARATION, f"{allocator}::recordHistory")
    assert history.effect is Effect.BREAKS and "clearHistory" in history.after
    assert history.place == "backend/csrc/Hooks.cpp:16"
    (device,) = rows_of(done, Subject.DECLARATION, "c10::cuda::set_device")
    assert device.effect is Effect.INFORMS and "const bool force = false" in device.after


def test_a_changed_operator_that_the_backend_registers_names_that_line() -> None:
    (row,) = rows_of(upgraded("2.13.0", "2.14.1"), Subject.SCHEMA, "_cdist_backward")
    assert row.place == "backend/csrc/Hooks.cpp:19"


@pytest.mark.parametrize(
    ("a", "b"), [("2.4.1", "2.6.0"), ("2.7.1", "2.8.0"), ("2.9.1", "2.10.0"), ("2.10.0", "2.11.0")]
)
def test_the_shipped_backend_compiles_with_both_releases_and_nothing_breaks(a: str, b: str) -> None:
    found = rows_of_sources(a, b, as_compiled(mentions.backend(), compared(b), indexed(b)))
    assert found
    assert [row for row in found.values() if row.effect is Effect.BREAKS] == []


def test_members_of_a_class_that_an_alias_replaces_are_no_rows() -> None:
    text = """#include <c10/cuda/CUDACachingAllocator.h>
    void f(c10::cuda::CUDACachingAllocator::SegmentInfo& info) { info.total_size = 0; }
    """
    assert declared("2.10.0", "2.11.0", text) == {}


def test_members_that_a_base_class_has_now_are_no_rows() -> None:
    text = """#include <c10/util/ArrayRef.h>
    auto f(c10::ArrayRef<int> one) { return one.size(); }
    """
    assert declared("2.9.1", "2.10.0", text) == {}


def test_uses_in_branches_of_other_releases_are_no_rows() -> None:
    text = """#include <c10/cuda/CUDACachingAllocator.h>
    {condition}
    c10::cuda::MemPoolContext* context;
    #endif
    """
    older = text.format(condition="#if TORCH_VERSION_MINOR < 8")
    newer = text.format(condition="#if TORCH_VERSION_MINOR >= 8")
    assert declared("2.7.1", "2.8.0", older) == {}
    assert declared("2.7.1", "2.8.0", newer)["c10::cuda::MemPoolContext"].effect is Effect.BREAKS


def test_an_override_that_fits_the_new_declaration_is_no_row() -> None:
    text = """#include <ATen/detail/PrivateUse1HooksInterface.h>
    struct Hooks final : at::PrivateUse1HooksInterface {
      const at::Generator& getDefaultGenerator(c10::DeviceIndex index) CONST override;
    };
    """
    name = "PrivateUse1HooksInterface::getDefaultGenerator"
    assert declared("2.4.1", "2.6.0", text.replace("CONST", ""))[name].effect is Effect.BREAKS
    assert name not in declared("2.4.1", "2.6.0", text.replace("CONST", "const"))


def test_calls_that_fit_the_new_declaration_alone_are_no_rows() -> None:
    text = """#include <c10/cuda/CUDACachingAllocator.h>
    void f() { c10::cuda::CUDACachingAllocator::recordHistory(true, nullptr, 0, {}, false); }
    """
    assert declared("2.7.1", "2.8.0", text) == {}


def test_an_overload_that_probes_for_a_function_informs() -> None:
    text = """#include <ATen/cuda/CUDAGraph.h>
    using at::cuda::CUDAGraph;
    template <class Graph>
    auto dump(Graph& graph, int) -> decltype(graph.debug_dump("")) { graph.debug_dump(""); }
    """
    row = declared("2.13.0", "2.14.1", text)["at::cuda::CUDAGraph::debug_dump"]
    assert (row.change, row.effect) == (Change.GONE, Effect.INFORMS)


def selected(a: Path, b: Path) -> dict[str, UpgradeRow]:
    """Rows of selected files between two trees, by path."""
    library = MappingLibrary.find()
    places = Places(library)
    sides = []
    for tree in trees.pair(str(a), str(b)):
        rules = rule_cache.rule_set(library, "simt", tree.release)
        sides.append(ReleasePort(tree, rules, ported.port(tree, rules, 1)))
    return {row.name: row for row in sources.rows(sides[0], sides[1], places)}


def test_a_selected_source_that_the_other_release_lacks_is_to_be_checked() -> None:
    known = named_releases()
    if not {"1.13.1", "2.6.0"} <= known.keys():
        pytest.skip("PORTER_TEST_RELEASES lacks 1.13.1 or 2.6.0; build_scripts/test names both")
    found = selected(known["1.13.1"], known["2.6.0"])
    row = found["aten/src/ATen/native/sparse/cuda/SparseCUDATensor.cpp"]
    assert (row.change, row.effect) == (Change.GONE, Effect.CHECK)
    assert row.place.startswith("mappings/pytorch/selection.yaml:")
    assert all((known["2.6.0"] / path).is_file() for path, row in found.items() if row.after)
    assert not any((known["2.6.0"] / path).exists() for path, row in found.items() if row.before)


def test_of_header_trees_only_headers_are_compared() -> None:
    found = selected(header_tree("2.7.1"), header_tree("2.8.0"))
    assert found["aten/src/ATen/native/cuda/cutlass_utils.cuh"].change is Change.GONE
    assert not [path for path in found if path.endswith((".cu", ".cpp"))]
