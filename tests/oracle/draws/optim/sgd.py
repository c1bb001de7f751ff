"""Random calls of gradient descent."""

from tests.ops.row import Sample, Sparse

REAL = ("float32", "float64")
SIZES = {
    "epsilon": (1e-6, 0.2),
    "l1": (0.0, 0.5),
    "l2": (0.0, 0.5),
    "lr_power": (-0.9, -0.2),
    "weight_decay": (0.0, 0.3),
}
SIZES.update(
    lars_coeff=(0.01, 0.3), lars_weight_decay=(0.0, 0.3), batch_size=(1.0, 8.0), sigma=(0.0, 2.0), clip=(0.2, 9)
)


def update(kept="", squares="", powers="", attrs="", sparse=False, rate=True, always="", dtypes=REAL):
    """An operator's accumulators: any numbers, numbers of at least 0, single numbers; and its attributes.

    sparse: the gradient of a matrix may have some rows only, some of them twice. Not of other ranks: real Paddle adds
        up wrongly there. Rows that are not sorted only where one is there twice: else it does not find all of them.
    always: attributes that have no default.
    """

    def call(d):
        return Sample(inputs(d), given(d), grads=())

    def inputs(d):
        some = sparse and d.int(0, 2) == 0
        shape, dtype = d.shape(2, 2) if some else d.shape(1, 3), d.one(*dtypes)
        made = {slot: d.floats(shape, -1, 1, dtype) for slot in ["Param", "Grad", *kept.split()]}
        made.update({slot: d.floats(shape, 0.1, 1, dtype) for slot in squares.split()})
        made.update({slot: d.floats((1,), 0.5, 0.99, dtype) for slot in powers.split()})
        if some:
            rows = d.sizes(d.int(1, 5), 0, shape[0] - 1)
            rows = sorted(rows) if len(set(rows)) == len(rows) else rows
            made["Grad"] = Sparse(rows, d.floats((len(rows),) + shape[1:], -1, 1, dtype), shape[0])
        if rate:
            made["LearningRate"] = d.floats((1,), 0.01, 0.5, dtype)
        return made

    def given(d):
        names = [n for n in attrs.split() if d.int(0, 1)] + always.split()
        return {name: d.number(*SIZES.get(name, (0.05, 0.95))) for name in names}

    call.inputs, call.given = inputs, given
    return call


def flagged(flag, make):
    """The same with a flag that is set or not."""
    return lambda d: Sample(make.inputs(d), dict(make.given(d), **{flag: d.one(True, False)}), grads=())


def dpsgd(d):
    make = update(attrs="clip batch_size sigma")
    return Sample(make.inputs(d), dict(make.given(d), seed=d.int(1, 99)), grads=())


CALLS = {
    "sgd": update(sparse=True),
    "dpsgd": dpsgd,
}
