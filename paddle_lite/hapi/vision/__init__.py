"""Networks for images, and transforms of images; `core/lazy.py` explains the table."""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    hapi.vision: models.* transforms.*
    modules: models transforms
    """,
)
