"""Writes the pages of the reference: one for each public namespace, with an entry for every public name.

The names are those of the lazy tables (`paddle_lite/core/lazy.py`), as the type stubs have them. A function or class that has
several names is described under one of them; the entries of the others have its signature, its first sentence, and a link.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from docstring_text import escaped_line, signature_of

from paddle_lite.core.lazy import PACKAGE
from paddle_lite.core.missing import public_name
from stubs.modules import public_modules

FOLDER = "api"
FIRST = [  # where something is described that has several names; after these, by alphabet
    "fluid.layers", "fluid.dygraph", "fluid.optimizer", "fluid.initializer", "fluid.regularizer", "fluid.clip", "fluid.metrics",
    "fluid.io", "fluid.nets", "fluid.executor", "fluid.framework", "fluid.backward", "fluid", "nn", "static", "hapi", "",
]  # fmt: skip
OWN = ["convert", "ops", "ragged"]
"""Modules without a counterpart in PaddlePaddle."""
NO_NAMESPACES = ["distributed.data.feed_messages", "distributed.trainers.messages", "static.proto.messages"]
"""Classes that protobuf makes for the messages of files."""
PER_PAGE = 120
FAMILIES = {
    "math": "arithmetic, comparisons, products, reductions", "shape": "shapes, indices, selection, filling",
    "nn": "activations, convolutions, pooling, normalization, embeddings", "vision": "images as wholes",
    "sequence": "ragged sequences", "rnn": "recurrent networks and beam search", "loss": "losses and metrics",
    "detection": "boxes", "random": "random numbers", "control": "loops, branches, Variables, reading",
    "paddle2": "functions of 2.0-alpha",
}  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """A public name.

    module: the public name of its namespace, "paddle.fluid.layers".
    name: the name there.
    value: what it stands for.
    described: the full name under which it is described; its own where that is here.
    """

    module: str
    name: str
    value: Any
    described: str

    @property
    def full(self) -> str:
        """The name that programs import, with its namespace."""
        return f"{self.module}.{self.name}"

    @property
    def kind(self) -> str:
        """The directive of autodoc, without "auto"."""
        if inspect.isclass(self.value):
            return "exception" if issubclass(self.value, BaseException) else "class"
        return "function" if inspect.isroutine(self.value) else "data"

    @property
    def family(self) -> str:
        """The folder of `paddle_lite/layers` that defines it; "" for what is defined elsewhere."""
        found = re.match(rf"{PACKAGE}\.layers\.(\w+)\.", getattr(self.value, "__module__", None) or "")
        return found[1] if found and found[1] in FAMILIES else ""

    @property
    def summary(self) -> str:
        """The first paragraph of its docstring, on one line; that of data is its type."""
        if self.kind == "data":
            return f"`{self.value!r}`" if isinstance(self.value, (int, str)) else f"A `{type(self.value).__name__}`."
        return " ".join((inspect.getdoc(self.value) or "").partition("\n\n")[0].split())


@cache
def entries() -> dict[str, list[Entry]]:
    """Return namespace -> its entries, by public names; both sorted."""
    names = sorted(_names(), key=lambda found: (_rank(found[0]), found))
    first: dict[int, str] = {}
    kept = []  # ids are unique as long as the values live
    for module, name, value in names:
        kept.append(value)
        if inspect.isclass(value) or inspect.isroutine(value):
            first.setdefault(id(value), f"{module}.{name}")
    found: dict[str, list[Entry]] = {}
    for module, name, value in sorted(names, key=lambda each: each[:2]):
        full = f"{module}.{name}"
        found.setdefault(module, []).append(Entry(module, name, value, first.get(id(value), full)))
    return found


def _rank(module: str) -> tuple[int, str]:
    below = module.partition(".")[2]
    return (FIRST.index(below) if below in FIRST else len(FIRST), module)


def _names() -> Iterator[tuple[str, str, Any]]:
    """Yield (public name of the namespace, name, value) of all public names but those of modules."""
    own = {f"{PACKAGE}.{name}" for name in OWN}
    others = {name for name, module in public_modules().items() if module.real == name}
    for full in sorted(others - own - {f"{PACKAGE}.{name}" for name in NO_NAMESPACES}) + sorted(own):
        module = importlib.import_module(full)
        for name in dict.fromkeys(module.__all__ if hasattr(module, "__all__") else ()):
            value = getattr(module, name)
            if not isinstance(value, ModuleType) and not name.startswith("_"):
                yield full if full in own else public_name(full), name, value


# --- pages -------------------------------------------------------------------------------------------------------------


def write_pages(folder: Path) -> None:
    """Write the pages of the reference into a folder, and remove those of before."""
    found = entries()
    texts = {name: text for module, of_module in found.items() for name, text in pages(module, of_module)}
    texts["index"] = _index(found)
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.rst"):
        if path.stem not in texts:
            path.unlink()
    for name, text in texts.items():
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text(encoding="utf8") != text:
            path.write_text(text, encoding="utf8")


def pages(module: str, found: list[Entry]) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of the pages of a namespace: one, or, where that would be long, one for each family."""
    described = sum(entry.described == entry.full for entry in found)
    if described <= PER_PAGE:
        yield module, _page(module, module, found)
        return
    links = []
    for family in sorted({entry.family for entry in found}, key=[*FAMILIES, ""].index):
        name, title = f"{module}-{family or 'others'}", FAMILIES.get(family, "others")
        links.append(f"{title} <{name}>")
        yield name, _page(module, f"{module}: {title}", [entry for entry in found if entry.family == family])
    yield module, _head(module, module) + _toctree(links) + _table(found)


