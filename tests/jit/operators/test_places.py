"""Containers whose items a branch or a round sets: copied, put back, and filled again, the same objects throughout."""

from collections import OrderedDict

from paddle_lite.jit.operators.places import Contents, copied, refilled, unchanged
from paddle_lite.jit.operators.values import Stack


def nested():
    return {"a": [1, (2, [3])], "b": OrderedDict(c=4)}


def test_copies_go_all_the_way_down():
    value = nested()
    made = copied(value)
    assert made == value and type(made["b"]) is OrderedDict
    made["a"][1][1].append(5)
    assert value == nested()
    assert copied(7) == 7


def test_contents_are_put_back_into_the_same_objects():
    value = nested()
    inner = value["a"][1][1]
    kept = Contents(value)
    value["a"][1][1].append(5)
    value["a"].append(6)
    del value["b"]
    assert kept.restore() is value
    assert value == nested() and value["a"][1][1] is inner


def test_refilled_keeps_the_objects():
    value = nested()
    inner = value["a"]
    assert refilled(value, {"a": [9], "z": 1}) is value
    assert value == {"a": [9], "z": 1} and value["a"] is inner
    assert refilled([1], (1,)) == (1,)
    stack = Stack("array", 1)
    assert refilled(stack, Stack("array", 2)) is stack and stack.length == 2


def test_unchanged_means_the_same_leaves():
    leaf = object()
    assert unchanged([leaf, {"a": leaf}], [leaf, {"a": leaf}])
    assert not unchanged([leaf], [object()])
    assert not unchanged([leaf], [leaf, leaf])
    assert not unchanged({"a": leaf}, {"b": leaf})
