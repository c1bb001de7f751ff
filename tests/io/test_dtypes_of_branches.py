"""A Variable that a branch writes may hold another dtype than the Program says, in files as in the scope."""

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import StoredDtypeError


def average():
    """A network whose parameters are averaged; thres_steps is whole, and so the decay of a branch is declared whole."""
    x = fluid.data("x", [None, 4])
    loss = fluid.layers.mean(fluid.layers.square(fluid.layers.fc(x, 3)))
    fluid.optimizer.SGD(0.1).minimize(loss)
    steps = fluid.layers.autoincreased_step_counter()
    fluid.optimizer.ExponentialMovingAverage(0.9, thres_steps=steps).update()
    return loss


def losses(executor, loss, count=2):
    feed = {"x": np.linspace(-1, 1, 8, dtype="float32").reshape(2, 4)}
    return [executor.run(feed=feed, fetch_list=[loss])[0].item() for _ in range(count)]


@pytest.mark.parametrize("form", ["persistables", "one file", "saved"])
def test_training_goes_on_where_a_branch_declares_another_dtype(tmp_path, form):
    loss = average()
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(fluid.default_startup_program())
    losses(executor, loss)
    main, file = fluid.default_main_program(), "all" if form == "one file" else None
    if form == "saved":
        fluid.save(main, str(tmp_path / "model"))
    else:
        fluid.io.save_persistables(executor, str(tmp_path), main, file)
    wanted = losses(executor, loss)
    with fluid.scope_guard(fluid.Scope()):
        if form == "saved":
            fluid.load(main, str(tmp_path / "model"), executor)
        else:
            fluid.io.load_persistables(executor, str(tmp_path), main, file)
        assert losses(executor, loss) == wanted


def test_another_dtype_of_a_parameter_is_refused(tmp_path):
    fluid.layers.create_parameter([2], "float32", name="w")
    executor = fluid.Executor(fluid.CPUPlace())
    fluid.global_scope().var("w").get_tensor().set(np.ones(2), fluid.CPUPlace())
    fluid.io.save_persistables(executor, str(tmp_path))
    with pytest.raises(StoredDtypeError, match="variable w got dtype float64, needs float32"):
        fluid.io.load_persistables(executor, str(tmp_path))
