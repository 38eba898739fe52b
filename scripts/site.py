"""Put the sources of the documentation site together: python scripts/site.py FOLDER.

The pages of `docs` as they are, README.md and its like under names of their own, the references,
and pictures that the program draws. Links between them are turned to where the pages now are; what
is no page, a source file for instance, is named instead of linked.
"""

import os
import posixpath
import re
import shutil
import sys
from pathlib import Path

from pictures import search_pictures
from references import references

ROOT = Path(__file__).parent.parent
MOVED = {  # page of the repository -> page of the site
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "LICENSE": "licence.md",
    "web/boardzero/README.md": "package.md",
}
PACKAGE = ROOT / "web" / "boardzero"  # for web pages; the site has it, for its live example
COPIED = {"web/boardzero/example/index.html": "package/example/index.html"}
LINK = re.compile(
    r"(?P<text>\[[^\]]*\])\((?P<to>[^)\s]+)\)|(?P<attribute>src|href)=\"(?P<at>[^\"]+)\""
)
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def assemble(target: Path) -> None:
    """Write all sources of the site into an empty folder."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", target, ignore=shutil.ignore_patterns("*.db*", "*.sqlite*"))
    if (ROOT / "notebooks").is_dir():
        shutil.copytree(ROOT / "notebooks", target / "notebooks")
    for page in sorted((ROOT / "docs").rglob("*.md")):
        _write(target, page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8"))
    for page in MOVED:
        _write(target, page, (ROOT / page).read_text(encoding="utf-8"))
    _list_pages(target)
    for folder, files in (("reference", references()), ("images", search_pictures())):
        (target / folder).mkdir(exist_ok=True)
        for name, text in files.items():
            (target / folder / name).write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "web" / "public" / "icon.svg", target / "images")
    # Pictures in HTML are copied as they are.
    shutil.copytree(target / "images", target / "extra" / "images")
    shutil.copytree(ROOT / "docs" / "results" / "curves", target / "extra" / "results" / "curves")
    for part in ("assets", "dist", "example"):
        if not (PACKAGE / part).is_dir():
            sys.exit("the live example needs the built package: make wasm")
        shutil.copytree(PACKAGE / part, target / "extra" / "package" / part)


def _list_pages(target: Path) -> None:
    """The table of contents: what docs/contents.md says, and the pages that it does not name."""
    contents = target / "contents.md"
    text = contents.read_text(encoding="utf-8")
    contents.unlink()
    pages = [page.relative_to(target).with_suffix("").as_posix() for page in target.rglob("*.md")]
    named = {"index", *re.findall(r"^[\w/-]+$", text, re.MULTILINE)}
    rest = sorted(page for page in pages if page not in named and not _is_orphan(target, page))
    results = [page.removeprefix("results/") for page in rest if page.startswith("results/")]
    others = [page for page in rest if not page.startswith("results/")]
    _append(target / "index.md", f"{text}\n{_toctree('More', others)}")
    _append(target / "results" / "README.md", _toctree("Results", results))


def _is_orphan(target: Path, page: str) -> bool:
    return (target / f"{page}.md").read_text(encoding="utf-8").startswith("---\norphan")


def _toctree(caption: str, pages: list[str]) -> str:
    lines = "\n".join(pages)
    return f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n" if pages else ""


def _append(page: Path, text: str) -> None:
    with page.open("a", encoding="utf-8") as file:
        file.write(f"\n{text}")


def _write(target: Path, source: str, text: str) -> None:
    if source == "LICENSE":
        text = f"# Licence\n\n{text}"
    page = target / _place(source)
    page.parent.mkdir(parents=True, exist_ok=True)
    code: list[str] = []

    def keep(block: re.Match[str]) -> str:
        code.append(block[0])
        return f"\x00{len(code) - 1}\x00"

    text = CODE.sub(keep, text)
    text = LINK.sub(lambda link: _turned(link, source), text)
    text = re.sub(r"\x00(\d+)\x00", lambda at: code[int(at[1])], text)
    if not re.search(r"^# ", text, re.MULTILINE):  # a table that another page shows
        text = f"---\norphan: true\n---\n\n{text}"
    page.write_text(text, encoding="utf-8")


def _place(source: str) -> str:
    return (MOVED | COPIED).get(source) or source.removeprefix("docs/")


def _turned(link: re.Match[str], source: str) -> str:
    to = link["to"] or link["at"]
    path, hash_, anchor = to.partition("#")
    if not path or ":" in path:
        return link[0]
    meant = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if meant == "docs/results":
        meant = "docs/results/README.md"
    if meant not in MOVED | COPIED and not meant.startswith("docs/"):
        if not (ROOT / meant).exists():
            sys.exit(f"{source} links to {to}, which is not there")
        return f"{link['text'][1:-1]} (`{meant}`)" if "`" not in link["text"] else f"`{meant}`"
    place = posixpath.relpath(_place(meant), posixpath.dirname(_place(source)) or ".")
    if link["attribute"]:
        return f'{link["attribute"]}="{place}"'
    return f"{link['text']}({place}{hash_}{anchor})"


if __name__ == "__main__":
    os.environ.setdefault("BOARDZERO_HOME", "/nonexistent")  # what one machine holds is not shown
    assemble(Path(sys.argv[1]))
