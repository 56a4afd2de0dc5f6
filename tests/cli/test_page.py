"""`report.html`: written by `porter run`, made again by `porter report --html`."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from workshop import Workshop

from porter.cli.main import call

Text = pytest.CaptureFixture[str]
INJECTION = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    made = Workshop(tmp_path, page=True)
    (made.tree / "c10/cuda/More.cpp").write_text(
        "void f() {\n  cudaStrange(1);\n  cudaStrange(2);\n}\n"
    )
    return made


def block(page: str, name: str) -> Any:
    (data,) = re.findall(rf'id="{name}">([^<]*)</script>', page)
    return json.loads(zlib.decompress(base64.b64decode(data)))


def page_of(port: Path) -> str:
    return (port / "report.html").read_text(encoding="utf-8")


def test_a_run_writes_the_page_and_the_history(shop: Workshop, capsys: Text) -> None:
    port = shop.port("out")
    assert f"page    {port / 'report.html'}" in capsys.readouterr().out
    page = page_of(port)
    report = json.loads((port / "report.json").read_text())
    assert f"<dt>edits</dt><dd>{report['edits']}</dd>" in page
    assert "<dt>unmapped</dt><dd>2</dd>" in page
    assert 'data-word="cudaStrange"' in page and 'data-path="c10/toy/More.cpp"' in page
    assert "c10/toy/More.cpp: 2, 3" in page
    assert 'data-rule="cuda/runtime.yaml: family cuda([A-Z]\\w*)"' in page
    (run,) = map(json.loads, (port / "history.jsonl").read_text().splitlines())
    assert run["edits"] == report["edits"] and run["residue"] == report["residue"]


def test_the_page_contains_the_texts_with_their_edits(shop: Workshop) -> None:
    page = page_of(shop.port("out"))
    index = block(page, "files-index")
    path, to, chunk, number = next(file for file in index if file[0].endswith("CUDAMemory.cpp"))
    data = block(page, f"chunk-{chunk}")[number]
    assert (data["path"], data["to"]) == (path, to)
    assert "cudaMalloc(&p, n);" in data["u"]
    edit = next(place for place in data["e"] if place[6] == "toyMalloc")
    assert edit[:6] == [0, 4, 4, 1, 3, len("cudaMalloc")]
    assert edit[7][0][1] == "cuda/runtime.yaml:4"


def test_a_second_run_without_changes_keeps_the_page(shop: Workshop) -> None:
    port = shop.port("out")
    before = {name: (port / name).stat().st_mtime_ns for name in ("report.html", "history.jsonl")}
    shop.port("out")
    assert before == {name: (port / name).stat().st_mtime_ns for name in before}


def test_the_history_outlives_a_new_port(shop: Workshop) -> None:
    port = shop.port("out")
    (port / "history.jsonl").write_text('{"time": 1}\n' + (port / "history.jsonl").read_text())
    (shop.tree / "c10/cuda/New.cpp").write_text("int cudaNew;\n")
    shop.port("out")
    runs = [json.loads(line) for line in (port / "history.jsonl").read_text().splitlines()]
    assert [run["files"] for run in runs] == [4, 5]
    assert "<svg" in page_of(port) and "Last runs (2)" in page_of(port)


def test_no_page(shop: Workshop) -> None:
    assert shop.run("out", "--no-page") == 0
    port = shop.folder / "out/toy/2.6.0"
    assert not {"report.html", "history.jsonl"} & {path.name for path in port.iterdir()}


def test_report_makes_the_page_again(shop: Workshop, capsys: Text) -> None:
    port = shop.port("out")
    again = shop.folder / "again.html"
    options = ["--html", str(again), "--mappings", str(shop.mappings)]
    assert call(["report", str(port), *options]) == 0
    assert again.read_bytes() == (port / "report.html").read_bytes()
    # Without the source tree, the page has the ported texts only, and says so.
    shop.tree.rename(shop.folder / "moved")
    assert call(["report", str(port), *options]) == 0
    assert "The source tree is not available" in again.read_text()
    assert block(again.read_text(), "chunk-0")[0]["u"] == ""
    moved = ["--pytorch-src", str(shop.folder / "moved")]
    assert call(["report", str(port), *options, *moved]) == 0
    assert again.read_bytes() == (port / "report.html").read_bytes()


def test_a_file_changed_by_hand_is_shown_as_it_is(shop: Workshop) -> None:
    port = shop.port("out")
    shop.edit(port / "src/c10/toy/TOYMemory.cpp", "return p;", "return q;")
    again = shop.folder / "again.html"
    assert call(["report", str(port), "--html", str(again), "--mappings", str(shop.mappings)]) == 0
    texts = {file["to"]: file for file in block(again.read_text(), "chunk-0")}
    assert "  return q;" in texts["c10/toy/TOYMemory.cpp"]["c"]


def test_names_notes_and_texts_cannot_inject_a_script(shop: Workshop) -> None:
    odd = "c10/cuda/<img src=x onerror=alert(1)>\"'&.cpp"
    (shop.tree / odd).write_text(
        f'// {INJECTION}\x1b[31m\x07\nchar* s = "cudaOdd {INJECTION}";\nint cudaStrange;\n'
    )
    shop.edit(shop.mappings / "pytorch/names.yaml", "the code assumes 32 lanes", f"'{INJECTION}'")
    page = page_of(shop.port("out"))
    assert page.count("<script") == 1 + page.count('<script type="application/octet-stream"')
    assert "<img" not in page and "\x1b" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    texts = [file for file in block(page, "chunk-0") if file["path"] == odd]
    assert texts and INJECTION in texts[0]["u"]


def test_damaged_results_of_later_stages_are_left_out(shop: Workshop) -> None:
    port = shop.port("out")
    for name, content in {
        "build/result.json": '{"failed": 3, "built": [{}]',
        "register/ops.json": "[1]",
    }.items():
        (port / name).parent.mkdir(exist_ok=True)
        (port / name).write_text(content)
    again = shop.folder / "again.html"
    assert call(["report", str(port), "--html", str(again), "--mappings", str(shop.mappings)]) == 0
    (port / "build/result.json").write_text(
        '{"failed": [{"path": 3}, 4], "built": 7, "libraries": ["<b>"]}'
    )
    (port / "register/ops.json").write_text(
        '{"ops": [{"op": "add", "reason": "no kernel", "detail": "<b>"}, 3]}'
    )
    assert call(["report", str(port), "--html", str(again), "--mappings", str(shop.mappings)]) == 0
    assert "no kernel" in again.read_text() and "<td><b></td>" not in again.read_text()
