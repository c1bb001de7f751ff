"""Optimizers and learning-rate schedules.

The table below says where each name is; `core/lazy.py` explains its form.
"""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    optimizer.averaging: ExponentialMovingAverage ModelAverage
    optimizer.lookahead: LookaheadOptimizer
    optimizer.optimizer: Optimizer
    optimizer.recompute: RecomputeOptimizer
    optimizer.rules: Adam AdamOptimizer Dpsgd DpsgdOptimizer LarsMomentum LarsMomentumOptimizer Momentum
    optimizer.rules: MomentumOptimizer SGD SGDOptimizer
    optimizer.rules_adaptive: Adadelta AdadeltaOptimizer Adagrad AdagradOptimizer Adamax AdamaxOptimizer DecayedAdagrad
    optimizer.rules_adaptive: DecayedAdagradOptimizer Ftrl FtrlOptimizer Lamb LambOptimizer RMSProp RMSPropOptimizer

    [schedule] Learning-rate schedules of imperative mode.
    optimizer.schedule_base: LearningRateDecay
    optimizer.schedule_epochs: LambdaDecay MultiStepDecay StepDecay
    optimizer.schedule_plateau: ReduceLROnPlateau
    optimizer.schedule_steps: CosineDecay ExponentialDecay InverseTimeDecay LinearLrWarmup NaturalExpDecay NoamDecay
    optimizer.schedule_steps: PiecewiseDecay PolynomialDecay
    """,
)
