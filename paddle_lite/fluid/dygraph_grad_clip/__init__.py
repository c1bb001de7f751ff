"""Gradient clips of imperative mode before 1.8."""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    fluid.dropped: GradClipByGlobalNorm GradClipByNorm GradClipByValue
    within params.clip: GradClipBase=GradientClipBase
    """,
)
