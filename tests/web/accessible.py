"""What axe-core says about a page."""

import json
from pathlib import Path

from playwright.sync_api import Page

__all__ = ["assert_accessible"]

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def assert_accessible(page: Page) -> None:
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    serious = {
        violation["id"]: [node["html"][:160] for node in violation["nodes"][:3]]
        for violation in found
        if violation["impact"] in ("serious", "critical")
    }
    assert not serious, json.dumps(serious, indent=1)
