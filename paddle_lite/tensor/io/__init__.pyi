"""`paddle.tensor.io`. Made by `python -m stubs`."""

from paddle_lite.io.program_state import load as load
from paddle_lite.io.program_state import save as save
