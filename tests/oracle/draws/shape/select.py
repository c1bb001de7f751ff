"""Random calls of the operators that choose among elements or arrays."""

from tests.ops.row import Sample


def where(d):
    s = d.shape()
    x = d.array(s)
    return Sample({"Condition": d.bits(s, "bool"), "X": x, "Y": d.array(s, x.dtype.name)})


def where_index(d):
    return Sample({"Condition": d.bits(d.shape(), "bool")})


def index_select(d):
    s = d.shape()
    axis = d.int(-len(s), len(s) - 1)
    return Sample({"X": d.array(s), "Index": d.indices((d.int(1, 6),), s[axis])}, {"dim": axis})


def index_sample(d):
    rows, width = d.int(1, 5), d.int(1, 6)
    return Sample({"X": d.array((rows, width)), "Index": d.indices((rows, d.int(1, 6)), width)})


def multiplex(d):
    s, count, dtype = d.shape(2), d.int(2, 4), d.one("float32", "float64", "int32", "int64")
    return Sample({"Ids": d.indices((s[0], 1), count, "int32"), "X": [d.array(s, dtype) for _ in range(count)]})


def one_hot(d):
    return hot(d, d.shape(1, 3) + (1,))


def one_hot_v2(d):
    return hot(d, d.shape(1, 3))


def hot(d, shape):
    depth, beyond = d.int(1, 6), d.one(0, 2)
    attrs = {"depth": depth, "allow_out_of_range": beyond > 0, "dtype": d.one(2, 3, 5, 6)}
    return Sample({"X": d.indices(shape, depth + 2 * beyond) - beyond}, attrs)


def shard_index(d):
    rows, parts = d.int(1, 30), d.int(1, 6)
    attrs = {"index_num": rows, "nshards": parts, "shard_id": d.int(0, parts - 1), "ignore_value": d.int(-3, -1)}
    return Sample({"X": d.indices(d.column(), rows)}, attrs)


CALLS = {
    f.__name__: f for f in (where, where_index, index_select, index_sample, multiplex, one_hot, one_hot_v2, shard_index)
}
