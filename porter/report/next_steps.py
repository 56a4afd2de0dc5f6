"""Next steps for a user after a port or a comparison of ports, in order of importance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from porter.model.drift import Drift
from porter.model.evidence import Evidence
from porter.model.rewrite_result import Reason
from porter.report.report_query import Report
from porter.report.tables import Line

SHOWN = 3
"""Largest number of steps in a list."""


class NextStep(NamedTuple):
    """One task, with the command with which the user begins."""

    text: str
    command: str


def of_port(report: Report, build: Mapping[str, Any] | None = None) -> list[NextStep]:
    """At most `SHOWN` steps after a port. `build` is the content of `build/result.json`; None without a build."""
    target, release = report.data["target"], report.data["release"]
    steps = [
        *_failures(build),
        *_left_out(build),
        *_words(report),
        *_rules(report),
        *_doubts(report),
    ]
    if build is None:
        steps.append(
            NextStep("Build the backend.", f"porter run --pytorch-src DIR --target {target}")
        )
    else:
        steps.append(
            NextStep("Compare the operators with the CPU.", f"porter verify --target {target}")
        )
    steps.append(
        NextStep(
            "List the work for the next release.",
            f"porter upgrade {release} RELEASE --target {target}",
        )
    )
    return steps[:SHOWN]


def of_drift(drift: Drift) -> list[NextStep]:
    """At most `SHOWN` steps for the differences between two ports, `a` and `b`; none for equal ports."""
    steps = []
    for reason in (Reason.UNMAPPED, Reason.AMBIGUOUS):
        words = [word for word in drift.residue.get(reason, ()) if word.after > word.before]
        if words:
            worst = max(words, key=lambda word: word.after - word.before)
            count = "1 word is" if len(words) == 1 else f"{len(words)} words are"
            text = (
                f"{count} {reason} more often in b: {worst.name} ({worst.before} -> {worst.after})."
            )
            steps.append(NextStep(text, f"porter explain {worst.name}"))
    stopped = [rule for rule in drift.rules if not rule.after]
    if stopped:
        rule = max(stopped, key=lambda one: one.before)
        text = (
            f"{_many(len(stopped), 'rule')} not match in b: {rule.rule} ({rule.before} hits in a)."
        )
        steps.append(NextStep(text, "porter mapping check"))
    for name, files in drift.hazards.items():
        more = sum(max(0, file.after - file.before) for file in files)
        if more:
            worst_file = max(files, key=lambda file: file.after - file.before).name
            text = f"Review {more} more places of {name}, which compile and may be wrong: {worst_file}."
            steps.append(NextStep(text, f"porter explain {worst_file}"))
    if drift.changed and not steps:
        count = (
            "1 changed file" if len(drift.changed) == 1 else f"{len(drift.changed)} changed files"
        )
        text = f"Read the differences of {count}."
        steps.append(NextStep(text, "porter diff A B --html diff.html"))
    return steps[:SHOWN]


def lines(steps: Sequence[NextStep]) -> Iterator[Line]:
    """Lines for a terminal; no lines if there is nothing to do."""
    if steps:
        yield Line("")
        yield Line("Next", "bold")
    for number, step in enumerate(steps, start=1):
        yield Line(f"  {number}. {step.text}")
        yield Line(f"     {step.command}", "cyan")


def _failures(build: Mapping[str, Any] | None) -> Iterator[NextStep]:
    failed = build.get("failed") if build else None
    if isinstance(failed, list) and failed and isinstance(failed[0], dict):
        first = failed[0].get("place") or failed[0].get("path")
        yield NextStep(
            f"{_many(len(failed), 'source')} not compile: {first}.", f"porter explain {first}"
        )


def _left_out(build: Mapping[str, Any] | None) -> Iterator[NextStep]:
    left_out = build.get("left_out") if build else None
    if isinstance(left_out, list) and left_out and isinstance(left_out[0], dict):
        first = left_out[0]
        count = "1 source is" if len(left_out) == 1 else f"{len(left_out)} sources are"
        text = f"{count} left out of the libraries: {first.get('path')} {first.get('reason')}."
        yield NextStep(text, "porter report DIR")


def _words(report: Report) -> Iterator[NextStep]:
    for reason, verb in ((Reason.UNMAPPED, "Add rules for"), (Reason.AMBIGUOUS, "Decide")):
        words = report.words.get(reason, ())
        if words:
            places = report.data["residue"][reason]
            count = "1 word" if len(words) == 1 else f"{len(words)} words"
            text = f"{verb} {count} that {_is(len(words))} {reason} ({places} places): {words[0].name} first."
            yield NextStep(text, f"porter explain {words[0].first}")


def _rules(report: Report) -> Iterator[NextStep]:
    below = report.data["rules"]["below_expectation"]
    if below:
        first = below[0]
        text = f"{_many(len(below), 'rule')} not match as often as expected: {first['key']} ({first['origin']})."
        yield NextStep(text, "porter mapping check")


def _doubts(report: Report) -> Iterator[NextStep]:
    guessed = [one for one in report.names if one.evidence is Evidence.GUESSED]
    if guessed:
        count = "1 guessed name" if len(guessed) == 1 else f"{len(guessed)} guessed names"
        yield NextStep(
            f"Check {count} against the SDK: {guessed[0].name} -> {guessed[0].becomes} first.",
            "porter run --sdk DIR --require seen",
        )
    hazards = sorted(report.data["hazards"], key=lambda one: -one["count"])
    if hazards:
        worst = hazards[0]
        places = "1 place" if worst["count"] == 1 else f"{worst['count']} places"
        text = f"Review {places} of {worst['name']}, which compile and may be wrong."
        yield NextStep(text, f"porter explain {worst['first']}")


def _many(count: int, noun: str) -> str:
    return f"1 {noun} does" if count == 1 else f"{count} {noun}s do"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
