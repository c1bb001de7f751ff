"""Checks by hand that PaddlePaddle 1.8.5 reads what we write, and goes on training from it as we do.

    python tests/io/check_with_paddle.py PYTHON      # PYTHON: an interpreter that has paddlepaddle 1.8.5

Not a test of the suite, since that needs no PaddlePaddle.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

IN_PADDLE = """
import sys
import numpy as np
import paddle.fluid as fluid
from paddle.fluid import layers
from paddle.fluid.dygraph import BatchNorm, Conv2D, Embedding, Layer, Linear, NoamDecay, to_variable


class Model(Layer):
    def __init__(self):
        super(Model, self).__init__()
        self.conv, self.bn, self.emb, self.fc = Conv2D(1, 2, 3), BatchNorm(2), Embedding([5, 2]), Linear(10, 3)

    def forward(self, x, i):
        return self.fc(layers.concat([layers.reshape(self.bn(self.conv(x)), [2, 8]), self.emb(i)], axis=1))


with fluid.dygraph.guard():
    inputs = np.load("inputs.npz")
    x, i = to_variable(inputs["x"]), to_variable(inputs["i"])
    parameters, optimizer = fluid.load_dygraph("model")
    model = Model()
    model.set_dict(parameters)
    adam = fluid.optimizer.Adam(NoamDecay(100, 10), parameter_list=model.parameters())
    adam.set_dict(optimizer)
    model.eval()
    results = {"eval_out": model(x, i).numpy()}
    model.train()
    loss = layers.mean(layers.square(model(x, i)))
    loss.backward()
    adam.minimize(loss)
    results["loss"] = loss.numpy()
    results.update({"param/" + key: v.numpy() for key, v in model.state_dict().items()})
    results.update({"opt/" + key: v.numpy() for key, v in adam.state_dict().items() if key != "LR_Scheduler"})
    results["step_num"] = np.array(adam.state_dict()["LR_Scheduler"]["step_num"])
    np.savez("results.npz", **results)
    print("PaddlePaddle read", len(parameters), "parameters and", len(optimizer) - 1, "entries of the optimizer")
"""


def main(interpreter: str) -> None:
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
    import paddle_lite.fluid as fluid
    from tests.io.model import Model, loss_of

    with tempfile.TemporaryDirectory() as folder, fluid.dygraph.guard():
        path = pathlib.Path(folder)
        rng = np.random.RandomState(0)
        x, i = rng.rand(2, 1, 4, 4).astype("float32"), np.array([1, 3])
        np.savez(path / "inputs.npz", x=x, i=i)
        x, i = fluid.dygraph.to_variable(x), fluid.dygraph.to_variable(i)
        fluid.default_main_program().random_seed = 5
        model = Model()
        adam = fluid.optimizer.Adam(fluid.dygraph.NoamDecay(100, 10), parameter_list=model.parameters())

        def step():
            loss = loss_of(model, x, i)
            loss.backward()
            adam.minimize(loss)
            model.clear_gradients()
            return loss

        step()
        step()
        fluid.save_dygraph(model.state_dict(), path / "model")
        fluid.save_dygraph(adam.state_dict(), path / "model")
        model.eval()
        ours = {"eval_out": model(x, i).numpy()}
        model.train()
        ours["loss"] = step().numpy()
        ours.update({f"param/{key}": v.numpy() for key, v in model.state_dict().items()})
        schedule = adam.state_dict().pop("LR_Scheduler")
        ours.update({f"opt/{key}": v.numpy() for key, v in adam.state_dict().items() if key != "LR_Scheduler"})
        ours["step_num"] = np.array(schedule["step_num"])
        (path / "in_paddle.py").write_text(IN_PADDLE)
        subprocess.run([interpreter, "in_paddle.py"], cwd=folder, check=True)
        theirs = dict(np.load(path / "results.npz"))
    assert set(ours) == set(theirs), set(ours) ^ set(theirs)
    worst = max(float(np.max(np.abs(ours[key] - theirs[key]), initial=0)) for key in ours if not noisy(key))
    print(f"{len(ours)} results; the largest difference is {worst:.2g}")
    assert worst < 2e-5


def noisy(key: str) -> bool:
    """Whether it follows from a gradient that is rounding noise: that of the bias before batch_norm."""
    return key in ("param/conv.bias", "param/bn._mean") or key.startswith("opt/conv2d_0.b_0_moment")


if __name__ == "__main__":
    main(sys.argv[1])
