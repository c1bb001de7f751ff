"""Random calls of FTRL."""

from tests.oracle.draws.optim.sgd import REAL, update

CALLS = {
    "ftrl": update("LinearAccumulator", "SquaredAccumulator", attrs="l1 l2 lr_power", dtypes=REAL[:1]),
}
