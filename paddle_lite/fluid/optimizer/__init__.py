"""Optimizers.

The table below says where each name is; `core/lazy.py` explains its form. Names are imported at their first use.
"""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    within fluid.imports: *
    optimizer.averaging: ExponentialMovingAverage ModelAverage
    optimizer.lookahead: LookaheadOptimizer
    optimizer.optimizer: Optimizer
    optimizer.pipeline: PipelineOptimizer
    optimizer.recompute: RecomputeOptimizer
    optimizer.rules: Adam AdamOptimizer DGCMomentumOptimizer Dpsgd DpsgdOptimizer LarsMomentum LarsMomentumOptimizer
    optimizer.rules: Momentum MomentumOptimizer SGD SGDOptimizer
    optimizer.rules_adaptive: Adadelta AdadeltaOptimizer Adagrad AdagradOptimizer Adamax AdamaxOptimizer DecayedAdagrad
    optimizer.rules_adaptive: DecayedAdagradOptimizer Ftrl FtrlOptimizer Lamb LambOptimizer RMSProp RMSPropOptimizer
    within fluid.internals.layer_helpers: error_clip_callback
    """,
)
