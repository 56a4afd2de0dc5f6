"""Pages of verifications, differences and upgrades: complete, escaped, and with the figures of the JSON documents."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

import page_results

from porter.model.drift import CountPair, Drift, DriftCause, FileDrift, RuleDrift
from porter.model.lock import LockedFile
from porter.model.rewrite_result import Reason
from porter.model.verify import CHECKS
from porter.report import next_steps, verification, verification_diff
from porter.report.pages import drift_page, verification_page

INJECTION = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


def block(page: str, name: str) -> Any:
    (data,) = re.findall(rf'id="{name}">([^<]*)</script>', page)
    return json.loads(zlib.decompress(base64.b64decode(data)))


def verified(operators: int, note: str = "note") -> tuple[str, dict[str, Any]]:
    """Page and JSON document of made-up results."""
    done, explained = page_results.results(operators, note)
    counts = verification.counts(done.results.values())

    def again(result: Any) -> str:
        return verification.reproducer(result, "toy")

    page = verification_page.render("porter verify", done, explained, counts, again)
    return page, verification.document(done, explained, counts, again)


def test_the_matrix_has_every_result_of_the_document() -> None:
    page, document = verified(12)
    data = block(page, "results-data")

    def note(index: int) -> str | None:
        return data["notes"][index] if index >= 0 else None

    found = [
        (
            data["ops"][op],
            data["dtypes"][dtype],
            data["checks"][check],
            data["statuses"][status],
            note(text) or "",
            note(again),
        )
        for op, dtype, check, status, text, _, again in data["rows"]
    ]
    wanted = [
        (one["op"], one["dtype"], one["check"], one["status"], one["note"], one.get("again"))
        for one in document["results"]
    ]
    assert found == wanted
    reasons = {note(row[5]) for row in data["rows"]} - {None}
    assert reasons == {"tolerance: the <b>sum</b> differs (toy/verify.yaml:3)"}


def test_failures_are_readable_without_script() -> None:
    page, _ = verified(12, INJECTION)
    assert "Unexplained failures (1)" in page and "op_7" in page
    assert (
        "porter verify --target toy --ops &#x27;op_7&#x27; --dtypes int8 --checks empty --again all"
        in page
    )
    assert "the &lt;b&gt;sum&lt;/b&gt; differs" in page
    assert "<img" not in page and "alert(1)&lt;/script&gt;" in page


def test_a_full_verification_stays_small() -> None:
    page, document = verified(400)
    assert len(document["results"]) == 400 * len(page_results.DTYPES) * len(CHECKS)
    assert len(page) < 1_000_000


def test_differences_of_results() -> None:
    (before, _), (after, _) = page_results.results(12), page_results.results(15)
    broken = {
        case: result._replace(status="fail", note=INJECTION) if case.op == "op_3" else result
        for case, result in after.results.items()
    }
    compared = verification_diff.compare((before.setting, before.results), (after.setting, broken))
    page = drift_page.render_results(compared, ("a.jsonl", "b.jsonl"))
    assert f"broke ({len(compared.worse)})" in page and "op_3" in page and "<img" not in page


def drift() -> Drift:
    file = LockedFile("c10/cuda/A.cpp", "c10/toy/A.cpp", "0" * 64, "1" * 64, 3)
    text = f"--- a/A.cpp\n+++ b/A.cpp\n@@ -1 +1 @@\n-cuda {INJECTION}\n+toy\n"
    return Drift(
        ("toy", "toy"),
        ("2.6.0", "2.7.1"),
        (CountPair("files", 1, 2), CountPair("edits", 3, 4)),
        added=(LockedFile("c10/cuda/B.cpp", "c10/toy/B.cpp", "2" * 64, "3" * 64, 0),),
        changed=(
            FileDrift(
                file,
                LockedFile(file.path, file.to, "4" * 64, "5" * 64, 4),
                DriftCause.UPSTREAM,
                text,
            ),
        ),
        rules=(RuleDrift(f"key {INJECTION}", 3, 0),),
        residue={Reason.UNMAPPED: (CountPair("cudaNew", 0, 2, "c10/toy/B.cpp:1"),)},
        hazards={"warp_size": (CountPair("c10/toy/A.cpp", 0, 1),)},
    )


def test_differences_of_ports() -> None:
    page = drift_page.render(drift(), ("a", "b"))
    assert "<dt>rules that stopped matching</dt><dd>1</dd>" in page
    assert (
        "Left, new in b: unmapped (1)" in page
        and "Files changed (1)" in page
        and "warp_size" in page
    )
    assert 'data-text="c10/toy/A.cpp"' in page and "<img" not in page
    assert "+toy" in block(page, "texts-data")["c10/toy/A.cpp"]


def test_things_to_do_about_differences() -> None:
    steps = next_steps.of_drift(drift())
    assert [step.command for step in steps] == [
        "porter explain cudaNew",
        "porter mapping check",
        "porter explain c10/toy/A.cpp",
    ]
    assert [line.text for line in next_steps.lines(steps)][:2] == ["", "Next"]
    assert steps[0].text == "1 word is unmapped more often in b: cudaNew (0 -> 2)."


def test_equal_ports() -> None:
    page = drift_page.render(Drift(("toy", "toy"), ("2.6.0", "2.6.0"), ()), ("a", "b"))
    assert "Both ports are equal." in page
