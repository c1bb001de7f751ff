"""`%load_ext paddle_lite` in IPython and Jupyter."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from . import install

__all__ = ["load_ipython_extension"]


def load_ipython_extension(shell: Any) -> None:
    """Let `import paddle` mean paddle_lite in a notebook, and old code find what modules have dropped since 2020.

    IPython calls it for `%load_ext paddle_lite`.

    Arguments:
        shell: IPython's shell, which is not needed.

    Raises:
        ModeError: another `paddle` has been imported already.
    """
    import_module("paddle_lite.compat.site.dropped").start()  # before aliases hide the folder
    install()
