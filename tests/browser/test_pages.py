"""Pages of reports in a browser."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import page_results
import pytest
from browser_tab import Tab
from playwright.sync_api import Browser
from workshop import Workshop

from porter.cli.main import call
from porter.mapping.expected_failures import explain
from porter.model.upgrade import Change, ComparedTree, Effect, Subject, Upgrade, UpgradeRow
from porter.model.verify import Case, CheckResult
from porter.report import device_tests, verification
from porter.report.pages import upgrade_page, verification_page

pytestmark = pytest.mark.slow

INJECTION = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
LINES = 100_000
PHONE = {"viewport": {"width": 390, "height": 800}}
DARK = {"color_scheme": "dark"}
CONTRAST = """\
() => {
  const channel = v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
  const numbers = text => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const over = (top, under) => top.slice(0, 3).map((v, i) => v * top[3] + under[i] * (1 - top[3]));
  const paper = element => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.push(numbers(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  const bad = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility() || element.closest('script, style, noscript')) continue;
    const [a, b] = [light(numbers(getComputedStyle(element).color)), light(paper(element))].sort((x, y) => y - x);
    const contrast = (a + .05) / (b + .05);
    if (contrast < 4.5) bad.push(`${element.className} ${node.data.slice(0, 30)} ${contrast.toFixed(2)}`);
  }
  return bad.slice(0, 5);
}
"""
"""Texts whose contrast is below WCAG's level AA."""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Page of a port with an injection in a name, a note and a text, and with a very long file."""
    shop = Workshop(tmp_path_factory.mktemp("page"), page=True)
    folder = shop.tree / "c10/cuda"
    (folder / "<img src=x onerror=alert(1)>.cpp").write_text(
        f'// {INJECTION}\x1b[31m\nint cudaStrange; char* s = "cuda";\n'
    )
    (folder / "Long.cpp").write_text(
        "".join(f"int v{n} = {n};\n" for n in range(1, LINES)) + "cudaFree(p);\n"
    )
    shop.edit(shop.mappings / "pytorch/names.yaml", "the code assumes 32 lanes", f"'{INJECTION}'")
    made = shop.port("out")
    (shop.tree / "c10/cuda/More.cpp").write_text("void f() { cudaOdd(); }\n")
    return shop.port("out") and made / "report.html"


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    done, explained = page_results.results(120, INJECTION)
    counts = verification.counts(done.results.values())
    again = partial(verification.reproducer, target="toy")
    place = tmp_path_factory.mktemp("page") / "verify.html"
    place.write_text(verification_page.render("porter verify", done, explained, counts, again))
    return place


