"""The checkers find what is planted, and say nothing of what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import checks
from .layers import LAYERS, LEVEL


def plant(root: Path, files: dict[str, str]) -> Path:
    """A tree with these files, and an empty file for each package around them."""
    for name, text in files.items():
        path = root / "paddle_lite" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        for folder in (path.parent, *path.parent.parents):
            if root in folder.parents:
                (folder / "__init__.py").touch()
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("core/a.py", "import paddle_lite.ops"),
        ("core/a.py", "import paddle_lite"),
        ("core/a.py", "from paddle_lite import fluid"),
        ("core/a.py", "from .. import ops"),
        ("core/a.py", "from ..ops import calls"),
        ("core/a.py", "from ..ops.calls import call as c"),
        ("core/deep/a.py", "from ...ops import calls"),
        ("core/__init__.py", "from ..ops import calls"),
        ("core/a.py", "def f():\n    from paddle_lite.ops import calls\n    return calls"),
        ("core/a.py", "class C:\n    def f(self):\n        import paddle_lite.ops.calls"),
        ("core/a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from paddle_lite.ops import calls"),
        ("core/a.py", "import importlib\nimportlib.import_module('paddle_lite.ops')"),
        ("core/a.py", "from importlib import import_module\ndef f(): return import_module('..ops', __package__)"),
        ("core/a.py", "__import__('paddle_lite.ops')"),
        ("imperative/a.py", "from paddle_lite.static import program"),
        ("static/a.py", "def f():\n    from ..imperative import tape"),
        ("layers/a.py", "from paddle_lite import nn"),
        ("params/a.py", "from ..imperative import tape"),
        ("jit/a.py", "import paddle_lite.fluid as fluid"),
    ],
)
def test_an_import_that_does_not_go_down(tmp_path: Path, file: str, text: str) -> None:
    others = dict.fromkeys(
        ("ops/calls.py", "static/program/program.py", "imperative/tape.py", "nn/b.py", "fluid/a.py"), ""
    )
    plant(tmp_path, {**others, file: text})
    (complaint,) = checks.layer_complaints(tmp_path)
    assert complaint.startswith(f"paddle_lite/{file}:")
    assert f": {file.split('/')[0]} is in layer" in complaint


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("ops/a.py", "from paddle_lite.core import errors\nfrom ..kernels import registry\nimport numpy"),
        ("ops/a.py", "from . import b\nfrom .b import c"),
        ("jit/a.py", "from paddle_lite import imperative, static"),
        ("nn/a.py", "from paddle_lite.layers import a"),
        ("imperative/a.py", "from paddle_lite.params import a"),
        ("fluid/a.py", "from paddle_lite.compat import install"),
        ("__init__.py", "from . import fluid"),
        ("core/a.py", "import paddle_lite_extras, paddle"),
        ("core/a.py", "importer.import_module(name)\n'import paddle_lite.ops'"),
    ],
)
def test_an_import_that_is_allowed(tmp_path: Path, file: str, text: str) -> None:
    others = dict.fromkeys(
        ("ops/b.py", "static/a.py", "imperative/a.py", "layers/a.py", "params/a.py", "compat/a.py"), ""
    )
    plant(tmp_path, {**others, file: text})
    assert checks.layer_complaints(tmp_path) == []


def test_a_new_package_needs_a_layer(tmp_path: Path) -> None:
    plant(tmp_path, {"gadgets/a.py": ""})
    complaints = checks.layer_complaints(tmp_path)
    assert complaints[-1] == "paddle_lite/gadgets/a.py: 'gadgets' has no layer in tests/architecture/layers.py"


def test_a_late_import_is_allowed_as_long_as_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "LATE", {("paddle_lite.ops.a", "paddle_lite.imperative"): "a reason"})
    plant(tmp_path, {"imperative/a.py": "", "ops/a.py": "def f():\n    import paddle_lite.imperative"})
    assert checks.layer_complaints(tmp_path) == []
    plant(tmp_path, {"ops/a.py": ""})
    (complaint,) = checks.layer_complaints(tmp_path)
    assert complaint.endswith("which nobody needs")


def test_each_member_has_one_layer() -> None:
    assert len(LEVEL) == sum(map(len, LAYERS))
    assert LEVEL["imperative"] == LEVEL["static"]
    assert LEVEL["layers"] == LEVEL["metric"]
    order = ["core", "kernels", "ops", "params", "nn", "jit", "distributed", "fluid"]
    assert [LEVEL[name] for name in order] == [0, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    "text",
    [
        "import numba",
        "from numba import njit",
        "def f():\n    import cupy as cp",
        "from cupyx.scipy import special",
        "try:\n    import numba.core\nexcept ImportError:\n    pass",
        "import importlib\ncupy = importlib.import_module('cupy')",
    ],
)
def test_a_kernel_library_outside_of_kernels(tmp_path: Path, text: str) -> None:
    plant(tmp_path, {"ops/a.py": text, "kernels/cpu/a.py": text})
    (complaint,) = checks.kernel_library_complaints(tmp_path)
    assert complaint.startswith("paddle_lite/ops/a.py:")


def test_a_circle(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {"ops/a.py": "from . import b", "ops/b.py": "from .c import x", "ops/c.py": "import paddle_lite.ops.a"},
    )
    (complaint,) = checks.cycle_complaints(tmp_path)
    assert complaint == "paddle_lite.ops.a -> paddle_lite.ops.b -> paddle_lite.ops.c -> paddle_lite.ops.a"


def test_a_circle_that_a_function_or_a_type_closes_is_none(tmp_path: Path) -> None:
    later = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .a import T\ndef f():\n    from . import a"
    plant(tmp_path, {"ops/a.py": "from . import b", "ops/b.py": later})
    assert checks.cycle_complaints(tmp_path) == []


def circle(files: int) -> dict[str, str]:
    """Files of which each imports the next one inside of a function, and the last one the first."""
    return {f"ops/m{i}.py": f"def f():\n    from . import m{(i + 1) % files}" for i in range(files)}


def test_a_large_circle(tmp_path: Path) -> None:
    plant(tmp_path, {**circle(6), "ops/outside.py": "from . import m0"})
    (complaint,) = checks.circle_complaints(tmp_path)
    names = ", ".join(f"paddle_lite.ops.m{i}" for i in range(6))
    assert complaint == f"a circle of 6 files, more than 5: {names}"


def test_a_circle_through_packages_and_loaders_by_name(tmp_path: Path) -> None:
    late = "import importlib\ndef f(): importlib.import_module('paddle_lite.ops.m0')"
    plant(tmp_path, {**circle(6), "ops/m5.py": late})
    assert len(checks.circle_complaints(tmp_path)) == 1


def test_small_circles_and_those_of_types_are_allowed(tmp_path: Path) -> None:
    types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import m0"
    plant(
        tmp_path, {**circle(6), "ops/m5.py": types, "nn/a.py": "from . import b", "nn/b.py": "def f(): from . import a"}
    )
    assert checks.circle_complaints(tmp_path) == []


@pytest.mark.parametrize(
    "text",
    [
        "from ..core.mode import in_imperative_mode",
        "from ..core import mode\nmode.in_imperative_mode()",
        "from ..core.mode import state\nif state.mode.imperative: pass",
        "from ..core.mode import now\nif now().entered.imperative: pass",
        "from ..core.mode import state\nif state.mode.kind == 'static': pass",
        "from ..core.mode import now\nx = now().entered.redirect is None",
        "from ..core.mode import state\ndef f(mode): return state.mode is mode",
        "from ..imperative.variable import Variable\nisinstance(1, Variable)",
        "from ..static.program.variable import Parameter, Variable as V\nisinstance(1, (str, V))",
        "from paddle_lite.static.program.variable import Variable\nisinstance(1, Variable)",
    ],
)
def test_a_question_about_the_mode(tmp_path: Path, text: str) -> None:
    allowed = {"imperative/a.py": text, "static/deep/a.py": text.replace("..", "...")}
    plant(tmp_path, {**allowed, "layers/a.py": text})
    complaints = checks.mode_complaints(tmp_path)
    assert complaints
    assert all(c.startswith("paddle_lite/layers/a.py:") and c.endswith("asks which mode is on") for c in complaints)


@pytest.mark.parametrize(
    "text",
    [
        "from ..core.mode import ByMode, require_program, state\nstate.mode.cond(1, 2, 3)\nbefore = state.mode",
        "from ..static.program.variable import Parameter, Variable\nisinstance(1, Parameter)",
        "table = 'core.mode: in_dygraph_mode=in_imperative_mode'",
        "x = pool.kind == 'max'",
    ],
)
def test_what_asks_for_no_mode(tmp_path: Path, text: str) -> None:
    plant(tmp_path, {"layers/a.py": text})
    assert checks.mode_complaints(tmp_path) == []


def test_lengths(tmp_path: Path) -> None:
    body = "    x = 1\n" * (checks.FUNCTION_LINES - 1)
    docstring = '    """Return one.\n' + "    more\n" * 80 + '    """\n'
    fits = f"def fits():\n{docstring}{body}\n"
    exceeds = f"class C:\n    async def long(self):\n{body.replace('    x', '        x')}        x = 2\n"
    plant(tmp_path, {"ops/a.py": fits + exceeds})
    plant(tmp_path, {"ops/b.py": "x = 1\n" * checks.FILE_LINES, "ops/c.py": "x = 1\n" * (checks.FILE_LINES + 1)})
    files = checks.package_files(tmp_path)
    assert checks.form_complaints(files, tmp_path) == [
        "paddle_lite/ops/a.py:145 long: 61 lines, more than 60",
        "paddle_lite/ops/c.py: 601 lines, more than 600",
    ]


def test_docstrings_without_a_verb(tmp_path: Path) -> None:
    text = """
