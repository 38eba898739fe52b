"""How Sphinx builds the site; `make docs` puts its sources together first (scripts/site.py)."""

from boardzero import __version__

project = "BoardZero"
author = "the BoardZero authors"
version = release = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns = ["extra"]
html_theme = "furo"
html_title = f"BoardZero {__version__}"
html_extra_path = ["extra"]
html_favicon = "images/international.svg"
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block"]
nb_execution_mode = "off"  # the slow tests execute notebooks
default_role = "code"
autodoc_default_options = {"members": True, "undoc-members": True, "ignore-module-all": False}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "separated"
add_module_names = False
