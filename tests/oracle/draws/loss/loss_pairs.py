"""Random calls of the losses that compare two arrays."""

from tests.ops.row import Sample


def huber_loss(d):
    s = d.shape()
    return Sample({"X": d.floats(s), "Y": d.floats(s)}, {"delta": d.number(0.1, 3)})


def smooth_l1_loss(d):
    s = d.shape(2)
    inputs = {"X": d.floats(s), "Y": d.floats(s)}
    if d.int(0, 1):
        inputs.update(InsideWeight=d.floats(s), OutsideWeight=d.floats(s))
    return Sample(inputs, {"sigma": d.number(0.3, 3)})


def log_loss(d):
    s = d.column()
    return Sample({"Predicted": d.floats(s, 0.01, 0.99), "Labels": d.bits(s)}, {"epsilon": d.number(1e-5, 0.1)})


def bce_loss(d):
    s = d.shape()
    return Sample({"X": d.floats(s, 0.01, 0.99), "Label": d.floats(s, 0, 1)})


def sigmoid_cross_entropy_with_logits(d):
    s = d.shape()
    label, ignored = d.bits(s) - d.bits(s), d.int(-2, 1)
    label.flat[0] = ignored + 1  # one at least counts
    attrs = {"ignore_index": ignored, "normalize": d.one(True, False)}
    return Sample({"X": d.floats(s, -20, 20), "Label": label}, attrs)


def teacher_student_sigmoid_loss(d):
    s = d.column()
    bounds = {"soft_max_up_bound": float(d.int(1, 6)), "soft_max_lower_bound": -float(d.int(1, 6))}
    return Sample({"X": d.floats(s, -9, 9), "Label": d.floats(s)}, bounds)


def kldiv_loss(d):
    s = d.shape()
    reduction = d.one("none", "sum", "mean", "batchmean")
    return Sample({"X": d.floats(s), "Target": d.floats(s, -0.5, 1)}, {"reduction": reduction})


def hinge_loss(d):
    s = d.column()
    return Sample({"Logits": d.floats(s), "Labels": d.bits(s)})


def margin_rank_loss(d):
    s = d.column()
    return Sample({"X1": d.floats(s), "X2": d.floats(s), "Label": 2 * d.bits(s) - 1}, {"margin": d.number(0, 2)})


def rank_loss(d):
    s = d.column()
    return Sample({"Label": d.bits(s), "Left": d.floats(s, -20, 20), "Right": d.floats(s)})


def modified_huber_loss(d):
    s = d.column()
    return Sample({"X": d.floats(s), "Y": d.bits(s)})


def squared_l2_distance(d):
    s = d.shape(2)
    return Sample({"X": d.floats(s), "Y": d.floats((d.one(1, s[0]),) + s[1:])})


CALLS = {
    f.__name__: f
    for f in (
        huber_loss, smooth_l1_loss, log_loss, bce_loss, sigmoid_cross_entropy_with_logits, teacher_student_sigmoid_loss,
        kldiv_loss, hinge_loss, margin_rank_loss, rank_loss, modified_huber_loss, squared_l2_distance,
    )
}  # fmt: skip
