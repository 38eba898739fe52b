"""Execute the notebooks, and keep what their cells show: python scripts/notebooks.py [NAME...].

The site shows them as they are kept. Needs the packages of `make docs`.
"""

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
NOTEBOOKS = ROOT / "notebooks"
INSTALLS = "install"  # the tag of the cell that needs the network
LONGEST = 900  # seconds for one cell


def executed(path: Path, folder: Path, changes: dict[str, str]) -> nbformat.NotebookNode:
    """The notebook with what its cells show; it may write into the folder."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        for asked, instead in changes.items():
            cell.source = cell.source.replace(asked, instead)
    client = NotebookClient(
        notebook,
        timeout=LONGEST,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        skip_cells_with_tag=INSTALLS,
    )
    client.execute()
    return notebook


def keep(path: Path) -> None:
    """Write what the cells of a notebook show into it."""
    with tempfile.TemporaryDirectory() as folder:
        notebook = executed(path, Path(folder), {})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when each cell ran
    notebook.metadata.pop("language_info", None)  # of the machine at hand
    nbformat.write(notebook, path)


if __name__ == "__main__":
    os.environ["PYTHONPATH"] = str(ROOT / "src")
    os.environ.setdefault("BOARDZERO_HOME", "/nonexistent")
    for name in sys.argv[1:] or sorted(one.stem for one in NOTEBOOKS.glob("*.ipynb")):
        keep(NOTEBOOKS / f"{name}.ipynb")
