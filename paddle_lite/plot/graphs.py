"""`graph`: a Program, a network or the tape behind a Variable as boxes and arrows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.views.page import Picture
from ..imperative.layer import Layer
from ..imperative.views.html import layer_tree
from ..imperative.views.summary import summary
from ..imperative.views.tape import tape_graph
from ..imperative.views.text import class_name
from ..static.program.drawing import program_graph
from ..static.program.program import Program

__all__ = ["graph"]

WHERE = "plot.graph"


def graph(of: Any, input_shape: Sequence[Any] | None = None, dtype: Any = "float32") -> Picture:
    """Draw a graph. It needs no other program; `save("graph.dot")` writes it for Graphviz.

    Arguments:
        of: a Program: its operators and Variables (gradients in blue, updates in brown); a Layer: the tree of its sublayers, or with
            `input_shape` which Layers and operators read what others have made; a Variable of imperative mode: the tape behind
            it, which its gradient goes through.
        input_shape, dtype: of the input of a Layer, as for `paddle_lite.summary`.

    Returns:
        A Picture: a notebook shows it, `save(path)` writes .svg, .html or .dot.

    Raises:
        ArgumentTypeError: `of` is none of these.
        ArgumentValueError: `input_shape` is given, and `of` is no Layer.
        GraphError: nothing is recorded behind the Variable, or it has been freed.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.plot.graph(paddle.nn.Linear(4, 2), [8, 4])
    <Picture of Linear: show it in a notebook, or .save('picture.svg', 'picture.html', 'picture.dot')>
    """
    if input_shape is not None and not isinstance(of, Layer):
        raise ArgumentValueError(
            message(WHERE, "input_shape", describe(input_shape), f"None for a {type(of).__name__}")
        )
    if isinstance(of, Layer):
        drawn = layer_tree(of) if input_shape is None else summary(of, input_shape, dtype).graph
        title = class_name(of)
    elif isinstance(of, Program):
        drawn, title = program_graph(of), "a Program"
    elif (tape := tape_graph(of)) is not None:
        drawn, title = tape, f"the tape behind {of.name}"
    else:
        raise ArgumentTypeError(
            message(WHERE, "of", describe(of), "a Program, a Layer or a Variable of imperative mode")
        )
    return Picture(title, drawn.svg(), graph=drawn)
