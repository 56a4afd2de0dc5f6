"""Files of unknown origin: each command that reads one ends in a documented way, and does nothing else.

Every field of a real file takes hostile values in turn. No case may end in a traceback, in an undocumented exit code,
in a hang, in the execution of anything, or in a file written or removed outside the output folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import hostile
import pytest
import yaml
from workshop import Workshop

from porter.base import disk_cache
from porter.cli.main import call
from porter.mapping import rule_cache
from porter.model.lock import to_text
from porter.model.verify import Case, CheckResult, Setting
from porter.port.output import lock_path, read
from porter.verify.results import Journal

DOCUMENTED = {0, 1, 2, 3, 4, 7}
"""Documented exit codes for files of unknown origin; 70 is an internal error."""
_CHANGED = ("out", "locks", "mappings", "cache")
"""Folders of the workshop that a case may change."""
_PATIENCE = 30
"""Time limit of a case in seconds."""


@dataclass
class Site:
    """Port with all files that commands read, a place that must not be touched, and a file that only execution of
    data creates.
    """

    shop: Workshop
    outside: Path
    canary: Path

    @property
    def port(self) -> Path:
        return self.shop.folder / "out" / "toy" / "2.6.0"

    @property
    def lock(self) -> Path:
        return lock_path(self.shop.folder / "locks", "toy", "2.6.0")

    @property
    def results(self) -> Path:
        return self.shop.folder / "out" / "toy" / "2.6.0" / "verify" / "results.jsonl"

    def mappings(self) -> list[str]:
        return ["--target", "toy", "--mappings", str(self.shop.mappings)]

    def commands(self, *names: str) -> dict[str, Callable[[], int]]:
        out = str(self.shop.folder / "out")
        upstream = ["--pytorch-src", str(self.shop.tree)]
        memory = "c10/toy/TOYMemory.cpp"
        regenerated = ["--mappings", str(self.shop.mappings), "--locks", str(self.lock.parent)]
        every: dict[str, Callable[[], int]] = {
            "run": lambda: self.shop.run("out"),
            "run --force": lambda: self.shop.run("out", "--force"),
            "report": lambda: call(["report", str(self.port)]),
            "report --json": lambda: call(["report", str(self.port), "--json"]),
            "diff": lambda: call(["diff", str(self.port), str(self.lock)]),
            "diff results": lambda: call(["diff", str(self.results), str(self.results)]),
            "explain": lambda: call(["explain", memory, "--out", out, *self.mappings()]),
            "explain place": lambda: call(
                ["explain", f"{self.port}/src/{memory}:3", *upstream, *self.mappings()]
            ),
            "doctor": lambda: call(["doctor", "--out", out, *self.mappings()]),
            "check": lambda: call(["mapping", "check", *self.mappings()]),
            "show": lambda: call(["mapping", "show", "cudaMalloc", *self.mappings()]),
            "coverage": lambda: call(["mapping", "coverage", *self.mappings()]),
            "targets": lambda: call(["target", "list", "--mappings", str(self.shop.mappings)]),
            "regenerate": lambda: call(
                ["regenerate", *regenerated, "--target", "toy", "--release", "2.6.0", "-j", "1"]
            ),
        }
        return {name: every[name] for name in names}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Site; the port is made once, and every case begins with a copy."""
    outside, shop = tmp_path / "outside", Workshop(tmp_path / "shop")
    outside.mkdir()
    (outside / "file").write_text("mine\n")
    (outside / "file.h").write_text("mine\n")
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path / "shop" / "cache"))
    monkeypatch.setenv("PORTER_TREES", f"2.6.0={shop.tree}")
    made = Site(shop, outside, tmp_path / "canary")
    shop.port("out")
    made.lock.parent.mkdir()
    made.lock.write_text(to_text(read(made.port).lock), encoding="utf-8")
    journal = Journal(made.results.parent, Setting("torch_toy", "2.6.0", "b", "s", 2))
    journal.add(CheckResult(Case("abs", "float32", "forward"), "fail", "wrong", 0.5))
    journal.close()
    (shop.mappings / "budget.yaml").write_text("toy:\n  2.6.0: {unmapped: 0, ambiguous: 0}\n")
    return made


def _stop(number: int, frame: FrameType | None) -> None:
    raise AssertionError(f"a case took more than {_PATIENCE} s")


