"""Tab of a browser that shows the page of a report."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page

_FOLLOW = """\
link => new Promise(done => {
  if (location.hash === link) done();
  addEventListener('hashchange', () => setTimeout(done), { once: true });
  location.hash = link;
})
"""


@dataclass
class Tab:
    """Page of a report in a browser, with everything that the browser complains about."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, place: Path, link: str = "") -> Tab:
        """Open a page, and wait until its script has started."""
        self.page.goto(f"file://{place}{link}")
        self.page.wait_for_selector("html[data-ready]")
        return self

    def go(self, link: str) -> None:
        """Follow a link within the page."""
        self.page.evaluate(_FOLLOW, link)

    def shown(self) -> str:
        """Identifier of the section that the page shows."""
        (name,) = self.page.evaluate(
            "[...document.querySelectorAll('main > section')].filter(s => !s.hidden).map(s => s.id)"
        )
        return str(name)
