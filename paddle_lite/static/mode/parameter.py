"""Parameters in static mode: a Parameter of the main Program, and its initialisation in the startup Program."""

from __future__ import annotations

from typing import Any

from ...core.errors import ShapeError, message
from ..program import program as programs
from ..program.variable import Parameter


def make_parameter(shape: list[int], dtype: str, name: str, attr: Any, initializer: Any) -> Parameter:
    """Return a Parameter of the main Program; append its initialisation to the startup Program.

    Raises:
        ShapeError: the main Program has a Parameter of this name and another shape.
    """
    options = {
        "trainable": attr.trainable, "optimize_attr": {"learning_rate": attr.learning_rate}, "regularizer": attr.regularizer,
        "gradient_clip_attr": attr.gradient_clip, "do_model_average": attr.do_model_average,
    }  # fmt: skip
    startup = programs.default_startup_program().global_block()
    if not startup.has_var(name):
        startup.create_parameter(initializer, name=name, shape=shape, dtype=dtype, **options)
    main = programs.default_main_program().global_block()
    known = main.vars.get(name)
    if isinstance(known, Parameter):  # the same name means the same parameter, with the latest options
        if known.shape != tuple(shape):
            fix = "Give it another name, or none."
            raise ShapeError(
                message(f"parameter {name}", "shape", list(shape), f"{list(known.shape)}, with which it was made", fix)
            )
        for option, value in options.items():
            setattr(known, option, value)
        return known
    return main.create_parameter(name=name, shape=shape, dtype=dtype, **options)
