"""Random calls of proximal updates."""

from tests.ops.row import Sample


def update(*kept):
    """Paddle's kernels take float32 only."""

    def call(d):
        shape = d.shape(1, 3)
        inputs = {
            "Param": d.floats(shape, -1, 1),
            "Grad": d.floats(shape, -1, 1),
            "LearningRate": d.floats((1,), 0.01, 0.5),
        }
        inputs.update((slot, d.floats(shape, 0.1, 1)) for slot in kept)
        attrs = {"l1": d.one(0.0, d.number(0, 1)), "l2": d.one(0.0, d.number(0, 1))}
        return Sample(inputs, attrs, grads=())

    return call


CALLS = {"proximal_gd": update(), "proximal_adagrad": update("Moment")}
