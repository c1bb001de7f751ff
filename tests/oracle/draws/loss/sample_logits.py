"""Random calls of sample_logits, all with a seed."""

from tests.ops.row import Sample


def sample_logits(d):
    n, classes, true, dtype = d.int(1, 5), d.int(3, 30), d.int(1, 2), d.one("float32", "float64")
    attrs = {"num_samples": d.int(1, classes - 1), "seed": d.int(1, 2**31 - 1), "uniq": bool(d.int(0, 1))}
    attrs["remove_accidental_hits"] = bool(d.int(0, 1))
    inputs = {"Logits": d.floats((n, classes), dtype=dtype), "Labels": d.indices((n, true), classes, "int64")}
    if d.int(0, 2) == 0:
        shape = (n, true + attrs["num_samples"])
        inputs["CustomizedSamples"] = d.indices(shape, classes, "int64")
        inputs["CustomizedProbabilities"] = d.floats(shape, 0.05, 1.0, dtype)
        attrs["use_customized_samples"] = True
    return Sample(inputs, attrs, outputs=["Samples", "Probabilities", "SampledLogits", "SampledLabels"])


CALLS = {"sample_logits": sample_logits}
