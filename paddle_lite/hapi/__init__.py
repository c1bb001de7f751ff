"""The high-level API: a Model that trains, evaluates and predicts, with losses, metrics, callbacks, data and networks.

It is `paddle.hapi` and `paddle.incubate.hapi` of PaddlePaddle between 1.8 and 2.0-alpha, and runs in imperative and in
static mode. The table below says where each name is; `core/lazy.py` explains its form.
"""

from ..core.lazy import namespace as _namespace
from .logger import setup_logger as _setup_logger

_setup_logger()

__getattr__, __dir__ = _namespace(
    __name__,
    """
    hapi.inputs: Input set_device
    hapi.model: Model
    modules: callbacks datasets distributed download logger loss metrics model progressbar text utils vision
    """,
)
