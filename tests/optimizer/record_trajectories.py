"""Record what real PaddlePaddle 1.8.5 does in the cases of recorded_cases.py.

    PYTHON_WITH_PADDLE_1_8_5 tests/optimizer/record_trajectories.py      (from the root of the repository)

writes tests/optimizer/trajectories.npz: for each case all its numbers in one array, and what they are in "about" (JSON).
"""

import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


class Fluid:
    """The names of Fluid that the cases use."""

    def __init__(self, fluid):
        self.fluid, self.names = fluid, {}
        self.guard, self.to_variable = fluid.dygraph.guard, fluid.dygraph.to_variable

    def __getattr__(self, name):
        fluid = self.fluid
        modules = (fluid.optimizer, fluid.regularizer, fluid.clip, fluid.dygraph)
        return next(getattr(m, name) for m in modules if hasattr(m, name))

    def _attr(self, name, value, more):
        return self.fluid.ParamAttr(name=name, initializer=self.fluid.initializer.NumpyArrayInitializer(value), **more)

    def parameter(self, name, value, more):
        layer = self.fluid.dygraph.Layer(dtype=value.dtype.name)
        # the initializer knows no float64: set the values afterwards
        param = layer.create_parameter(list(value.shape), self.fluid.ParamAttr(name=name, **more), value.dtype.name)
        param.set_value(value)
        return param, lambda gradient: param * self.to_variable(gradient)

    def table(self, name, value, more):
        layer = self.fluid.dygraph.Embedding(list(value.shape), True, param_attr=self._attr(name, value, more))
        return layer.weight, lambda ids, gradient: layer(self.to_variable(ids)) * self.to_variable(gradient)


def main():
    sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
    import paddle.fluid as fluid

    from tests.optimizer.recorded_cases import CASES, simulate

    store, about = {}, {}
    for case in CASES:
        found = sorted(simulate(Fluid(fluid), case).items())
        about[case.name] = [[what, list(value.shape), value.dtype.name] for what, value in found]
        store[case.name] = np.concatenate([value.ravel().astype("float64") for _, value in found])
    path = os.path.join(HERE, "trajectories.npz")
    np.savez_compressed(path, about=np.array(json.dumps(about)), **store)
    print("%d cases, %d KiB" % (len(CASES), os.path.getsize(path) // 1024))


if __name__ == "__main__":
    main()
