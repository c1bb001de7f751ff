"""`paddle.jit`. Made by `python -m stubs`."""

from paddle_lite.core.made import dygraph_to_static_func as dygraph_to_static_func
from paddle_lite.jit.declared import ProgramTranslator as ProgramTranslator
from paddle_lite.jit.declared import declarative as declarative
from paddle_lite.jit.traced import TracedLayer as TracedLayer