@contextlib.contextmanager
def patience() -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, _stop)
    signal.alarm(_PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def state_of(folder: Path) -> dict[str, str]:
    """Every path below a folder, with a digest of its content."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in sorted(folder.rglob("*"))
    }


class Cases:
    """Runs commands on changed copies of a site and collects violations."""

    def __init__(self, site: Site, capfd: pytest.CaptureFixture[str]) -> None:
        self.site, self.capfd = site, capfd
        self.original = site.shop.folder.with_name("original")
        for name in _CHANGED:
            shutil.copytree(site.shop.folder / name, self.original / name, symlinks=True)
        self.kept = (state_of(site.outside), state_of(site.shop.tree))
        self.tried = 0
        self.wrong: list[str] = []

    def run(
        self, what: str, change: Callable[[], None], commands: dict[str, Callable[[], int]]
    ) -> None:
        """Run each command on its own copy of the site, with one change."""
        for name, command in commands.items():
            for folder in _CHANGED:
                shutil.rmtree(self.site.shop.folder / folder)
                shutil.copytree(
                    self.original / folder, self.site.shop.folder / folder, symlinks=True
                )
            change()
            self.capfd.readouterr()
            self.tried += 1
            try:
                with patience():
                    code: object = command()
            except BaseException as error:  # of any kind: none may leave a command
                code = f"{type(error).__name__}: {error}"
            said = "".join(self.capfd.readouterr())
            problems = []
            if code not in DOCUMENTED:
                problems.append(f"ended with {code}")
            if "Traceback" in said:
                problems.append("a traceback")
            if code not in (0, 1) and "error: " not in said:
                problems.append("no error is told")
            if self.site.canary.exists():
                problems.append("executed something")
                self.site.canary.unlink()
            if (state_of(self.site.outside), state_of(self.site.shop.tree)) != self.kept:
                problems.append("wrote outside")
            if problems:
                self.wrong.append(f"{name}, {what}: {', '.join(problems)}\n{said[-300:]}")

    def done(self, least: int) -> None:
        """Fail with all violations; `least` is the minimum number of cases."""
        shutil.rmtree(self.original)
        assert not self.wrong, f"{len(self.wrong)} of {self.tried}:\n" + "\n".join(self.wrong[:12])
        assert self.tried >= least


@pytest.fixture
def cases(site: Site, capfd: pytest.CaptureFixture[str]) -> Cases:
    return Cases(site, capfd)


def dumped(document: Any) -> bytes:
    return json.dumps(document).encode()


READERS = {
    "manifest": ("run", "run --force", "report", "diff", "explain", "explain place", "doctor"),
    "state": ("run", "run --force", "explain"),
    "report": ("report", "report --json"),
    "lock": ("diff", "regenerate"),
}


def _place(site: Site, kind: str) -> Path:
    return {
        "manifest": site.port / "manifest.json",
        "state": site.port / ".state.json",
        "report": site.port / "report.json",
        "lock": site.lock,
        "results": site.results,
        "mapping": site.shop.mappings / "toy" / "launch.yaml",
        "profile": site.shop.mappings / "toy" / "target.yaml",
        "budget": site.shop.mappings / "budget.yaml",
        "selection": site.shop.mappings / "pytorch" / "selection.yaml",
        "inventory": site.shop.mappings / "cuda" / "inventory.json",
    }[kind]


@pytest.mark.parametrize("kind", READERS)
def test_every_field_of_a_file_in_an_output_folder(site: Site, cases: Cases, kind: str) -> None:
    place = _place(site, kind)
    document = json.loads(place.read_bytes())
    commands = site.commands(*READERS[kind])
    manifest = place.with_name("manifest.json")
    for what, made in hostile.changed(document, hostile.values(site.canary, site.outside), 2):

        def change(made: Any = made) -> None:
            place.write_bytes(dumped(made))
            state = place.with_name(".state.json")
            if kind == "manifest":
                # As a forger would: the state vouches for the manifest.
                told = json.loads(state.read_bytes())
                told["manifest"] = hashlib.sha256(manifest.read_bytes()).hexdigest()
                state.write_bytes(dumped(told))

        cases.run(f"{kind} {what}", change, commands)
    cases.done(least=40)


@pytest.mark.parametrize("line", [0, 1])
def test_every_field_of_results(site: Site, cases: Cases, line: int) -> None:
    lines = [json.loads(text) for text in site.results.read_text().splitlines()]
    for what, made in hostile.changed(lines[line], hostile.values(site.canary, site.outside), 6):

        def change(made: Any = made) -> None:
            texts = [json.dumps(made if n == line else one) for n, one in enumerate(lines)]
            site.results.write_text("\n".join(texts))

        cases.run(f"results {what}", change, site.commands("diff results"))
    cases.done(least=7)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("mapping", ("check", "run")),
        ("profile", ("check", "run", "targets")),
        ("budget", ("check", "run")),
        ("selection", ("check", "run")),
        ("inventory", ("check", "coverage")),
    ],
)
def test_every_field_of_a_mapping(
    site: Site, cases: Cases, kind: str, names: tuple[str, ...]
) -> None:
    place = _place(site, kind)
    document = yaml.safe_load(place.read_text(encoding="utf-8"))
    for what, made in hostile.changed(document, hostile.values(site.canary, site.outside), 1):

        def change(made: Any = made) -> None:
            place.write_bytes(dumped(made))

        cases.run(f"{kind} {what}", change, site.commands(*names))
    cases.done(least=10)


CONTENTS = {
    "manifest": READERS["manifest"],
    "state": READERS["state"],
    "report": READERS["report"],
    "lock": ("diff", "regenerate"),
    "results": ("diff results",),
    "mapping": ("check", "run", "show"),
    "profile": ("check", "run", "targets"),
    "budget": ("check", "run"),
    "inventory": ("check", "run", "coverage"),
}


@pytest.mark.parametrize("kind", CONTENTS)
def test_something_else_in_the_place_of_a_file(site: Site, cases: Cases, kind: str) -> None:
    place = _place(site, kind)
    commands = site.commands(*CONTENTS[kind])
    for what, raw in hostile.raw_texts(site.canary).items():
        cases.run(f"{kind}: {what}", lambda raw=raw: place.write_bytes(raw) and None, commands)  # type: ignore[misc]
    for what, put in hostile.special_files(place, site.outside):

        def change(put: Callable[[], None] = put) -> None:
            place.unlink()
            put()

        cases.run(f"{kind}: {what}", change, commands)
    cases.done(least=15)


@pytest.mark.parametrize(
    "name",
    ["src", "src/c10", "src/c10/toy", "backend", "register", "build", "package", "verify"],
)
def test_a_link_in_the_place_of_a_folder(site: Site, cases: Cases, name: str) -> None:
    place = site.port / name

    def change() -> None:
        if place.exists():
            shutil.rmtree(place)
        place.symlink_to(site.outside, target_is_directory=True)

    cases.run(name, change, site.commands("run", "run --force", "diff", "report", "explain"))
    cases.done(least=5)


@pytest.mark.parametrize("name", [".2.6.0.lock", ".2.6.0.staging", ".2.6.0.previous"])
@pytest.mark.parametrize("kind", ["link to a file", "link to a folder", "fifo", "folder"])
def test_what_lies_beside_an_output_folder(site: Site, cases: Cases, name: str, kind: str) -> None:
    place = site.port.with_name(name)

    def change() -> None:
        place.unlink(missing_ok=True)
        if kind == "fifo":
            os.mkfifo(place)
        elif kind == "folder":
            place.mkdir()
        else:
            place.symlink_to(site.outside / ("file" if kind == "link to a file" else ""))

    cases.run(f"{name} {kind}", change, site.commands("run"))
    cases.done(least=1)


def test_every_field_of_a_cached_rule_set(site: Site, cases: Cases) -> None:
    (entry,) = (site.shop.folder / "cache" / "rules").iterdir()
    body = json.loads(entry.read_bytes().partition(b"\n")[2])
    for number, value in enumerate(hostile.values(site.canary, site.outside)):
        made = [value if at == number % len(body) else one for at, one in enumerate(body)]
        cases.run(
            f"column {number % len(body)} {value!r:.40}",
            lambda made=made: disk_cache.put(rule_cache.RULES, entry.stem, made),  # type: ignore[misc]
            site.commands("run"),
        )
    for what, raw in hostile.raw_texts(site.canary).items():
        digest = hashlib.sha256(raw).hexdigest().encode()
        for text in (raw, digest + b"\n" + raw):
            cases.run(
                f"cache: {what}",
                lambda text=text: entry.write_bytes(text) and None,  # type: ignore[misc]
                site.commands("run", "show"),
            )
    for what, put in hostile.special_files(entry, site.outside):

        def change(put: Callable[[], None] = put) -> None:
            entry.unlink()
            put()

        cases.run(f"cache: {what}", change, site.commands("run"))
    cases.done(least=80)


def test_a_state_that_names_a_file_as_its_rule_set(site: Site, cases: Cases) -> None:
    """The name must be a key of the cache: an absolute path would override the cache's folder."""
    evil = site.outside / "evil.pickle"
    evil.write_bytes(hostile.raw_texts(site.canary)["a pickle"])
    cases.kept = (state_of(site.outside), state_of(site.shop.tree))
    state = _place(site, "state")
    for name in (str(evil), str(evil)[:-7], f"../../outside/{evil.stem}", "0" * 64):

        def change(name: str = name) -> None:
            told = json.loads(state.read_bytes())
            told["rules"] = f"{name} {told['rules'].partition(' ')[2]}"
            state.write_bytes(dumped(told))
            (site.shop.mappings / "toy" / "more.yaml").write_text("area: runtime\nrules: []\n")

        cases.run(name, change, site.commands("run", "explain"))
    cases.done(least=8)
