"""`paddle.fluid.wrapped_decorator`. Made by `python -m stubs`."""

from paddle_lite.core.made import signature_safe_contextmanager as signature_safe_contextmanager
from paddle_lite.fluid.internals.decorators import wrap_decorator as wrap_decorator
