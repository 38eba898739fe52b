"""How Sphinx builds the site; `make docs` puts its sources together first (scripts/site.py)."""

from importlib import import_module
from pathlib import Path

from docutils.nodes import SkipNode, math, math_block
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from boardzero import __version__

# Read as programs read them; autodoc would read them as type checkers do, which pydantic refuses.
for page in Path(__file__).parent.glob("reference/boardzero*.md"):
    import_module(page.stem)

project = "BoardZero"
author = "the BoardZero authors"
version = release = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc"]
html_math_renderer = "mathml"
exclude_patterns = ["extra"]
html_theme = "furo"
html_title = f"BoardZero {__version__}"
html_extra_path = ["extra"]
html_favicon = html_logo = "images/icon.svg"
html_show_sourcelink = html_copy_source = False
html_static_path = ["images/site.css"]
html_css_files = ["site.css"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block", "dollarmath"]
nb_execution_mode = "off"  # the slow tests execute notebooks
default_role = "code"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "separated"
add_module_names = False


def _formula(page: HTML5Translator, node: math) -> None:
    page.body.append(convert(node.astext()))
    raise SkipNode


def _formula_of_its_own(page: HTML5Translator, node: math_block) -> None:
    page.body.append(f"<p>{convert(node.astext(), display='block')}</p>\n")
    raise SkipNode


def setup(app: Sphinx) -> None:
    """Formulas become MathML, which browsers show without a script from elsewhere."""
    formula, block = (_formula, None), (_formula_of_its_own, None)
    app.add_html_math_renderer("mathml", formula, block)
