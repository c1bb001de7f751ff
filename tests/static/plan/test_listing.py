"""The listing of a Plan: a row for each kernel, its costs, and what need not run; and comments in the source."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.jit import ProgramTranslator
from paddle_lite.static import Program, default_main_program, plan_of, program_guard
from paddle_lite.static.plan.costs import Amount
from paddle_lite.static.plan.listing import Listing, Row
from tests.static.passes import passes

layers = fluid.layers


def data(name: str = "x", *shape: int | None, **more: Any) -> Any:
    return fluid.data(name, list(shape) or [None, 8], "float32", **more)


def listing(fetches: list[Any], which: str = "all", program: Any = None) -> Listing:
    with passes(which):
        return plan_of(program, None, fetches).listing()


def kernels(found: Listing) -> list[str]:
    return [row.kernel for row in found.rows]


def row(found: Listing, start: str) -> Row:
    [one] = [row for row in found.rows if row.kernel.startswith(start)]
    return one


TEXT = """\
Plan of 4 operators: x -> relu_0.tmp_0, on the CPU

  #  kernel                         result                 moved             FLOPs
  1  mul                            mul_0.tmp_0 [N, 4]     128 B + 48 B x N  64 x N
  -  alias: assign                  assign_0.tmp_0 [N, 4]                            gives back what it is given: assign_0.tmp_0 is mul_0.tmp_0
  2  fused: elementwise_add + relu  relu_0.tmp_0 [N, 4]    16 B + 32 B x N   8 x N   1 value stays inside

