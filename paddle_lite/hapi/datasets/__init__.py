"""Data sets for a Model, accessed by index; `core/lazy.py` explains the table."""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    hapi.datasets: flowers.* folder.* mnist.*
    modules: flowers folder mnist utils
    """,
)