@pytest.fixture(scope="module")
def upgrade(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = ComparedTree("2.6.0", "a", True)
    row = UpgradeRow(
        Subject.SCHEMA, Change.CHANGED, Effect.INFORMS, "", "f()", INJECTION, "a.yaml:3", "edit"
    )
    effects = [Effect.BREAKS, Effect.CHECK, *[Effect.INFORMS] * 20]
    rows = tuple(row._replace(name=f"op{n}", effect=effect) for n, effect in enumerate(effects))
    place = tmp_path_factory.mktemp("page") / "upgrade.html"
    place.write_text(
        upgrade_page.render(
            Upgrade(tree, tree._replace(release="2.7.1"), "toy", rows, ("nothing",))
        )
    )
    return place


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Page of findings in a mapping file with an injection in a name and in an example."""
    shop = Workshop(tmp_path_factory.mktemp("page"))
    rules = shop.mappings / "cuda/runtime.yaml"
    odd = f"{{name: cudaOdd, replace: toyOdd, example: {{before: cudaOdd, after: '{INJECTION}'}}}}"
    rules.write_text(f"{rules.read_text()}\n  - {odd}\n  - {{name: cudaOdd, replace: toyOther}}\n")
    place = shop.mappings.parent / "check.html"
    command = ["mapping", "check", "--target", "toy", "--mappings", str(shop.mappings)]
    assert call([*command, "--html", str(place)]) == 3
    return place


@pytest.fixture(params=["port", "verified", "upgrade", "checked"])
def every(request: pytest.FixtureRequest) -> Path:
    place: Path = request.getfixturevalue(request.param)
    return place


@pytest.mark.parametrize("tab", [{}, DARK, PHONE], ids=["light", "dark", "phone"], indirect=True)
def test_every_section_opens_with_contrast_and_without_overflow(tab: Tab, every: Path) -> None:
    tab.open(every)
    for number, link in enumerate(tab.page.query_selector_all("nav a"), start=1):
        wanted = str(link.get_attribute("href"))
        tab.page.keyboard.press(str(number))
        tab.page.wait_for_selector(f"nav a[aria-current][href='{wanted}']")
        assert f"#{tab.shown()}" == wanted
        assert tab.page.evaluate(CONTRAST) == [], wanted
        assert tab.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), wanted


def test_no_text_becomes_an_element(tab: Tab, every: Path) -> None:
    tab.open(every)
    assert tab.page.locator("main img, main script").count() == 0


def test_side_by_side(tab: Tab, port: Path) -> None:
    tab.open(port, "#files")
    tab.page.click("text=expand all")
    tab.page.click("td[data-path='c10/toy/TOYMemory.cpp'] a")
    row = tab.page.locator(".row", has_text="Malloc")
    assert row.locator("code.old").inner_text() == "  cudaMalloc(&p, n);"
    assert row.locator("code.new").inner_text() == "  toyMalloc(&p, n);"
    row.locator("code.new mark.edit").click()
    assert "cuda/runtime.yaml:4" in tab.page.inner_text(".details")
    tab.page.click(".details a")
    assert tab.shown() == "rules"
    assert "cuda([A-Z]" in tab.page.inner_text("tr.found")
    tab.page.go_back()
    tab.page.wait_for_selector(".row >> visible=true")
    tab.page.keyboard.press("n")
    tab.page.keyboard.press("n")
    assert tab.page.locator(".row.at").count() == 1
    tab.page.keyboard.press("]")
    tab.page.wait_for_selector("#file h2:not(:text-is('c10/toy/TOYMemory.cpp'))")


def test_links_to_elements_open_their_section(tab: Tab, verified: Path) -> None:
    tab.open(verified, "#matrix")
    assert tab.shown() == "operators"
    tab.go("#main")
    assert tab.shown() == "operators"


def test_links_to_lines_words_and_unknown_places(tab: Tab, port: Path) -> None:
    tab.open(port, "#file=c10/cuda/CUDAMemory.cpp:u4")
    assert tab.page.inner_text(".row.at code.old") == "  cudaMalloc(&p, n);"
    tab.go("#word=cudaStrange")
    assert "cudaStrange" in tab.page.inner_text("tr.found")
    tab.go("#file=no/such")
    tab.page.wait_for_selector("text=The port has no such file")
    for link in ("#file=%", "#rule=%zz", "#nothing", "#op=none", "#constructor=1"):
        tab.go(link)
    tab.page.wait_for_timeout(50)


def test_a_long_file_opens_at_its_last_line(tab: Tab, port: Path) -> None:
    tab.open(port, f"#file=c10/toy/Long.cpp:{LINES}")
    assert tab.page.inner_text(".row.at code.new") == "toyFree(p);"
    assert tab.page.locator(".row").count() < 2000


def test_control_characters_are_visible(tab: Tab, port: Path) -> None:
    tab.open(port)
    tab.page.evaluate("loadFiles()")
    name = tab.page.evaluate("files.find(file => file[0].includes('onerror'))[1]")
    tab.go(tab.page.evaluate("name => linkTo('file', name)", name))
    assert INJECTION + "\\u001b[31m" in tab.page.inner_text(".row:first-child code.new >> nth=0")


def test_search_by_keys(tab: Tab, port: Path) -> None:
    tab.open(port)
    tab.page.wait_for_selector("html[data-searchable]")
    tab.page.keyboard.press("/")
    tab.page.keyboard.type("toymalloc(&p")
    tab.page.keyboard.press("ArrowDown")
    assert (
        tab.page.get_attribute("#results [aria-selected=true]", "data-link")
        == "#file=c10/toy/TOYMemory.cpp:4"
    )
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_selector(".row.at")
    tab.page.fill("#search", "nothing has this text")
    assert tab.page.inner_text("#results") == "nothing found"
    tab.page.keyboard.press("Escape")
    assert not tab.page.is_visible("#results")


def test_filters_and_sorting(tab: Tab, port: Path) -> None:
    tab.open(port, "#files")
    tab.page.fill("#files input[type=search]", "memory")
    assert tab.page.locator("#files tbody tr >> visible=true").count() == 1
    tab.page.fill("#files input[type=search]", "")
    tab.page.select_option("#files select", label="with: to decide")
    assert "of 6 files" in tab.page.inner_text("#files output")
    tab.go("#names")
    tab.page.click("#names th button:text('places')")
    assert tab.page.get_attribute("#names th[aria-sort]", "aria-sort") == "descending"


def test_theme_is_kept(tab: Tab, port: Path) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    before = tab.open(port).page.evaluate(paper)
    tab.page.keyboard.press("t")
    dark = tab.page.evaluate(paper)
    assert dark != before
    tab.page.reload()
    tab.page.wait_for_selector("html[data-ready]")
    assert tab.page.evaluate(paper) == dark
    tab.page.keyboard.press("?")
    assert tab.page.is_visible("#help")


def test_matrix(tab: Tab, verified: Path) -> None:
    tab.open(verified, "#operators")
    assert tab.page.locator(".matrix tbody tr").count() == 100
    tab.page.select_option("select[aria-label=status]", "crash")
    assert tab.page.locator(".matrix tbody tr").count() == 1
    assert tab.page.inner_text(".matrix td.crash") == "!"
    tab.page.click(".matrix tbody th button")
    assert "porter verify --target toy --ops 'op_7' --dtypes int8" in tab.page.inner_text(
        ".details"
    )
    tab.go("#op=op_11")
    tab.page.wait_for_selector("tr.found")
    assert "expected: tolerance: the <b>sum</b> differs" in tab.page.inner_text(".details")
    tab.page.fill("input[aria-label=operator]", "op_1")
    assert "of 120 operators" in tab.page.inner_text("#matrix output")


def test_matrix_of_tests(tab: Tab, tmp_path: Path) -> None:
    done, _ = page_results.results(3)
    case = Case("test_nn.py::TestNN", "", "test_conv_toy_float32")
    made = {
        one: CheckResult(one, status, "why", 0.1)
        for one, status in ((case, "fail"), (case._replace(check="test_add_toy"), "pass"))
    }
    done = done._replace(results=made)
    explained = explain(made.values(), ())
    counts = device_tests.counts(made.values())
    again = partial(device_tests.reproducer, target="toy", tree=Path("pytorch"))
    place = tmp_path / "tests.html"
    place.write_text(
        verification_page.render("porter device-tests", done, explained, counts, again)
    )
    tab.open(place, "#op=test_nn.py::TestNN")
    assert tab.page.inner_text(".matrix tr.found").split() == ["test_nn.py::TestNN", "1", "1"]
    assert "--tests 'TestNN::test_conv_toy_float32'" in tab.page.inner_text(".details")


def test_findings_in_mappings_have_the_line_of_the_rule(tab: Tab, checked: Path) -> None:
    tab.open(checked, "#check-example")
    row = tab.page.inner_text("#check-example tbody tr")
    assert "cuda/runtime.yaml:" in row and f"after: '{INJECTION}'" in row
    tab.page.check("#check-example td input")
    tab.go("#overview")
    assert tab.page.inner_text("#work-progress").startswith("1 of ")


def test_ticks_are_kept(tab: Tab, upgrade: Path) -> None:
    tab.open(upgrade, "#schema")
    tab.page.check("td[data-row=op1] input")
    tab.page.reload()
    tab.page.wait_for_selector("html[data-ready]")
    assert tab.page.is_checked("td[data-row=op1] input")
    tab.go("#overview")
    assert tab.page.inner_text("#work-progress").startswith("1 of 22 rows done")


def test_without_script_and_on_paper(browser: Browser, port: Path, verified: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"file://{port}")
    for text in (
        "cudaStrange",
        "Overview",
        "c10/toy/TOYMemory.cpp",
    ):
        assert page.locator(f"text={text} >> visible=true").count()
    page.emulate_media(media="print")
    assert not page.is_visible("nav")
    page.goto(f"file://{verified}")
    assert page.locator("#unexplained td >> visible=true").count()
    context.close()


@pytest.mark.release
def test_the_page_of_a_release(tab: Tab, releases: dict[str, Path], tmp_path: Path) -> None:
    out = ["--out", str(tmp_path), "-t", "simt", "--until", "port"]
    assert call(["run", "--pytorch-src", str(releases["2.6.0"]), *out]) == 0
    place = tmp_path / "simt/2.6.0/report.html"
    assert place.stat().st_size < 5_000_000
    tab.open(place)
    tab.page.wait_for_selector("html[data-searchable]")
    spent = []
    for text in ("stream", "cudaMalloc", "return", "simtstream_t", "blas gemm"):
        tab.page.fill("#search", text)
        spent.append(float(str(tab.page.get_attribute("#results", "data-ms"))))
        assert tab.page.locator("#results [role=option]").count()
    assert sorted(spent)[len(spent) // 2] < 100, spent
    tab.page.keyboard.press("Escape")
    tab.go("#file=aten/src/ATen/native/cuda/Blas.cpp")
    tab.page.wait_for_selector(".row")
    tab.page.keyboard.press("n")
    tab.page.wait_for_selector(".details")