4 operators in 2 calls: 144 B + 80 B x N moved, 72 x N FLOPs (estimates from the shapes; N is the batch)
Passes: constants, copies, fuse
Not run, for nobody reads what they make: mean, tanh x 2"""


def small() -> Any:
    """Three operators that run, and three that need not."""
    y = layers.relu(layers.elementwise_add(layers.assign(layers.mul(data(), layers.create_parameter([8, 4], "float32", "w"))),
                                           layers.create_parameter([4], "float32", "b")))  # fmt: skip
    layers.mean(layers.tanh(layers.tanh(y)))
    return y


def test_the_text() -> None:
    y = small()
    assert str(listing([y], "constants,copies,fuse")) == TEXT


def test_with_a_batch_sizes_are_numbers() -> None:
    text = listing([small()], "fuse").text(batch=10)
    assert "relu_0.tmp_0 [10, 4]" in text
    assert "(estimates from the shapes; a batch of 10)" in text
    assert " x N" not in text


def test_rows_count_every_operator_once() -> None:
    loss = layers.mean(small())
    fluid.optimizer.Adam(0.1).minimize(loss)
    for which in ("all", "none"):
        found = listing([loss], which)
        assert found.operators == len(plan_of(None, None, [loss]).ops)
    assert found.calls == found.operators


def test_what_is_fused_computes_the_same_and_moves_less() -> None:
    y = layers.softmax(layers.tanh(layers.scale(data(), 2.0)))
    apart, fused = listing([y], "none"), listing([y])
    assert kernels(apart) == ["scale", "tanh", "softmax"]
    assert kernels(fused) == ["fused: scale + tanh + softmax"]
    assert fused.flops == apart.flops == Amount(0, 8 * (1 + 1 + 5))
    assert (apart.moved, fused.moved) == (Amount(0, 3 * 64), Amount(0, 64))


def test_views_move_nothing_and_constants_are_not_called() -> None:
    x = data()
    y = layers.elementwise_add(
        layers.reshape(x, [-1, 2, 4]), layers.scale(layers.fill_constant([4], "float32", 3.0), 2.0)
    )
    found = listing([y], "constants,shapes")
    assert row(found, "view").moved == Amount() and row(found, "view").runs
    assert row(found, "view").note == "x.reshape((-1, 2, 4))"
    assert [(r.runs, r.moved, r.note) for r in found.rows if r.kernel.startswith("constant")] == [
        (False, Amount(), "computed when the Plan is made")
    ] * 2
    assert found.calls == 2


def test_what_was_computed_before() -> None:
    x = data()
    found = listing([layers.elementwise_add(layers.tanh(x), layers.tanh(x))], "copies")
    assert row(found, "alias").note == "computed before: tanh_1.tmp_0 is tanh_0.tmp_0"


def test_updates_together() -> None:
    loss = layers.mean(layers.fc(layers.fc(data("x", None, 80), 80), 80))
    fluid.optimizer.SGD(0.1, regularization=fluid.regularizer.L2Decay(0.1)).minimize(loss)
    update = row(listing([loss]), "update: scale x 4 + sum x 4 + sgd x 4")
    assert update.operators == 12
    assert update.note == "4 parameters, 8 operators on gradients within"
    assert [v.name for v in update.results][:1] == ["fc_1.w_0"]


def test_products_with_one_weight() -> None:
    w = layers.create_parameter([8, 8], "float32", "w")
    y = data()
    for _ in range(3):
        y = layers.tanh(layers.matmul(y, w))
    fluid.backward.append_backward(layers.mean(y))
    joined = row(listing([w.name + "@GRAD"]), "one product")
    assert (joined.kernel, joined.note) == ("one product: matmul_grad x 3 + sum", "the weight's gradient of 3 products")


def test_products_of_several_steps() -> None:
    x, w = data("x", 4, 2, 8), layers.create_parameter([8, 8], "float32", "w")
    found = listing([layers.sums([layers.matmul(x[i], w) for i in range(4)])])
    products = row(found, "products: matmul x 4")
    assert products.moved == Amount(4 * (4 * 2 * 8 + 8 * 8 + 4 * 2 * 8))
    assert products.flops == Amount(4 * 2 * 2 * 8 * 8)
    assert kernels(found).index(products.kernel) < kernels(found).index("sum")


def test_a_convolution_with_what_follows_it() -> None:
    y = layers.conv2d(data("x", None, 3, 8, 8), 4, 3, act="relu")
    [only] = listing([y]).rows
    assert only.kernel == "epilogue: conv2d + elementwise_add + relu"
    assert only.moved == Amount(4 * (4 * 27 + 4), 4 * (3 * 64 + 4 * 36))


def loop() -> Any:
    i = layers.fill_constant([1], "int64", 0)
    most = layers.fill_constant([1], "int64", 3)
    x = data("x", 4, 4)

    def body(i: Any, x: Any) -> list[Any]:
        return [layers.increment(i), layers.tanh(layers.scale(x, 0.5))]

    return layers.while_loop(lambda i, x: layers.less_than(i, most), body, [i, x])[1]


def test_the_rows_of_a_block_follow_its_operator() -> None:
    found = listing([loop()], "-loops")
    place = kernels(found).index("while")
    assert found.rows[place].note == "runs block 1" and found.rows[place].moved is None
    inner = [row.kernel for row in found.rows if row.depth == 1]
    assert "fused: scale + tanh" in inner and kernels(found)[place + 1] == inner[0]
    assert "each block once" in str(found)
    assert "    fused: scale + tanh" in str(found)


def test_a_loop_in_one_kernel_names_what_a_round_runs() -> None:
    found = row(listing([loop()]), "loop: while")
    assert found.note == "each round in it: increment + scale + tanh + less_than + assign x 2"


def test_flops_that_are_not_known_are_named() -> None:
    _, index = layers.topk(data(), 2)
    found = listing([index])
    assert found.rows[0].flops is None
    assert str(found).endswith("FLOPs not known of top_k")
    assert "  ?" in str(found)


def test_a_program_without_anything_to_run() -> None:
    x = data()
    found = listing([x])
    assert (found.rows, found.calls, found.moved) == ([], 0, Amount())
    assert "0 operators in 0 calls" in str(found)


# --- in a notebook and as a line ------------------------------------------------------------------------------------------


def test_notebooks_show_a_table_with_names_escaped() -> None:
    x = data('<script src="http://x">&', None, 8)
    y = layers.tanh(layers.scale(x, 2.0))
    with passes("none"):
        html = plan_of(None, None, [y])._repr_html_()
    assert html.count("<tr>") == 4 and ">tanh</td>" in html
    assert "<script" not in html and "&lt;script src=&quot;http://x&quot;&gt;&amp;" in html


def test_notebooks_indent_what_is_in_a_block() -> None:
    assert ">&nbsp;&nbsp;&nbsp;&nbsp;fused: scale + tanh</td>" in listing([loop()], "-loops").html()


def test_the_line_is_short() -> None:
    assert repr(plan_of(None, None, [small()])) == "<Plan of 4 operators: x -> relu_0.tmp_0>"


def test_looking_at_a_plan_does_not_change_how_it_runs() -> None:
    y = layers.tanh(layers.scale(data(), 2.0))
    exe = fluid.Executor(fluid.CPUPlace())
    with passes("all", warm_up=2):
        feed = {"x": np.ones([1, 8], "float32")}
        plan = plan_of(None, feed, [y])
        assert "scale, tanh" in plan.source and kernels(plan.listing()) == ["fused: scale + tanh"]
        for _ in range(3):
            exe.run(feed=feed, fetch_list=[y])
        assert plan._warm_up.over and (False, False) in plan._written
        assert "k0(" in plan._function(checked=False, fused=False).text


# --- which Plan -----------------------------------------------------------------------------------------------------------


def test_it_is_the_plan_that_an_executor_runs() -> None:
    y = small()
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    feed = {"x": np.ones([1, 8], "float32")}
    exe.run(feed=feed, fetch_list=[y])
    [plan] = default_main_program()._plans.values()
    assert plan_of(default_main_program(), feed, [y]) is plan
    assert plan_of(fetch_list=y) is plan and plan_of(None, ["x"], [y.name]) is plan
    assert plan_of(fluid.CompiledProgram(default_main_program()), ["x"], [y]) is plan
    assert plan_of(None, ["x"], [y], fluid.CPUPlace()) is plan


def test_names_with_lod_levels_come_with_a_lod() -> None:
    x = data("x", None, 8, lod_level=1)
    pooled = layers.sequence_pool(x, "sum")
    assert plan_of(None, ["x"], [pooled]).ragged == ["x"]
    assert plan_of(None, {"x": np.ones([1, 8], "float32")}, [x]).ragged == []


def test_wrong_calls() -> None:
    y = small()
    with pytest.raises(ArgumentTypeError, match=r"plan_of: program got .*, needs a fluid.Program or a CompiledProgram"):
        plan_of(default_main_program().global_block())
    with pytest.raises(ArgumentTypeError, match=r"plan_of: feed got str 'x', needs a dict"):
        plan_of(None, "x", [y])
    with pytest.raises(ArgumentValueError, match=r"plan_of: feed got 'z', needs names of Variables"):
        plan_of(None, ["z"], [y])
    with program_guard(Program()), pytest.raises(ArgumentValueError, match=r"plan_of: fetch_list got 'relu_0.tmp_0'"):
        plan_of(None, [], [y.name])


# --- the source -----------------------------------------------------------------------------------------------------------


def test_lines_name_their_operators_and_where_these_were_made() -> None:
    x = data()
    y = layers.softmax(layers.tanh(layers.mul(x, layers.create_parameter([8, 4], "float32", "w"))))
    line = test_lines_name_their_operators_and_where_these_were_made.__code__.co_firstlineno + 2
    with passes():
        lines = plan_of(None, None, [y]).source.splitlines()
    named = [text.partition("  # ")[2] for text in lines if "  # " in text]
    assert named == [f"mul (test_listing.py:{line})", f"tanh, softmax (test_listing.py:{line})"]


def test_many_operators_are_counted_or_left_out() -> None:
    x = y = data()
    for function in ("tanh", "tanh", "relu", "exp", "square", "sigmoid", "abs", "softsign", "cos", "sin"):
        y = getattr(layers, function)(y)
    with passes():
        [comment] = [
            line.partition("  # ")[2] for line in plan_of(None, [x], [y]).source.splitlines() if "  # " in line
        ]
    assert comment.startswith("tanh x 2, relu, exp, square, sigmoid, abs, softsign, cos, ... (")


def test_the_lines_of_a_program_from_a_file_have_no_place() -> None:
    y = layers.tanh(data())
    program = Program.parse_from_string(default_main_program().desc.serialize_to_string())
    assert "  # tanh\n" in plan_of(program, ["x"], [y.name]).source


def test_both_halves_of_a_declared_function() -> None:
    @fluid.dygraph.declarative
    def function(x: Any) -> Any:
        return layers.tanh(layers.scale(x, 2.0))

    with fluid.dygraph.guard(), passes():
        x = fluid.dygraph.to_variable(np.ones([2, 4], "float32"))
        x.stop_gradient = False
        layers.reduce_sum(function(x)).backward()
        concrete = ProgramTranslator().get_program_cache().newest()
        [bound] = concrete._plans.values()
        assert kernels(bound.plan.listing()) == ["fused: scale + tanh", "fused: tanh_grad + scale"]
        named = [
            line.partition("  # ")[2].partition(" (")[0] for line in bound.plan.source.splitlines() if "  # " in line
        ]
        assert named == ["scale, tanh", "tanh_grad, scale"]
    assert kernels(plan_of(concrete.main_program, concrete.inputs, concrete.outputs).listing()) == [
        "fused: scale + tanh"
    ]


def test_the_rows_of_a_gradient_s_block_follow_its_operator() -> None:
    [slope] = fluid.gradients(layers.reduce_sum(loop()), [default_main_program().global_block().var("x")])
    found = listing([slope], "-loops")
    place = kernels(found).index("while_grad")
    assert found.rows[place].note == "runs block 2"
    behind = [row.kernel for row in found.rows[place + 1 :] if row.depth == 1]
    ahead = [row.kernel for row in found.rows[:place] if row.depth == 1]
    assert any(each.startswith("fused: tanh_grad") for each in behind) and "fused: scale + tanh" in ahead
    assert not any("grad" in each for each in ahead)
