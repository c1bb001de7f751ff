"""Variables of a Program that stand for numbers of the Python code it was translated from: sizes, counters, int(x).

Operators between them and numbers give what Python gives: `n / 2` and `n ** -0.5` have a fraction, though n is an integer.
"""

from __future__ import annotations

from typing import Any

from ...core.errors import GraphError
from .user_line import format_line, user_line
from .variable import Variable


class PythonNumber(Variable):
    """A Variable that stands for a number of Python."""

    python_number = True

    def _unknown(self, *_: Any) -> Any:
        """Raise the error for code that needs the number while the Program is built.

        Raises:
            GraphError: always. A declared function is then translated again, for the sizes of its inputs as they are.
        """
        raise GraphError(
            f"{self.name} stands for a number that is not known while the function is translated, and Python needs it here. "
            f"Compute with fluid.layers instead of NumPy and math, e.g. fluid.layers.zeros([n, 4], 'float32').\n"
            f"  at {format_line(user_line())}"
        )

    __index__ = __int__ = __float__ = __format__ = _unknown


def as_number(variable: Any) -> Any:
    """Return a Variable of a Program as one that stands for a number; anything else as it is."""
    if type(variable) is Variable:
        variable.__class__ = PythonNumber
    return variable