def _index(found: dict[str, list[Entry]]) -> str:
    """Return the page that lists all namespaces, those that programs use most before the others."""
    modules = sorted(found, key=_rank)
    most = [module for module in modules if _rank(module)[0] < len(FIRST)]
    text = _title("Reference", "=") + (
        "Every public name, with its signature, its docstring and its source. `paddle` stands for `paddle_lite` here: after\n"
        "`python -m paddle_lite link`, and in scripts under `python -m paddle_lite run`, programs import it by that name;\n"
        "`import paddle_lite as paddle` does as well.\n\n"
        "What has several names is described under one of them, and the others point there.\n\n"
    )
    for title, names in (("Most used", most), ("All others", modules[len(most) :])):
        text += _title(title, "-") + ".. list-table::\n   :header-rows: 1\n   :widths: 40 10 50\n\n"
        text += "   * - namespace\n     - names\n     - what is in it\n"
        text += "".join(
            f"   * - :doc:`{name} <{name}>`\n     - {len(found[name])}\n     - {escaped_line(_about(name))}\n"
            for name in names
        )
        text += "\n"
    return text + _toctree(modules, hidden=True)


def _page(module: str, title: str, found: list[Entry]) -> str:
    described = [entry for entry in found if entry.described == entry.full]
    others = [entry for entry in found if entry.described != entry.full]
    text = _head(module, title) + _table(described)
    text += "".join(_entry(entry) for entry in described)
    if others:
        text += _title("Second names", "-") + "Described elsewhere; follow the links.\n\n"
        text += "".join(_entry(entry) for entry in others)
    return text


def _head(module: str, title: str) -> str:
    return f"{_title(title, '=')}.. py:currentmodule:: {module}\n\n{escaped_line(_about(module))}\n\n"


def _about(module: str) -> str:
    """Return the first paragraph of the docstring of a namespace, without the name that it may start with."""
    real = importlib.import_module(re.sub(r"^paddle\b", PACKAGE, module))
    text = " ".join((real.__doc__ or "").partition("\n\n")[0].split())
    return re.sub(r"^`[\w.]+`: ", "", text)


def _table(found: list[Entry]) -> str:
    """Return a table of names and first sentences."""
    rows = "".join(f"   * - :py:obj:`{each.name} <{each.full}>`\n     - {_sentence(each)}\n" for each in found)
    return f".. list-table::\n   :widths: 30 70\n\n{rows}\n" if found else ""


def _sentence(entry: Entry) -> str:
    return escaped_line(re.split(r"(?<=\.)\s", entry.summary, maxsplit=1)[0]) or "\\ "


def _entry(entry: Entry) -> str:
    if entry.kind == "data":
        return f".. py:data:: {entry.name}\n   :module: {entry.module}\n\n   {escaped_line(entry.summary)}\n\n"
    if entry.described != entry.full:  # by hand: autodoc would register what it is called inside of paddle_lite twice
        head = f".. py:{entry.kind}:: {entry.name}{signature_of(entry.value)}\n   :module: {entry.module}\n\n"
        return f"{head}   {_sentence(entry)}\n   See :py:obj:`{entry.described}`.\n\n"
    members = "   :members:\n" if entry.kind == "class" else ""
    return f".. auto{entry.kind}:: {entry.full}\n{members}\n"


def _toctree(names: list[str], hidden: bool = False) -> str:
    return (
        ".. toctree::\n"
        + "   :hidden:\n" * hidden
        + "   :maxdepth: 1\n\n"
        + "".join(f"   {name}\n" for name in names)
        + "\n"
    )


def _title(text: str, line: str) -> str:
    return f"{text}\n{line * len(text)}\n\n"


# --- Sphinx ------------------------------------------------------------------------------------------------------------


def setup(app: Any) -> dict[str, bool]:
    """Write the pages before Sphinx reads the sources."""
    app.connect("builder-inited", lambda app: write_pages(Path(app.srcdir) / FOLDER))
    return {"parallel_read_safe": True}
