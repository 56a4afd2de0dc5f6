"""Variables that the build of an extension receives."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.toolkit import build_environment


@pytest.mark.parametrize(
    ("setup", "expected"),
    [
        ('FORCE = os.getenv("X_FORCE_BUILD", "FALSE") == "TRUE"', {"X_FORCE_BUILD": "TRUE"}),
        (
            "os.environ['A_FORCE_BUILD'] or os.environ['B_FORCE_BUILD']",
            {"A_FORCE_BUILD": "TRUE", "B_FORCE_BUILD": "TRUE"},
        ),
        ("# X_FORCE_BUILD is not read\nFORCE_BUILD = True", {}),
    ],
)
def test_a_package_that_could_download_a_wheel_is_compiled(
    tmp_path: Path, setup: str, expected: dict[str, str]
) -> None:
    (tmp_path / "setup.py").write_text(setup)
    assert build_environment.from_sources(tmp_path) == expected


def test_a_package_without_setup_py_needs_no_variable(tmp_path: Path) -> None:
    assert build_environment.from_sources(tmp_path) == {}
