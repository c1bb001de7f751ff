"""Tables of names: what their lines mean, modules without a file, and what users may do with such modules."""

from __future__ import annotations

import importlib
import inspect
import pydoc
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from types import ModuleType

import pytest

from paddle_lite.core.errors import NotYetAvailable
from paddle_lite.core.lazy import Namespace, names_in, namespace

Make = Callable[[str], ModuleType]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Make the module `paddle_lite.example` with a table."""
    name = "paddle_lite.example"
    tables, modules = set(Namespace.tables), set(sys.modules)

    def made(text: str) -> ModuleType:
        module = types.ModuleType(name)
        module.__path__ = []
        monkeypatch.setitem(sys.modules, name, module)
        vars(module)["own"] = 1
        vars(module)["__getattr__"], vars(module)["__dir__"] = namespace(name, text)
        return module

    yield made
    for new in set(Namespace.tables) - tables:
        del Namespace.tables[new]
    for new in [module for module in set(sys.modules) - modules if module.startswith(name)]:
        del sys.modules[new]


def test_a_name_is_imported_at_its_first_use_and_kept(make: Make) -> None:
    example = make("core.lod: lengths\ncore.place: places=cpu_places\ncore.lod: lod=*")
    assert "lengths" not in vars(example)
    lod = importlib.import_module("paddle_lite.core.lod")
    assert example.lengths is lod.lengths is vars(example)["lengths"]
    assert example.places is importlib.import_module("paddle_lite.core.place").cpu_places
    assert example.lod is lod
    assert {"own", "lengths", "places", "lod"} <= set(dir(example))
    with pytest.raises(AttributeError, match=r"module 'paddle\.example' has no attribute 'nonsense'\.$"):
        _ = example.nonsense


def test_a_star_takes_the_public_names_without_importing(make: Make) -> None:
    module = "paddle_lite.layers.sequence.row_conv"
    loaded = sys.modules.pop(module, None)
    try:
        example = make("layers.sequence: row_conv.*")
        assert "row_conv" in dir(example)
        assert module not in sys.modules
    finally:
        if loaded is not None:
            sys.modules[module] = loaded


def test_a_star_imports_a_module_whose_list_is_computed() -> None:
    assert {"ProgramDesc", "INT", "FLOAT64S"} <= set(names_in("paddle_lite.static.proto.messages"))


def test_a_star_of_a_table_leaves_out_its_modules(make: Make) -> None:
    example = make("example: part.*\n[part] Something.\ncore.lod: lengths lod=*\nmodules: sub\nto come: Later")
    assert names_in("paddle_lite.example.part") == ["Later", "lengths"]
    assert {"part", "lengths"} <= set(dir(example))
    assert example.lengths is example.part.lengths


def test_a_module_without_a_file(make: Make) -> None:
    example = make(
        "[part] Something.\n  core.lod: lengths\n  here: one one.deeper\n[part.sub] More.\n  core.lod: lod=*"
    )
    part = importlib.import_module("paddle_lite.example.part")
    assert example.part is part
    assert part.__doc__ == "`paddle.example.part`: Something."
    assert importlib.import_module("paddle_lite.example.part.one.deeper") is part.one is part
    assert importlib.import_module("paddle_lite.example.part.sub") is part.sub
    assert importlib.import_module("paddle_lite.example.part.sub.lod") is sys.modules["paddle_lite.core.lod"]
    assert find_spec("paddle_lite.example.nowhere") is None
    assert "one" in dir(part) and "one.deeper" not in dir(part)


def test_a_function_and_a_module_of_the_same_name(make: Make) -> None:
    """`fluid.data` is a function, and `import fluid.data` leaves it one."""
    example = make("core.lod: lengths\nhere: lengths")
    module = importlib.import_module("paddle_lite.example.lengths")
    assert module is example
    assert example.lengths is importlib.import_module("paddle_lite.core.lod").lengths


def test_star_imports_take_every_public_name(make: Make) -> None:
    make("core.lod: lengths _private=lengths\ncore.lod: lod=* other=*\nhere: this\nto come: Later")
    scope: dict = {}
    exec("from paddle_lite.example import *", scope)
    assert sorted(set(scope) - {"__builtins__"}) == ["Later", "lengths", "lod"]


def test_names_to_come_can_be_imported_but_not_used(make: Make) -> None:
    example = make("to come: Later")
    with pytest.raises(NotYetAvailable, match=r"^paddle\.example\.Later is not yet available"):
        example.Later()


def test_a_name_that_is_set_goes_before_the_table(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    example = make("[part] Something.\n core.lod: lengths")
    with monkeypatch.context() as patch:
        patch.setattr(example.part, "lengths", len)
        assert importlib.import_module("paddle_lite.example.part").lengths is len
    assert example.part.lengths is importlib.import_module("paddle_lite.core.lod").lengths


def test_a_module_that_is_reloaded_forgets_what_was_set(make: Make) -> None:
    example = make("[part] Something.\n core.lod: lengths")
    part = example.part
    part.lengths = len
    assert importlib.reload(part) is part
    assert part.lengths is not len


def test_inspection_sees_the_names(make: Make) -> None:
    example = make("[part] Something.\n core.lod: lengths")
    assert dict(inspect.getmembers(example.part, inspect.isfunction)) == {"lengths": example.part.lengths}
    text = pydoc.plaintext.document(example.part)
    assert "`paddle.example.part`: Something." in text and "lengths(" in text


def test_names_are_seen_before_any_is_used() -> None:
    """Listing them may import modules, which adds names to the module that is listed."""
    code = "import paddle_lite as paddle; assert {'fluid', 'nn', 'tensor'} <= set(dir(paddle))"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_module_that_is_there_is_not_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """pytest asks each finder for itself, with a path of its own, when it imports a file."""
    importlib.import_module("paddle_lite.fluid")
    for finder in sys.meta_path:
        finder.find_spec("paddle_lite.hapi", ["nowhere"])
    monkeypatch.setattr("paddle_lite.core.lazy.is_of_1_8", lambda name: name == "paddle.fluid.nowhere")
    with pytest.raises(ModuleNotFoundError, match=r"paddle\.fluid\.nowhere is not yet available"):
        for finder in sys.meta_path:
            finder.find_spec("paddle_lite.fluid.nowhere", ["nowhere"])
