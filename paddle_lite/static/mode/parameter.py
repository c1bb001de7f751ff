"""Parameters in static mode: a Parameter of the main Program, and its initialisation in the startup Program."""

from __future__ import annotations

from typing import Any

from ..program import program as programs
from ..program.redeclared import require_same
from ..program.variable import Parameter


def make_parameter(shape: list[int], dtype: str, name: str, attr: Any, initializer: Any) -> Parameter:
    """Return a Parameter of the main Program; append its initialisation to the startup Program.

    Raises:
        ShapeError: one of the Programs has a Variable of this name and another shape.
        ArgumentValueError: that Variable has another dtype, or is no parameter.
    """
    options = {
        "trainable": attr.trainable, "optimize_attr": {"learning_rate": attr.learning_rate}, "regularizer": attr.regularizer,
        "gradient_clip_attr": attr.gradient_clip, "do_model_average": attr.do_model_average,
    }  # fmt: skip
    for program in (programs.default_startup_program(), programs.default_main_program()):
        known = program.global_block().vars.get(name)
        if known is not None:
            require_same(f"parameter {name}", known, {"shape": shape, "dtype": dtype, "persistable": True})
    startup = programs.default_startup_program().global_block()
    if not startup.has_var(name):
        startup.create_parameter(initializer, name=name, shape=shape, dtype=dtype, **options)
    main = programs.default_main_program().global_block()
    known = main.vars.get(name)
    if isinstance(known, Parameter):  # the same name means the same parameter, with the latest options
        for option, value in options.items():
            setattr(known, option, value)
        return known
    return main.create_parameter(name=name, shape=shape, dtype=dtype, **options)
