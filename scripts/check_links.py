"""Check every link inside a built site, anchors too: python scripts/check_links.py FOLDER."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors and the links of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name == "id":
                self.anchors.add(value)
            elif value and name in ("href", "src") and tag != "link":
                self.links.append(value)


def broken(site: Path) -> list[str]:
    """A sentence for each link that leads nowhere."""
    pages = {path: Page(path) for path in site.rglob("*.html")}
    faults = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not target.exists():
                faults.append(f"{path.relative_to(site)}: {link} is not there")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                faults.append(f"{path.relative_to(site)}: {link} has no such place")
    return faults


if __name__ == "__main__":
    found = broken(Path(sys.argv[1]).resolve())
    print("\n".join(found) or "all links inside the site lead somewhere")
    sys.exit(1 if found else 0)
