"""Printing what flows through a Program, as text of PaddlePaddle 1.8.5's form."""

from __future__ import annotations

import sys
import time

from ...core.errors import ArgumentValueError
from ...core.errors import message as error_text
from ...core.host import to_host
from ..framework.spec import Declaration, Grad, Required, op

LETTERS = {
    "float32": "f",
    "float64": "d",
    "int32": "i",
    "int64": "l",
    "bool": "b",
    "int8": "a",
    "uint8": "h",
    "int16": "s",
}
"""How dtypes are called: after the letters that C++ has for its types."""

PHASES = ("FORWARD", "BACKWARD", "BOTH")


def tensor_text(array, lod, name, head, summarize, type=True, shape=True, with_lod=True):
    """Return the text that describes an array, in several lines.

    Arguments:
        lod: its LoD, or None.
        name: its name; None leaves the line out.
        head: what stands between the time and the place.
        summarize: up to how many numbers are shown; negative: all.
        type, shape, with_lod: which lines are wanted.
    """
    on_gpu = hasattr(array, "get")
    place = f"CUDAPlace({array.device.id})" if on_gpu else "CPUPlace"
    flat = array.reshape(-1)[: summarize if summarize >= 0 else None]
    numbers = to_host(flat).tolist()
    lines = [f"{int(time.time())}\t{head}\tThe place is:{place}"]
    if name is not None:
        lines.append(f"Tensor[{name}]")
    if shape:
        lines.append(f"\tshape: [{_joined(array.shape)}]")
    if type:
        lines.append(f"\tdtype: {LETTERS.get(array.dtype.name, array.dtype.name)}")
    if with_lod and lod:
        lines.append(f"\tLoD: [{''.join(f'[ {_joined(level)} ]' for level in lod)}]")
    lines.append(f"\tdata: {_joined(numbers)}")
    return "\n".join(lines) + "\n"


def _joined(numbers):
    return "".join(f"{n:.6g}," if isinstance(n, float) else f"{int(n)}," for n in numbers)


def _of_gradient(attrs):
    return {**{name: value for name, value in attrs.items() if name != "lod"}, "is_forward": False}


@op(
    "print",
    inputs="In",
    outputs="Out",
    attrs={
        "first_n": Required("INT"), "message": Required("STRING"), "summarize": Required("INT"),
        "print_tensor_name": Required("BOOLEAN"), "print_tensor_type": Required("BOOLEAN"),
        "print_tensor_shape": Required("BOOLEAN"), "print_tensor_lod": Required("BOOLEAN"), "print_phase": "BOTH",
        "is_forward": True,
    },
    needs_lod="In",
    effects="io", flops=0
)  # fmt: skip
class print_(Declaration):
    """Return In and print it, and print its gradient, as `print_phase` says."""

    def infer(In, *, print_phase, **_):
        if print_phase not in PHASES:
            raise ArgumentValueError(
                error_text("print", "attribute 'print_phase'", repr(print_phase), f"one of {PHASES}")
            )
        return In

    def reference(
        xp, In, *, site=None, lod=None, first_n, message, summarize, print_tensor_name, print_tensor_type, print_tensor_shape,
        print_tensor_lod, print_phase, is_forward,
    ):  # fmt: skip
        wanted = print_phase == "BOTH" or (print_phase == "FORWARD") == is_forward
        if not wanted or (site is not None and site.exhausted(first_n)):
            return In
        name = site.names[0] if print_tensor_name and site is not None else None
        flags = (print_tensor_type, print_tensor_shape, print_tensor_lod)
        sys.stdout.write(tensor_text(In, lod, name, message, summarize, *flags))
        sys.stdout.flush()
        return In

    grad = Grad("Out@GRAD", "In@GRAD", via="print", attrs=_of_gradient)
