"""Random calls of Adam and its variants."""

from tests.ops.row import Sample
from tests.oracle.draws.optim.sgd import update


def adam(d):
    make = update("Moment1", "Moment2", "Beta1Pow Beta2Pow", "beta1 beta2 epsilon", sparse=True)
    inputs, attrs = make.inputs(d), make.given(d)
    if d.int(0, 3) == 0:
        inputs.update({slot: d.floats((1,), 0.1, 0.9) for slot in ("Beta1Tensor", "Beta2Tensor")})
    return Sample(inputs, dict(attrs, lazy_mode=d.one(True, False)), grads=())


CALLS = {
    "adam": adam,
    "adamax": update("Moment", "InfNorm", "Beta1Pow", "beta1 beta2 epsilon"),
    "lamb": update(
        "Moment1", "Moment2", "Beta1Pow Beta2Pow", "beta1 beta2 epsilon", sparse=True, always="weight_decay"
    ),
}
