"""Random calls of gradient descent with momentum."""

from tests.oracle.draws.optim.sgd import flagged, update

CALLS = {
    "momentum": flagged("use_nesterov", update("Velocity", always="mu", sparse=True)),
    "lars_momentum": update("Velocity", attrs="lars_coeff lars_weight_decay", always="mu"),
}
