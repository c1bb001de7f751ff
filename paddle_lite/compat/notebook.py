"""`%load_ext paddle_lite` in IPython and Jupyter."""

from __future__ import annotations

from typing import Any

from . import install

__all__ = ["load_ipython_extension"]


def load_ipython_extension(shell: Any) -> None:
    """Let `import paddle` mean paddle_lite in a notebook; IPython calls it for `%load_ext paddle_lite`.

    Arguments:
        shell: IPython's shell, which is not needed.

    Raises:
        ModeError: another `paddle` has been imported already.
    """
    install()
