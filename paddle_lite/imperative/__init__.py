"""Imperative mode: Variables, the tape, the backward engine, Layers. Programs know it as `paddle.imperative`.

The table below says where each name is; `core/lazy.py` explains its form.
"""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    imperative.base: disable_imperative enable_imperative enabled guard no_grad to_variable
    imperative.gradients: BackwardStrategy grad
    distributed.environment: ParallelEnv
    distributed.parallel: DataParallel prepare_context
    imperative.variable: Variable
    io.state: load=load_dygraph save=save_dygraph
    jit.declared: ProgramTranslator declarative
    jit.traced: TracedLayer
    optimizer.schedule_steps: CosineDecay ExponentialDecay InverseTimeDecay NaturalExpDecay NoamDecay PiecewiseDecay
    optimizer.schedule_steps: PolynomialDecay
    """,
)
