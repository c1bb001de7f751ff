"""What Layers say of themselves: their text, `summary`, and what a notebook shows."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError
from paddle_lite.core.mode import loaders, state
from paddle_lite.fluid import dygraph as D
from paddle_lite.imperative.views.html import layer_tree


@pytest.fixture(autouse=True)
def imperative():
    with D.guard():
        yield


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = D.Sequential(D.Conv2D(1, 4, 3, act="relu"), D.Pool2D(2, "avg", 2))
        self.norm = D.BatchNorm(4)
        self.drop = D.Dropout(0.3)
        self.top = paddle.nn.Linear(4 * 3 * 3, 2)
        self.unused = paddle.nn.Linear(2, 2)
        self.unused.weight.trainable = False

    def forward(self, x):
        return self.top(self.drop(self.norm(self.body(x))).reshape(x.shape[0], -1))


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: paddle.nn.Linear(4, 2), "Linear(4, 2)"),
        (lambda: paddle.nn.Linear(4, output_dim=2, act="relu"), "Linear(4, 2, act='relu')"),
        (lambda: D.Conv2D(3, 16, 3), "Conv2D(3, 16, filter_size=3, stride=1, padding=0, dilation=1)"),
        (lambda: paddle.nn.Conv2D(3, 16, 3), "Conv2D(3, 16, filter_size=3, padding=0, stride=1, dilation=1)"),
        (lambda: D.Embedding([5, 3]), "Embedding([5, 3])"),
        (lambda: paddle.nn.Linear(4, 2, fluid.ParamAttr(name="own"), False), "Linear(4, 2, bias_attr=False)"),
        (lambda: D.Pool2D(2, "avg", 2), "Pool2D(pool_size=2, pool_type='avg', pool_stride=2, pool_padding=0)"),
        (lambda: paddle.nn.ReLU(), "ReLU()"),
        (lambda: copy.deepcopy(D.LayerNorm(4)), "LayerNorm(4, epsilon=1e-05)"),
    ],
)
def test_layers_of_the_library_show_their_hyperparameters(make, text):
    assert repr(make()) == text


def test_a_network_shows_its_tree_and_the_number_of_parameters():
    text = repr(Net())
    assert "    (0): Conv2D(1, 4, filter_size=3" in text and text.endswith(")  # 136 parameters")


def test_users_layers_choose_what_they_show():
    class Scale(paddle.nn.Layer):
        def __init__(self, factor, parts=()):
            super().__init__()
            self.factor, self.parts = factor, D.Sequential(*parts)

        def extra_repr(self):
            return f"factor={self.factor}"

    class Named(paddle.nn.Linear):
        def __repr__(self):
            return "mine"

    assert repr(Scale(2)) == "Scale(factor=2\n  (parts): Sequential()\n)  # 0 parameters"
    assert "(0): mine" in repr(Scale(2, [Named(2, 2)]))


def test_arguments_are_not_kept_alive():
    weights = fluid.initializer.NumpyArrayInitializer(np.zeros([4, 2], "float32"))
    layer = paddle.nn.Linear(4, 2, fluid.ParamAttr(initializer=weights))
    assert not any(value is weights for value in layer.__dict__["_given"][0])


def test_summary():
    net = Net()
    before = net.norm._mean.numpy().tolist()
    found = paddle.summary(net, [None, 1, 8, 8])
    by_path = {row.path: row for row in found.rows}
    assert list(by_path) == ["", "body", "body.0", "body.1", "norm", "drop", "top"]
    assert by_path["body.0"].shape == [1, 4, 6, 6] and by_path["body"].shape == [1, 4, 3, 3]
    assert by_path["top"].flops == 2 * 36 * 2 + 2 and by_path["body.0"].flops == 2 * 9 * 144 + 2 * 144
    assert by_path[""].flops == found.flops == sum(by_path[p].flops for p in ("body", "norm", "drop", "top"))
    assert (found.parameters, found.trainable) == (136, 132 - 8)
    assert net.training and net.norm._mean.numpy().tolist() == before
    assert not net(paddle.to_tensor(np.ones([1, 1, 8, 8], "float32"))).stop_gradient
    assert "body" in repr(found) and "136 parameters (124 trained)" in repr(found)
    assert ">[1, 2]</td>" in found._repr_html_()
    assert not (net.top.weight * 2).stop_gradient, "gradients are recorded afterwards, as before"


def test_the_graph_of_a_summary_is_that_of_the_values():
    class Residual(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.inner = paddle.nn.Linear(4, 4)
            self.scale = self.create_parameter([4, 4])

        def forward(self, x):
            for _ in range(2):
                x = self.inner(x) + x
            return paddle.matmul(x, self.scale)

    graph = paddle.summary(Residual(), [2, 4]).graph
    named = {key: node.lines for key, node in graph.nodes.items()}
    assert named["n0"] == ("input", "[2, 4]") and ("inner", "Linear(4, 4)", "[2, 4]") in named.values()
    found = sorted((named[a][0], named[b][0]) for a, b in graph.edges)
    assert found == sorted([
        ("input", "inner"), ("inner", "elementwise_add"), ("input", "elementwise_add"),
        ("elementwise_add", "inner"), ("inner", "elementwise_add"), ("elementwise_add", "elementwise_add"),
        ("elementwise_add", "matmul"), ("scale", "matmul"),
    ])  # fmt: skip


def test_summary_of_several_inputs_and_unknown_flops():
    class Two(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.table = D.Embedding([5, 3])

        def forward(self, ids, x):
            return self.table(ids), fluid.layers.argsort(x)[0]

    found = paddle.summary(Two(), [[2], [2, 3]], ["int64", "float32"])
    assert found.rows[0].shape == ([2, 3], [2, 3]) and found.rows[1].shape == [2, 3]
    assert found.uncounted == ["argsort"] and "without argsort" in repr(found)


def test_wrong_calls():
    with pytest.raises(ArgumentTypeError, match="a Layer"):
        paddle.summary(3, [1])
    with pytest.raises(ArgumentValueError, match="input_shape"):
        paddle.summary(Net(), "1, 1")
    with pytest.raises(ArgumentValueError, match="1 dtypes"):
        paddle.summary(Net(), [[1], [2]], ["float32"])
    with pytest.raises(ArgumentValueError, match="fails"):
        raise_in_forward()


def raise_in_forward():
    class Fails(paddle.nn.Layer):
        def forward(self, x):
            raise ArgumentValueError("fails")

    net = Fails()
    try:
        paddle.summary(net, [1])
    finally:
        assert net.training and not net._forward_pre_hooks and not net._forward_post_hooks


def test_a_notebook_shows_a_table():
    html = Net()._repr_html_()
    assert html.startswith("<table>") and html.count("<tr>") == 1 + 8
    assert "act=&#x27;relu&#x27;" in html
    assert "<details><summary>graph</summary>" in html and html.count("<svg") == 1


def test_the_graph_has_an_edge_for_each_sublayer():
    graph = layer_tree(Net())
    named = {key: node.lines[0] for key, node in graph.nodes.items()}
    inside = {("body", "0"), ("body", "1")}
    top = {("(network)", name) for name in ("body", "norm", "drop", "top", "unused")}
    assert {(named[a], named[b]) for a, b in graph.edges} == inside | top
    assert "Conv2D(1, 4, filter_size=3" in graph.nodes["n2"].lines[1]


def test_summary_needs_imperative_mode(monkeypatch):
    net = Net()
    monkeypatch.setattr(state, "mode", loaders["static"]())
    with pytest.raises(ModeError, match="summary"):
        paddle.summary(net, [1])