def told(): 'Return one.'
def riddle(): 'What is left.'
class C:
    'A class.'
    @property
    def place(self): 'The place.'
    def size(self): 'The size.'
"""
    plant(tmp_path, {"ops/a.py": text})
    assert checks.form_complaints(checks.package_files(tmp_path), tmp_path) == [
        "paddle_lite/ops/a.py:3 riddle: its docstring begins with 'What', not with a verb",
        "paddle_lite/ops/a.py:8 size: its docstring begins with 'The', not with a verb",
    ]


def test_a_crowded_folder(tmp_path: Path) -> None:
    files = {f"ops/nn/a{i}.py": "" for i in range(checks.FOLDER_FILES)}
    plant(tmp_path, {**files, "ops/math/b.py": ""})
    (complaint,) = checks.folder_complaints(tmp_path)
    assert complaint == "paddle_lite/ops/nn: 26 files, more than 25"  # the files, and __init__.py


@pytest.mark.parametrize(
    "parts",
    [
        ("cd /", "work/main"),
        ("'/", "root/.cache'"),
        ("open('/", "home/ann/x')"),
        ("/", "Users/ann"),
        ("/tmp/", "oracle/bin/python"),
        ("https://", "pypi", ".org/simple"),
        ("https://files.python", "hosted.org/x"),
        ("pip install --", "index-url x"),
    ],
)
def test_a_stray_text(tmp_path: Path, parts: tuple[str, ...]) -> None:
    file = tmp_path / "notes.md"
    file.write_text("fine\n" + "".join(parts) + "\n")
    (complaint,) = checks.stray_complaints([file], tmp_path)
    assert complaint.startswith("notes.md:2: ")


@pytest.mark.parametrize(
    "text", ["../shared/data", "tmp_path / 'work' / name", "tests/work/a.py", "/usr/bin/env", "~/.cache"]
)
def test_a_text_that_is_no_stray(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.md"
    file.write_text(text)
    data = tmp_path / "numbers.npz"
    data.write_bytes(b"\xff\xfe\x00")
    assert checks.stray_complaints([file, data, tmp_path / "deleted.py"], tmp_path) == []
