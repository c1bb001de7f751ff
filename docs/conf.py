"""Settings of Sphinx for the site that `make docs` builds."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "extensions")]

from sphinx.application import Sphinx  # noqa: E402
from sphinx.errors import ExtensionError  # noqa: E402

import paddle_lite.compat  # noqa: E402

paddle_lite.compat.install()  # the reference has the names that programs import: paddle.fluid.layers.fc

project = "paddle_lite"
author = "the authors of paddle_lite"
release = version = paddle_lite.version.own_version
exclude_patterns = ["extensions"]

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "api_pages",
    "docstring_text",
    "source_links",
]

# --- pages and notebooks

myst_enable_extensions = ["colon_fence", "attrs_inline"]
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_execution_show_tb = True
nb_merge_streams = True
nb_output_stderr = "remove"  # that kernels are compiled; the tests run the notebooks with warnings as errors
nb_ipywidgets_js = {}  # widgets would load scripts from a CDN; the notebooks have none
suppress_warnings = [
    "mystnb.unknown_mime_type",
    "ref.python",  # the name of a class in a signature has several entries in the reference, such as Block: the first is linked
]

# --- reference

autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
viewcode_follow_imported_members = True
viewcode_line_numbers = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
napoleon_custom_sections = [("Source", "notes_style")]
default_role = "code"
add_module_names = False
toc_object_entries_show_parents = "hide"

# --- looks

html_title = "paddle_lite"
html_theme = "pydata_sphinx_theme"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_sidebars = {page: [] for page in ("index", "start", "moving-from-paddle", "from-pytorch")}  # nothing is below them
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "navbar_start": ["navbar-logo"],
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def _links(app: Sphinx, page: str, text: list[str]) -> None:
    """Keep the text alone of links from a page to files of the repository, which the site does not have."""
    if "/" not in page:
        text[0] = re.sub(r"\[([^\]]+)\]\(\.\./[^)]+\)", r"\1", text[0])


def _stands_alone(app: Sphinx, error: Exception | None) -> None:
    """Raise if a page needs another host to be read."""
    loads = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=["']https?:""")
    pages = [page for page in Path(app.outdir).rglob("*.html") if loads.search(page.read_text(encoding="utf8"))]
    if pages and error is None:
        raise ExtensionError(f"pages that load something from another host: {', '.join(map(str, pages))}")


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    app.connect("source-read", _links)
    app.connect("build-finished", _stands_alone)
