"""LookaheadOptimizer: every k steps, parameters move back towards slow copies of themselves."""

from __future__ import annotations

from typing import Any

from ..core.dtype import VarType
from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..ops.framework.registry import get as operator
from ..params.initializer import Constant
from ..static.program.persistent import persistent_variable
from ..static.program.program import default_startup_program, program_guard
from ..static.program.roles import OpRole, role
from .averaging import need_static
from .optimizer import Optimizer


class LookaheadOptimizer:
    """Keeps a slow copy of each parameter; every k steps slow += alpha * (parameter - slow) and parameter = slow.

    Source: Zhang et al., "Lookahead optimizer: k steps forward, 1 step back", 2019. Where PaddlePaddle has conditional
    blocks, the other steps multiply by 0 and 1 here: the numbers are equal.

    Arguments:
        inner_optimizer: the Optimizer that makes the steps.
        alpha: the step size of the slow copies, from 0 to 1.
        k: the number of steps, an int above 0.

    Raises:
        ArgumentTypeError: inner_optimizer is not an Optimizer.
        ArgumentValueError: alpha or k is out of range.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     w = fluid.layers.create_parameter([1], 'float32', name='w', default_initializer=fluid.initializer.Constant(2.))
    ...     lookahead = fluid.optimizer.LookaheadOptimizer(fluid.optimizer.SGD(1.0), alpha=0.5, k=2)
    ...     _ = lookahead.minimize(fluid.layers.mean(w))
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     _ = exe.run(fluid.default_startup_program())
    ...     [float(exe.run(fetch_list=[w])[0][0]) for _ in range(3)]
    [1.0, 1.0, 0.0]
    """

    def __init__(self, inner_optimizer: Any, alpha: float = 0.5, k: int = 5) -> None:
        where = "LookaheadOptimizer"
        if not isinstance(inner_optimizer, Optimizer):
            needs = "an optimizer, e.g. fluid.optimizer.SGD(0.1)"
            raise ArgumentTypeError(message(where, "inner_optimizer", describe(inner_optimizer), needs))
        if not 0.0 <= alpha <= 1.0:
            raise ArgumentValueError(message(where, "alpha", alpha, "a number from 0 to 1"))
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise ArgumentValueError(message(where, "k", describe(k), "an int above 0"))
        self.inner_optimizer, self.alpha, self.k = inner_optimizer, alpha, k
        self.type = "lookahead"

    def minimize(self, loss: Any, startup_program: Any = None) -> tuple[list, list[tuple[Any, Any]]]:
        """Append the step of the inner optimizer and the updates of the slow copies.

        Arguments:
            loss: the Variable to differentiate, of shape [1].
            startup_program: the Program for initialisation; the default one where it is None.

        Returns:
            The result of the inner optimizer's `minimize`.

        Raises:
            ModeError: in imperative mode.
        """
        need_static("LookaheadOptimizer.minimize")
        result = self.inner_optimizer.minimize(loss, startup_program)
        programs = (loss.block.program, startup_program or default_startup_program())
        with program_guard(*programs), role(OpRole.Optimize):  # a clone for tests does not contain it
            self._follow(loss.block.program.global_block())
        return result

    def _follow(self, block: Any) -> None:
        """Append the updates of the slow copies."""
        pairs = [(param, self._slow(block, param)) for param in block.all_parameters()]
        k = persistent_variable("lookahead_k", [1], "int32", Constant(float(self.k)))
        alpha: Any = persistent_variable("lookahead_alpha", [1], "float32", Constant(self.alpha))
        step = persistent_variable("lookahead_step", [1], "int32", Constant(0.0))
        block.append_op("increment", {"X": step}, {"Out": step}, {"step": 1.0})
        rest = operator("elementwise_mod").call(step, k)
        zero = operator("fill_constant").call(shape=[1], dtype=int(VarType.INT32), value=0.0)
        due = operator("equal").call(rest, zero)
        due = operator("cast").call(due, in_dtype=int(VarType.BOOL), out_dtype=int(VarType.FP32))
        for fast, slow in pairs:
            mixed = fast * alpha + slow * (1.0 - alpha)
            for variable in (slow, fast):
                block.append_op("assign", {"X": mixed * due + variable * (1.0 - due)}, {"Out": variable})

    def _slow(self, block: Any, param: Any) -> Any:
        """Create the slow copy of a parameter; the startup Program initialises it with the parameter."""
        name = f"{param.name}@SLOW"
        about = {"shape": param.shape, "dtype": param.dtype, "persistable": True, "stop_gradient": True}
        startup = default_startup_program().global_block()
        with role(OpRole.Forward):
            startup.append_op("assign", {"X": startup.var(param.name)}, {"Out": startup.create_var(name=name, **about)})
        return block.create_var(name=name, **about)
