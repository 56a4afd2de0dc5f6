"""Browser for tests of pages: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from browser_tab import Tab
from playwright.sync_api import Browser, sync_playwright

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60_000
"""Time limit of one step in ms, for a busy machine."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    assert program, "install Debian's package chromium, as build_scripts/test does"
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def tab(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Tab]:
    """New tab. A test may give options of the browser's context by `indirect` parameters.

    The test fails if the browser reports an error, or if the page requests anything but itself."""
    options: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
    options |= getattr(request, "param", {})
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    made = Tab(context.new_page())
    made.page.on("console", lambda message: made.complaints.append(message.text))
    made.page.on("pageerror", lambda error: made.complaints.append(str(error)))
    made.page.on(
        "dialog", lambda dialog: (made.complaints.append(dialog.message), dialog.dismiss())
    )
    made.page.on("request", lambda sent: made.requests.append(sent.url))
    yield made
    context.close()
    assert made.complaints == []
    assert {url.partition(":")[0] for url in made.requests} <= {"file", "blob"}
