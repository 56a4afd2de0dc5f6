"""`porter explain`: the rule behind each edit, with its line in a mapping file."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from repository import TEST_MAPPINGS
from workshop import Workshop, write_files

from porter.cli.main import call
from porter.cpp.lex import decode
from porter.inspect.explain import Explainer
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary, shipped
from porter.mapping.source_locations import NameLocations
from porter.port.select import select
from porter.port.stage import plan_of
from porter.rewrite.rewriter import Rewriter

FILL = "aten/src/ATen/native/cuda/Fill.cu"
PORTED_FILL = "aten/src/ATen/native/toy/Fill.ty"

Explain = Callable[..., dict[str, Any]]
Result = tuple[int, str, str]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    monkeypatch.chdir(tmp_path)
    return Workshop(tmp_path)


@pytest.fixture
def run(shop: Workshop, capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """`porter explain` with the workshop's mappings: exit code, stdout, stderr."""

    def explain(*args: str | Path) -> Result:
        capsys.readouterr()
        code = call(["explain", "-t", "toy", "--mappings", str(shop.mappings), *map(str, args)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return explain


@pytest.fixture
def explain(run: Callable[..., Result]) -> Explain:
    """JSON document of `porter explain`."""

    def document(*args: str | Path) -> dict[str, Any]:
        code, out, err = run(*args, "--json")
        assert code == 0, err
        data: dict[str, Any] = json.loads(out)
        assert (data["schema"], data["target"]) == (1, "toy")
        return data

    return document


def line_of(path: Path, text: str) -> int:
    """Number of the only line that contains a text."""
    lines = [n for n, line in enumerate(path.read_text().splitlines(), 1) if text in line]
    assert len(lines) == 1, (path, text, lines)
    return lines[0]


# -- symbols


def test_a_name_by_a_family(explain: Explain, shop: Workshop) -> None:
    data = explain("cudaMalloc")
    assert data["answer"] == "becomes toyMalloc"
    (candidate,) = data["candidates"]
    line = line_of(shop.mappings / "cuda/runtime.yaml", "family:")
    assert candidate["origin"] == f"cuda/runtime.yaml:{line}"
    assert (candidate["becomes"], candidate["decides"]) == ("toyMalloc", True)


def test_the_stronger_rule_hides_the_weaker(explain: Explain, shop: Workshop) -> None:
    write_files(
        shop.mappings,
        {
            "toy/more.yaml": """\
area: runtime
rules:
  - name: cudaMalloc
    replace: toyTake
    note: the toy vendor calls it so
  - name: cudaMalloc
    replace: toyTakeQuickly
    only_in: ['**/Quick.cu']
""",
            "pytorch/late.yaml": """\
area: pytorch
rules:
  - {family: 'cuda(M\\w+)', replace: 'no\\1'}
""",
        },
    )
    found = [
        (item["origin"], item["becomes"], item["decides"], item["where"])
        for item in explain("cudaMalloc")["candidates"]
    ]
    assert found == [
        ("toy/more.yaml:3", "toyTake", True, "in code"),
        ("toy/more.yaml:6", "toyTakeQuickly", False, "in code of files **/Quick.cu"),
        # Rules of the kind `name` are not about conditions.
        ("cuda/runtime.yaml:4", "toyMalloc", True, "in conditions"),
        ("pytorch/late.yaml:3", "noMalloc", False, "in code"),
    ]


def test_a_name_of_a_table_has_a_line_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("cudaMalloc", "cublasSgemm", "CUBLAS_OP_N"):
        assert call(["explain", name, "-t", "musa", "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        file, _, line = data["candidates"][0]["origin"].partition(":")
        text = (shipped() / file).read_text().splitlines()[int(line) - 1]
        assert re.search(rf'"{name}"', text), (name, text)


def test_a_guard_and_a_call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)

    def where(name: str, release: str = "2.6.0") -> list[tuple[str, str, str | None]]:
        more = ["--mappings", str(TEST_MAPPINGS), "--release", release, "--json"]
        assert call(["explain", name, "-t", "toy", *more]) == 0
        found = json.loads(capsys.readouterr().out)["candidates"]
        return [(item["kind"], item["where"], item["becomes"]) for item in found]

    guards = where("CUDA_VERSION")
    assert guards[0] == ("value", "where its number is compared", "TOY_COMPAT_VERSION")
    assert guards[1] == ("macro", "in code and conditions", "TOY_COMPAT_VERSION")
    longer, shape = (
        f"in a call of the shape {text}" for text in (".type().is_cuda()", ".is_cuda()")
    )
    assert where(".is_cuda()")[:2] == [
        ("call", longer, ".is_privateuseone()"),
        ("call", shape, ".is_privateuseone()"),
    ]
    assert where("is_cuda", "1.13.1")[:2] == [
        ("call", longer, ".device().is_privateuseone()"),
        ("call", shape, ".device().is_privateuseone()"),
    ]


def test_a_chain_of_names(explain: Explain) -> None:
    assert explain("c10::cuda::current")["answer"] == "becomes c10::toy::current"


def test_a_qualified_name_is_no_method(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["explain", "torch::cuda::current", "-t", "simt"]) == 0
    out = capsys.readouterr().out
    assert "becomes torch::simt::current" in out
    assert ".cuda()" not in out


def test_a_header(explain: Explain) -> None:
    data = explain("c10/cuda/CUDAStream.h")
    assert data["answer"] == "becomes c10/toy/TOYStream.h"
    kinds = [(item["kind"], item["match"]) for item in data["candidates"]]
    assert kinds == [("path", "cuda"), ("path", r"CUDA(\w*)")]
    assert explain("cuda_runtime_api.h")["answer"] == "becomes toy_runtime.h"


def test_names_nobody_knows(run: Callable[..., Result]) -> None:
    code, out, _ = run("cudaMallocc")
    assert code == 0
    assert "no rule matches the name: it stays, and is reported as unmapped" in out
    assert "help: did you mean 'cudaMalloc'?" in out
    code, out, _ = run("printf")
    assert code == 0
    assert "does not look like a name of CUDA: it stays" in out


# -- files


def test_every_edit_of_a_line(explain: Explain, shop: Workshop) -> None:
    line = line_of(shop.tree / FILL, "<<<")
    data = explain(f"{FILL}:{line}", "--pytorch-src", shop.tree)
    assert data["file"]["upstream"] == FILL
    assert data["file"]["ported"] == PORTED_FILL
    assert data["text"] == {
        "upstream": "  fill<<<1, 32, 0, c10::cuda::current()>>>(p, n);",
        "ported": "  TOY_LAUNCH((fill), (1), (32), (0), (c10::toy::current()), p, n);",
    }
    launch, name = data["edits"]
    assert launch["before"] == "fill<<<1, 32, 0, c10::cuda::current()>>>(p, n)"
    assert launch["after"] == "TOY_LAUNCH((fill), (1), (32), (0), (c10::toy::current()), p, n)"
    assert launch["rules"][0]["origin"].startswith("toy/launch.yaml:")
    assert (name["before"], name["after"]) == ("cuda", "toy")
    expected = line_of(shop.mappings / "pytorch/names.yaml", "name: cuda")
    assert name["rules"][0]["origin"] == f"pytorch/names.yaml:{expected}"
    assert data["residue"] == data["hazards"] == []


def test_a_hazard_of_a_line(explain: Explain, shop: Workshop) -> None:
    line = line_of(shop.tree / FILL, "lane += 32")
    data = explain(f"{FILL}:{line}", "--pytorch-src", shop.tree)
    (hazard,) = data["hazards"]
    assert hazard["why"] == "the code assumes 32 lanes"
    assert hazard["rules"][0]["origin"].startswith("pytorch/names.yaml:")
    assert data["edits"] == []


def test_what_is_left_on_a_line(explain: Explain, shop: Workshop) -> None:
    write_files(
        shop.mappings,
        {
            "toy/no.yaml": """\
area: runtime
rules:
  - {name: cudaFree, status: todo, note: comes later}
"""
        },
    )
    memory = shop.tree / "c10/cuda/CUDAMemory.cpp"
    shop.edit(memory, "cudaFree(p);", 'cudaFree(p); cudaNew("cuda");')
    data = explain(f"{memory}:{line_of(memory, 'cudaNew')}")
    found = [(item["before"], item["why"], len(item["rules"])) for item in data["residue"]]
    assert found == [
        ("cudaFree", "unsupported: comes later", 1),
        ("cudaNew", "unmapped: no rule matches the word", 0),
        ("cuda", "in_string", 0),
    ]
    assert data["residue"][0]["rules"][0]["origin"] == "toy/no.yaml:3"


def test_a_ported_file_is_explained_by_its_own_lines(explain: Explain, shop: Workshop) -> None:
    port = shop.port("out")
    text = (port / "src" / PORTED_FILL).read_text()
    # The main header is inserted above, so that lines differ.
    line = line_of(port / "src" / PORTED_FILL, "TOY_LAUNCH")
    assert line == line_of(shop.tree / FILL, "<<<") + 1
    for place in (f"{port / 'src' / PORTED_FILL}:{line}", f"{PORTED_FILL}:{line}"):
        data = explain(place, "--out", shop.folder / "out")
        assert data["line_of"] == "ported"
        assert data["text"]["ported"] == text.splitlines()[line - 1]
        assert [edit["ported_line"] for edit in data["edits"]] == [line, line]
    by_tree = explain(f"{PORTED_FILL}:{line}", "--pytorch-src", shop.tree, "--out", "none")
    assert by_tree["edits"] == data["edits"]
    line = line_of(port / "src" / PORTED_FILL, "toy_runtime.h")
    inserted = explain(f"{PORTED_FILL}:{line}", "--out", shop.folder / "out")
    (edit,) = inserted["edits"]
    assert (edit["before"], edit["after"]) == ("", "#include <toy_runtime.h>\n")
    assert edit["rules"][0]["origin"] == "toy/target.yaml"
    assert inserted["text"]["upstream"] == ""


def write_patches(shop: Workshop, rules: str) -> None:
    write_files(shop.mappings, {"toy/patch.yaml": f"area: pytorch\nrules:\n{rules}"})


def test_a_patch(explain: Explain, shop: Workshop) -> None:
    write_patches(
        shop,
        f"""\
  - patch: {FILL}
    before: lane += 32
    after: lane += WARP
""",
    )
    line = line_of(shop.tree / FILL, "lane += 32")
    (patch,) = explain(f"{FILL}:{line}", "--pytorch-src", shop.tree)["patches"]
    assert (patch["before"], patch["after"]) == ("lane += 32", "lane += WARP")
    assert patch["rules"][0]["origin"] == "toy/patch.yaml:3"


def test_what_stands_behind_a_patch_is_where_it_is_upstream(
    explain: Explain, shop: Workshop
) -> None:
    memory = "c10/cuda/CUDAMemory.cpp"
    write_patches(
        shop,
        f"""\
  - patch: {memory}
    before: "void* p = nullptr;\\n  cuda"
    after: "void* p; /* not yet */ p = nullptr;\\n\\n\\n  /* now */ cuda"
  - patch: {memory}
    before: '/* not yet */'
    after: ''
""",
    )
    data = explain(memory, "--pytorch-src", shop.tree)
    upstream = (shop.tree / memory).read_text().splitlines()
    malloc = next(edit for edit in data["edits"] if edit["before"] == "cudaMalloc")
    # A word that a patch has written stands where its text was; what follows is where it was.
    assert upstream[malloc["line"] - 1].startswith("  void* p = nullptr")
    assert malloc["ported_line"] == malloc["line"] + 3
    free = next(edit for edit in data["edits"] if edit["before"] == "cudaFree")
    assert upstream[free["line"] - 1][free["column"] - 1 :].startswith("cudaFree(p)")
    assert free["ported_line"] == free["line"] + 2
    first, second = data["patches"]
    assert (first["line"], first["column"]) == (second["line"], second["column"]) == (3, 3)


def test_a_patch_that_takes_text_away_stands_where_that_began(
    explain: Explain, shop: Workshop
) -> None:
    memory = "c10/cuda/CUDAMemory.cpp"
    write_patches(
        shop,
        f"""\
  - patch: {memory}
    before: " = nullptr"
    after: ""
""",
    )
    (patch,) = explain(memory, "--pytorch-src", shop.tree)["patches"]
    line = (shop.tree / memory).read_text().splitlines()[patch["line"] - 1]
    assert line[patch["column"] - 1 :] == " = nullptr;"
    assert patch["ported_line"] == patch["line"]


def test_all_of_a_file_in_order(explain: Explain, shop: Workshop) -> None:
    data = explain(shop.tree / "c10/cuda/CUDAMemory.cpp")
    assert [(edit["line"], edit["before"], edit["after"]) for edit in data["edits"]] == [
        (1, "c10/cuda/CUDAStream.h", "c10/toy/TOYStream.h"),
        (4, "cudaMalloc", "toyMalloc"),
        (8, "cudaFree", "toyFree"),
    ]
    (path, stem) = data["edits"][0]["rules"]
    assert (path["match"], stem["match"]) == ("cuda", r"CUDA(\w*)")


def test_the_text_for_people(run: Callable[..., Result], shop: Workshop) -> None:
    line = line_of(shop.tree / FILL, "<<<")
    code, out, err = run(f"{FILL}:{line}", "--pytorch-src", shop.tree)
    assert (code, err) == (0, "")
    head, before, after, *rest = out.splitlines()
    assert head == f"{FILL} -> {PORTED_FILL}  (toy, PyTorch 2.6.0)"
    assert before == "-   fill<<<1, 32, 0, c10::cuda::current()>>>(p, n);"
    assert after == "+   TOY_LAUNCH((fill), (1), (32), (0), (c10::toy::current()), p, n);"
    assert any("cuda -> toy" in row and "pytorch/names.yaml:" in row for row in rest)
    code, out, _ = run(f"{FILL}:3", "--pytorch-src", shop.tree)
    assert "nothing was done on this line" in out or "lane" in out


def test_a_file_that_is_no_pytorch(explain: Explain, shop: Workshop) -> None:
    write_files(shop.folder, {"ext/a.cu": '#include "b.cuh"\ncudaFree(p);\n', "ext/b.cuh": "\n"})
    data = explain("ext/a.cu")
    assert data["file"] == {"root": str(shop.folder / "ext"), "upstream": "a.cu", "ported": "a.ty"}
    assert ("cudaFree", "toyFree") in [(edit["before"], edit["after"]) for edit in data["edits"]]


@pytest.mark.parametrize("root", ["setup.py", ""])
def test_names_that_the_project_declares_stay(
    explain: Explain, shop: Workshop, root: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '#include "check.cuh"\nCHECK_CUDA(cudaFree(p));\n'
    folder = "k/" if root else ""
    sources = {f"ext/{folder}a.cu": text, "ext/check.cuh": "#define CHECK_CUDA(x) x\n"}
    write_files(shop.folder, {**sources, **({"ext/setup.py": ""} if root else {})})
    data = explain(f"ext/{folder}a.cu:2")
    assert data["text"] == {
        "upstream": "CHECK_CUDA(cudaFree(p));",
        "ported": "CHECK_CUDA(toyFree(p));",
    }
    (left,) = data["residue"]
    assert (left["before"], left["why"]) == ("CHECK_CUDA", "own: declared at check.cuh:1")
    # A port has the same words, before and after it is made.
    more = ["-t", "toy", "--out", "ported", "--mappings", str(shop.mappings)]
    assert call(["port", "ext", *more]) == 0
    capsys.readouterr()
    assert explain(f"{folder}a.ty:3", "--out", "ported")["text"] == data["text"]


def test_a_file_of_a_ported_project(
    explain: Explain, shop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(
        shop.folder, {"ext/k/a.cu": '#include "b.cuh"\ncudaFree(p);\n', "ext/k/b.cuh": "\n"}
    )
    more = ["-t", "toy", "--out", "ported", "--mappings", str(shop.mappings)]
    assert call(["port", "ext", *more]) == 0
    capsys.readouterr()
    data = explain("k/a.ty:3", "--out", "ported")
    assert data["text"] == {"upstream": "cudaFree(p);", "ported": "toyFree(p);"}


def test_a_file_that_the_selection_leaves_out(run: Callable[..., Result], shop: Workshop) -> None:
    write_files(shop.tree, {"test/cpp/a.cu": "cudaStream_t s;\n"})
    code, out, err = run(shop.tree / "test/cpp/a.cu")
    assert code == 0
    assert (
        "warning: test/cpp/a.cu is not ported: no folder of the selection (pytorch/selection.yaml) contains it"
        in err
    )
    assert "cudaStream_t -> toyStream_t" in out


def test_a_port_that_was_changed_since(run: Callable[..., Result], shop: Workshop) -> None:
    port = shop.port("out")
    shop.edit(port / "src" / PORTED_FILL, "TOY_LAUNCH", "TOY_START")
    code, _, err = run(port / "src" / PORTED_FILL)
    assert code == 0
    assert "Fill.ty was changed after the port was made" in err


# -- what cannot be explained


def test_an_unknown_file_says_where_it_looked(run: Callable[..., Result], shop: Workshop) -> None:
    code, _, err = run("native/Nowhere.cu:7", "--pytorch-src", shop.tree, "--out", "ports")
    assert code == 4
    assert "error: native/Nowhere.cu: no such file" in err
    assert str(shop.tree / "native/Nowhere.cu") in err
    assert "ports/toy/*/src/native/Nowhere.cu" in err


def test_a_folder_is_no_file(run: Callable[..., Result], shop: Workshop) -> None:
    code, _, err = run(shop.tree)
    assert code == 2
    assert "is a folder, not a file" in err


@pytest.mark.parametrize(("line", "code"), [("0", 2), ("8", 2), ("100000", 2), ("7", 0)])
def test_lines_that_are_not_there(
    run: Callable[..., Result], shop: Workshop, line: str, code: int
) -> None:
    assert len((shop.tree / FILL).read_text().splitlines()) == 7
    found, _, err = run(f"{FILL}:{line}", "--pytorch-src", shop.tree)
    assert found == code, err


def test_a_tree_that_has_moved(run: Callable[..., Result], shop: Workshop) -> None:
    port = shop.port("out")
    shutil.move(shop.tree, shop.folder / "moved")
    code, _, err = run(port / "src" / PORTED_FILL)
    assert code == 4
    assert "cannot be found" in err
    assert f"give the source tree with --pytorch-src; the port was made from {shop.tree}" in err
    assert run(port / "src" / PORTED_FILL, "--pytorch-src", shop.folder / "moved")[0] == 0


def test_a_tree_that_is_none(run: Callable[..., Result], shop: Workshop) -> None:
    code, _, err = run("a/b.cu", "--pytorch-src", shop.folder)
    assert code == 4
    assert "not a PyTorch source tree" in err


# -- on real trees


@pytest.mark.release
@pytest.mark.parametrize("target", ["toy", "musa"])
def test_explanations_agree_with_the_port(release_tree: Path, target: str) -> None:
    """The stated places contain the stated texts, upstream and in the port."""
    library = MappingLibrary.find([TEST_MAPPINGS])
    release = "1.13.1" if (release_tree / "version.txt").read_text().startswith("1.") else "2.6.0"
    rules = rule_cache.rule_set(library, target, release)
    plan = plan_of(select(release_tree, rules.selection), rules)
    explainer = Explainer(rules, plan.moved, NameLocations(library, target).of)
    rewriter = Rewriter(rules, plan.moved)
    checked = 0
    for job in plan.jobs[::7]:
        raw = (release_tree / job.path).read_bytes()
        made = explainer.file(job.path, raw)
        expected = rewriter.rewrite(job.path, raw)
        assert made.ported == expected.text
        upstream, ported = decode(raw).split("\n"), made.ported.split("\n")
        edits = [place for place in made.places if place.kind == "edit"]
        assert bool(edits) == bool(expected.edits)
        written = {(p.line, p.column): p.after for p in made.places if p.kind == "patch"}
        for place in edits:
            at = upstream[place.line - 1][place.column - 1 :]
            first = place.before.split("\n")[0]
            # What a patch wrote stands where its text was, and nothing but that.
            assert at.startswith(first) or first in written[place.line, place.column]
            rest = "\n".join(ported[place.ported_line - 1 :])
            assert place.after in rest
            checked += 1
        left = [place for place in made.places if place.kind == "left"]
        assert len(left) == sum(item.places for item in expected.residue)
        for place in left:
            at = upstream[place.line - 1][place.column - 1 :]
            first = place.before[:1]
            assert at.startswith(first) or first in written[place.line, place.column]
        dangers = [place for place in made.places if place.kind == "hazard"]
        assert len(dangers) == sum(item.places for item in expected.hazards)
    assert checked > 500


# -- the target and the lines of a port


def test_a_port_says_its_target(
    shop: Workshop, capsys: pytest.CaptureFixture[str], explain: Explain
) -> None:
    port = shop.port("out")
    place = port / "src" / PORTED_FILL
    capsys.readouterr()
    more = ["--mappings", str(shop.mappings), "--json"]
    for what in ([f"{place}:6"], [f"{PORTED_FILL}:6", "--out", "out"]):
        assert call(["explain", *what, *more]) == 0
        assert json.loads(capsys.readouterr().out)["target"] == "toy"
    assert call(["explain", f"{place}:6", "-t", "simt", *more]) == 2
    assert "belongs to a port for toy, not for simt" in capsys.readouterr().err


def test_a_file_that_no_source_is_beside(explain: Explain, tmp_path: Path) -> None:
    (tmp_path / "odd").write_text("cudaMalloc(&p, 4);\n")
    found = explain(tmp_path / "odd")
    assert [edit["before"] for edit in found["edits"]] == ["cudaMalloc"]


def test_lines_behind_an_inserted_header(explain: Explain, shop: Workshop) -> None:
    """The main header adds a line to the port. The next blank line is removed for it, if there is one."""
    texts = {
        "no_blank.cu": "int a;\n\n__global__ void k() {}\nint b;\n\nint c;\n",
        "blanks.cu": "#pragma once\nint a;\nint b;\n\nint c;\n\nint d;\n",
    }
    place = "aten/src/ATen/native/cuda/"
    write_files(shop.tree, {place + name: text for name, text in texts.items()})
    port = shop.port("out")
    for name, text in texts.items():
        upstream = text.splitlines()
        ported_place = port / "src" / place.replace("cuda", "toy") / name.replace(".cu", ".ty")
        ported = ported_place.read_text().splitlines()
        assert any("toy_runtime.h" in line for line in ported)
        for number, line in enumerate(ported, 1):
            found = explain(f"{ported_place}:{number}")["text"]
            assert found["ported"] == line
            assert found["upstream"] == (line if line in upstream else ""), (name, number)
        for number, line in enumerate(upstream, 1):
            found = explain(shop.tree / place / f"{name}:{number}")["text"]
            assert found["upstream"] == line
            assert found["ported"] in (line, "", "#include <toy_runtime.h>"), (name, number)
            if line:
                assert found["ported"] == line


def test_a_removed_blank_line_is_named(explain: Explain, shop: Workshop) -> None:
    """The edit that removes a blank line for the main header stands on this line alone, with its reason."""
    name = "aten/src/ATen/native/cuda/blanks.cu"
    write_files(shop.tree, {name: "#pragma once\nint a;\n\nint b;\n"})
    (removed,) = explain(shop.tree / f"{name}:3")["edits"]
    assert (removed["before"], removed["after"]) == ("\n", "")
    assert "blank line" in removed["why"]
    assert not explain(shop.tree / f"{name}:4")["edits"]
