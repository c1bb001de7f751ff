"""`paddle.fluid.dygraph.dygraph_to_static.convert_call_func`. Made by `python -m stubs`."""

from paddle_lite.core.made import convert_call as convert_call
from paddle_lite.fluid.internals.syntax.apis import DECORATOR_NAMES as DECORATOR_NAMES
from paddle_lite.fluid.internals.syntax.apis import is_builtin as is_builtin
from paddle_lite.fluid.internals.syntax.apis import is_paddle_func as is_paddle_func
from paddle_lite.fluid.internals.syntax.apis import translated as _of_to_static_func
from paddle_lite.jit.convert import converted as _of_convert_to_static
from paddle_lite.jit.declared import ProgramTranslator as ProgramTranslator
from typing import Any
convert_to_static = _of_convert_to_static
to_static_func = _of_to_static_func
Layer: Any
program_translator: Any
