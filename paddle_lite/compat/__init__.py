"""`import paddle` and `import paddle.fluid` mean paddle_lite, in this process or in a whole program.

    python -m paddle_lite run train.py          a script, unmodified, and every Python process that it starts
    python -m paddle_lite link                  this environment: scripts, notebooks, pytest, editors; `unlink` ends it
    %load_ext paddle_lite                       a notebook
    import paddle_lite.compat                   this process
    paddle_lite.compat.install()

`finder.py` imports each module under both names as one object, `missing.py` answers for names that are not here,
`launch.py` and `site/` run scripts, `link.py` writes a package `paddle`. The tables of the packages (`core/lazy.py`) know the modules of Fluid's file layout.
`text.py` has the functions that PaddlePaddle offers in `paddle.compat`.
"""

from __future__ import annotations

import sys

from paddle_lite.core.errors import ModeError
from paddle_lite.core.threads.inheriting import let_threads_inherit
from paddle_lite.version import full_version

from .finder import AliasFinder
from .text import _to_bytes as _to_bytes
from .text import _to_text as _to_text
from .text import floor_division, get_exception_message, int_type, long_type, round, to_bytes, to_text

__all__ = [
    "floor_division",
    "get_exception_message",
    "install",
    "int_type",
    "long_type",
    "round",
    "to_bytes",
    "to_text",
]


def install() -> None:
    """Let `paddle` and everything below it resolve to paddle_lite in this process, whatever else is installed.

    `paddle` and `paddle_lite` are the same module object afterwards, and so is each of their submodules. Its
    `__version__` is that of the PaddlePaddle whose API it speaks, for programs that compare it. Threads begin with what the guards
    around their start have set, as programs of PaddlePaddle expect. Calling it again changes nothing. Processes that this one starts are not changed: `python -m paddle_lite run` does that.

    Raises:
        ModeError: another `paddle` has been imported already.

    Example, for a process of its own:
        import paddle_lite.compat
        paddle_lite.compat.install()
        import paddle.fluid as fluid
    """
    ours = sys.modules["paddle_lite"]
    other = sys.modules.get("paddle", ours)
    if other is not ours:
        origin = getattr(other, "__file__", None) or "an unknown place"
        raise ModeError(
            f"paddle_lite.compat.install: `paddle` has been imported already, from {origin}. Call install() in a fresh "
            "process, before the first `import paddle`."
        )
    if not any(isinstance(finder, AliasFinder) for finder in sys.meta_path):
        finder = AliasFinder()
        sys.meta_path.insert(0, finder)
        finder.adopt("paddle", ours)
        vars(ours)["__version__"] = full_version
        let_threads_inherit()
