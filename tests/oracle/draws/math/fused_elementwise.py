"""Random calls of an elementwise operator and a function as one operator."""

from tests.ops.row import Sample

COMBINATIONS = [
    ["elementwise_add", "relu"], ["elementwise_add", "scale"], ["elementwise_mul", "scale"], ["elementwise_mul", "sigmoid"],
    ["elementwise_mul", "tanh"], ["relu", "elementwise_add"], ["scale", "elementwise_add"], ["tanh", "elementwise_add"],
]  # fmt: skip


def fused_elemwise_activation(d):
    """Y is a part of the shape of X from some axis on."""
    names, dtype, shape = COMBINATIONS[d.int(0, 7)], d.one("float32", "float64"), d.shape(1, 4)
    start = d.int(0, len(shape) - 1)
    end = d.int(start + 1, len(shape))
    attrs = {"functor_list": names, "scale": d.number(-2, 2), "save_intermediate_out": True, "axis": start}
    x, y = d.floats(shape, 0.1, 2, dtype), d.floats(shape[start:end], 0.1, 2, dtype)  # relu has a kink at 0
    return Sample({"X": x, "Y": -y if names[1] == "relu" and d.int(0, 1) else y}, attrs)


CALLS = {"fused_elemwise_activation": fused_elemwise_activation}
