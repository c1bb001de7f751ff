"""Random calls of steps divided by the root of accumulated squared gradients."""

from tests.ops.row import Sample
from tests.oracle.draws.optim.sgd import REAL, update


def rmsprop(d):
    make = update("Moment", "MeanSquare", attrs="epsilon decay momentum", sparse=True, dtypes=REAL[:1])
    inputs = make.inputs(d)
    inputs["MeanGrad"] = d.floats(inputs["Param"].shape, -0.1, 0.1)  # its square is below the mean of squares
    return Sample(inputs, dict(make.given(d), centered=d.one(True, False)), grads=())


CALLS = {
    "adagrad": update(squares="Moment", attrs="epsilon", sparse=True),
    "decayed_adagrad": update(squares="Moment", attrs="decay epsilon", dtypes=REAL[:1]),
    "adadelta": update("", "AvgSquaredGrad AvgSquaredUpdate", attrs="rho epsilon", rate=False),
    "rmsprop": rmsprop,
}
