"""A few classes in the place of all."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

N, CLASSES = 3, 10
ALL = ["Samples", "Probabilities", "SampledLogits", "SampledLabels"]
SAMPLES = np.array([[1, 0, 3, 5, 7], [2, 0, 3, 5, 2], [9, 9, 3, 5, 7]], "int64")


def call(labels=((1,), (2,), (9,)), samples=None, classes=CLASSES, note="", **attrs):
    inputs = {"Logits": draw(N, classes, low=-2, high=2), "Labels": np.array(labels, "int64")}
    attrs = dict({"num_samples": 4, "seed": 3}, **attrs)
    if samples is not None:
        inputs.update(CustomizedSamples=samples, CustomizedProbabilities=draw(*samples.shape, low=0.1, high=0.5))
        attrs["use_customized_samples"] = True
    return Sample(inputs, attrs, outputs=ALL, note=note)


def bad(error, match, sample=None, attrs=None, **inputs):
    sample = sample or call()
    return Bad(dict(sample.inputs, **inputs), dict(sample.attrs, **(attrs or {})), error, match)


ROWS = [
    Row(
        "sample_logits",
        [
            call(remove_accidental_hits=False),
            call(labels=[[7], [8], [9]]),
            call(labels=[[7, 8], [8, 9], [9, 5]], num_samples=5, seed=11),
            call(labels=[[0], [8], [9]], num_samples=9, remove_accidental_hits=False, note="drawn again and again"),
            call(
                labels=[[30], [8], [39]], classes=40, num_samples=12, seed=77, uniq=False, remove_accidental_hits=False
            ),
            call(samples=SAMPLES, remove_accidental_hits=False),
            Sample(dict(call().inputs), call().attrs, outputs=ALL, grads=(), note="drawn classes that are true ones"),
            Sample(dict(call(samples=SAMPLES).inputs), call(samples=SAMPLES).attrs, outputs=ALL, grads=()),
        ],
        [
            bad("ArgumentValueError", "num_samples", attrs={"num_samples": 11}),
            bad("ArgumentValueError", "num_samples", attrs={"num_samples": 0}),
            bad("IndexRangeError", "from 0 to 9", Labels=np.array([[1], [2], [10]], "int64")),
            bad("IndexRangeError", "from 0 to 9", call(samples=SAMPLES + 1)),
            bad("ShapeError", "Input(Labels)", Labels=np.array([1, 2, 3], "int64")),
            bad("ShapeError", "Input(Labels)", Labels=np.array([[1], [2]], "int64")),
            bad("DtypeError", "int64", Labels=np.array([[1], [2], [3]], "int32")),
            bad("ArgumentTypeError", "CustomizedSamples", attrs={"use_customized_samples": True}),
            bad("ShapeError", "Input(CustomizedSamples)", call(samples=SAMPLES[:, 1:])),
        ],
        random=True,
    ),
]
