"""Programs, blocks, operators and Variables: what they say of themselves, copies, pruning, lint."""

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    EnforceNotMet,
    MissingKeyError,
    MissingVariableError,
    ModeError,
    ShapeError,
)
from paddle_lite.static.program.roles import OpRole


def network():
    x = fluid.data("x", [None, 4])
    w = fluid.layers.create_parameter([4, 3], "float32", name="w")
    hidden = fluid.layers.dropout(fluid.layers.mul(x, w), 0.5)
    return x, w, hidden, fluid.layers.mean(hidden)


def types(program):
    return [op.type for op in program.global_block().ops]


def test_a_program_holds_what_was_called():
    x, _, hidden, loss = network()
    main, startup = fluid.default_main_program(), fluid.default_startup_program()
    assert types(main) == ["mul", "dropout", "mean"]
    assert types(startup) == ["uniform_random"]
    assert [p.name for p in main.all_parameters()] == ["w"]
    assert (x.shape, x.is_data, x.stop_gradient) == ((-1, 4), True, True)
    assert hidden.shape == (-1, 3) and loss.shape == (1,)
    assert loss.op.input("X") == [hidden.name] and loss.op.output_arg_names == ["mean_0.tmp_0"]
    assert {v.name for v in main.list_vars()} >= {"x", "w", hidden.name}
    assert main.num_blocks == 1 and main.current_block() is main.global_block()
    assert not main.lint() and not startup.lint()


def test_operators_tell_their_attributes():
    _, _, hidden, _ = network()
    op = hidden.op
    assert op.attr("dropout_prob") == 0.5 and op.attr("is_test") is False
    assert op.has_attr("op_role") and not op.has_attr("nothing")
    assert op.attr("op_role") == OpRole.Forward
    assert {"dropout_prob", "op_role", "op_namescope"} <= set(op.all_attrs())
    op._set_attr("is_test", True)
    assert op.attr("is_test") is True
    with pytest.raises(MissingKeyError, match="Operator dropout: attribute got 'nothing'"):
        op.attr("nothing")
    with pytest.raises(MissingKeyError, match="Operator dropout: input got 'Q'"):
        op.input("Q")
    with pytest.raises(EnforceNotMet, match="dropout_prob"):
        op._set_attr("dropout_prob", "half")


def test_a_wrong_call_names_the_operator_and_the_line_of_the_user():
    x = fluid.data("x", [None, 4])
    with pytest.raises(
        ShapeError, match=r"elementwise_add(.|\n)*test_program.py\", line \d+: fluid.layers.elementwise_add"
    ):
        fluid.layers.elementwise_add(x, fluid.data("y", [None, 5]))
    with pytest.raises(ArgumentTypeError, match=r"relu: Input\(X\) got ndarray"):
        fluid.layers.relu(np.ones(3))


def test_a_variable_of_a_program_has_no_values():
    x, *_ = network()
    with pytest.warns(UserWarning, match="bool.. of x: .* is always true"):
        assert bool(x)
    for call in (x.numpy, x.backward, x.gradient, lambda: np.array(x, "float32")):
        with pytest.raises(ModeError, match="no values before it runs"):
            call()
    with pytest.raises(ShapeError, match="first dimension"):
        len(x)


def test_missing_variables_are_value_errors_as_in_fluid():
    block = fluid.default_main_program().global_block()
    with pytest.raises(ValueError, match="'nope'"):
        block.var("nope")
    with pytest.raises(TypeError):
        block.var(3)
    assert not block.has_var("nope")


def test_name_scopes_are_numbered():
    x = fluid.data("x", [1])
    with fluid.name_scope("out"):
        with fluid.name_scope("in"):
            first = fluid.layers.relu(x)
        with fluid.name_scope("in"):
            second = fluid.layers.relu(x)
    assert first.op.attr("op_namescope").endswith("/in/")
    assert second.op.attr("op_namescope").endswith("/in_1/")
    assert fluid.layers.relu(x).op.attr("op_namescope") == "/"


def test_clone_copies_and_a_copy_for_tests_trains_nothing():
    *_, loss = network()
    main = fluid.default_main_program()
    before = main.clone(for_test=True)
    fluid.backward.append_backward(loss)
    after = main.clone(for_test=True)
    whole = main.clone()
    assert types(before) == types(after) == ["mul", "dropout", "mean"]
    assert str(before) == str(after)
    assert all(op.attr("is_test") for op in after.all_ops() if op.type == "dropout")
    assert not any(op.attr("is_test") for op in main.all_ops() if op.type == "dropout")
    assert str(whole) == str(main) and whole.global_block() is not main.global_block()
    assert [p.trainable for p in whole.all_parameters()] == [True]
    whole.global_block().append_op("relu", {"X": loss.name}, {"Out": loss.name})
    assert len(types(whole)) == len(types(main)) + 1
    assert not after.lint() and not whole.lint()


CLONED = {  # roles of the operators in the clone of 1.8.5, and the rates of four steps between which the clone runs
    "before minimize": ({0, 16}, [0.1, 0.05, 0.01, 0.01]),
    "after minimize": ({0, 256}, [0.1, 0.1, 0.05, 0.05]),
    "after gradients": ({0, 1, 16}, None),
}


@pytest.mark.parametrize("when", CLONED)
def test_a_clone_for_tests_omits_training_where_there_is_a_loss_as_in_1_8_5(when: str) -> None:
    program, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(program, startup):
        rate = fluid.layers.piecewise_decay([2, 4], [0.1, 0.05, 0.01])
        x = fluid.data("x", [4, 3])
        x.stop_gradient = False
        y = fluid.layers.dropout(fluid.layers.fc(x, 1), 0.5)
        loss = fluid.layers.mean(fluid.layers.square(y))
        if when == "after gradients":
            fluid.gradients(loss, [x])
        clone = program.clone(for_test=True) if when != "after minimize" else None
        fluid.optimizer.SGD(rate).minimize(loss)
        clone = clone or program.clone(for_test=True)
    assert clone.lint() == []
    roles, rates = CLONED[when]
    ops = clone.global_block().ops
    assert {op.attr("op_role") for op in ops} == roles
    assert next(op for op in ops if op.type == "dropout").attr("is_test")
    exe, scope, feed = fluid.Executor(fluid.CPUPlace()), fluid.Scope(), {"x": np.ones([4, 3], "float32")}
    exe.run(startup, scope=scope)
    if rates is None:
        return
    found = []
    for _ in range(4):
        found.append(exe.run(program, feed=feed, fetch_list=[rate], scope=scope)[0].item())
        exe.run(clone, feed=feed, fetch_list=[loss.name], scope=scope)
    np.testing.assert_allclose(found, rates, rtol=1e-6)


def test_pruning_keeps_what_the_targets_need():
    _, _, hidden, loss = network()
    fluid.backward.append_backward(loss)
    pruned = fluid.default_main_program()._prune([hidden])
    assert types(pruned) == ["mul", "dropout"]
    assert "mean_0.tmp_0" not in pruned.global_block().vars
    fed = fluid.default_main_program()._prune([loss], [hidden])
    assert types(fed) == ["mean"]
    with pytest.raises(EnforceNotMet, match="'nothing'"):
        fluid.default_main_program()._prune(["nothing"])


def test_bytes_and_back():
    *_, loss = network()
    fluid.backward.append_backward(loss)
    main = fluid.default_main_program()
    again = fluid.Program.parse_from_string(main.desc.serialize_to_string())
    assert str(again) == str(main)
    assert again.global_block().var("x").need_check_feed
    assert again.global_block().var("w").persistable
    with pytest.raises(EnforceNotMet):
        fluid.Program.parse_from_string(b"no program at all")


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        (lambda b: b.ops[0].set_input("X", ["ghost"]), "reads ghost, which no Variable is called"),
        (lambda b: b.ops.insert(0, b.ops.pop()), "before anything writes it"),
        (lambda b: b.ops[0].set_input("Q", ["x"]), "has no input slot Q"),
        (lambda b: b.ops[0].set_input("X", []), "its input slot X is empty"),
        (lambda b: b.ops[0].set_input("X", ["x", "x"]), "holds 2 Variables, but takes one"),
        (lambda b: b.ops[0].set_output("Out", ["ghost"]), "writes ghost, which no Variable is called"),
        (lambda b: setattr(b.vars["x"], "_name", "y"), "is kept under the name x"),
        (lambda b: setattr(b.ops[0], "type", "unheard_of") or setattr(b.ops[0], "_definition", None), "declares no such"),
    ],
)  # fmt: skip
def test_lint_finds_planted_faults(fault, complaint):
    network()
    main = fluid.default_main_program()
    assert main.lint() == []
    fault(main.global_block())
    assert any(complaint in sentence for sentence in main.lint()), main.lint()


def test_printing():
    network()
    main = fluid.default_main_program()
    assert "mul_0.tmp_0 = mul(X=x, Y=w)" in str(main)
    assert "dropout_prob" not in str(main) or "dropout_prob=0.5" not in str(main)
    assert '    name: "w"\n' in main.to_string(with_details=True)
    assert ">mul_0.tmp_0 [-1, 3]</td>" in main._repr_html_()


def test_seeds_belong_to_programs():
    main, startup = fluid.Program(), fluid.Program()
    startup.random_seed = 7
    main.random_seed = 3
    with fluid.program_guard(main, startup):
        fluid.layers.create_parameter([4, 3], "float32", name="w")
        out = fluid.layers.dropout(fluid.data("x", [2]), 0.5)
    assert startup.global_block().ops[0].attr("seed") == 7
    assert out.op.attr("seed") == 3
    with pytest.raises(ArgumentTypeError, match="random_seed"):
        main.random_seed = "3"


def test_a_renamed_variable_is_renamed_in_operators():
    x, *_ = network()
    x.name = "image"
    assert fluid.default_main_program().global_block().ops[0].input("X") == ["image"]
    assert fluid.default_main_program().lint() == []


def test_variables_of_the_other_mode_are_told_apart():
    x = fluid.data("x", [2])
    with fluid.dygraph.guard():
        y = fluid.dygraph.to_variable(np.ones(2, "float32"))
        with pytest.raises(
            ArgumentTypeError, match=r"needs a Variable of imperative mode. It belongs to the other mode"
        ):
            fluid.layers.relu(x)
    with pytest.raises(ModeError, match="got a Variable of imperative mode outside of it"):
        fluid.layers.relu(y)


@pytest.mark.parametrize(
    ("fed", "expected"),
    [
        (["x"], ["mul", "elementwise_add", "relu", "mean"]),
        ("x", ["mul", "elementwise_add", "relu", "mean"]),
        (["fc_0.tmp_1"], ["relu", "mean"]),
        (["mean_0.tmp_0"], []),
        (["nothing"], ["mul", "elementwise_add", "relu", "mean"]),
    ],
)
def test_pruning_with_inputs_as_1_8_5_has_it(fed, expected):
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        loss = fluid.layers.mean(fluid.layers.relu(fluid.layers.fc(fluid.data("x", [None, 2]), 2)))
        main = fluid.default_main_program()
        assert types(main._prune_with_input(fed, [loss])) == expected
        assert types(main._prune_with_input(feeded_var_names=fed, targets=loss)) == expected
        with pytest.raises(ValueError, match=r"_prune_with_input: feeded_var_names got"):
            main._prune_with_input([loss], [loss])
        with pytest.raises(ValueError, match="targets got int 1"):
            main._prune_with_input(fed, [1])


def test_operators_of_a_clone_write_what_has_the_name_of_a_variable_of_the_first_program():
    """As programs do that copy parameters by a clone: `assign(a, b)` under its guard, then `clone._prune(results)`."""
    a, b = (
        fluid.layers.create_parameter([2], "float32", name=name, default_initializer=fluid.initializer.Constant(value))
        for name, value in (("a", 1.0), ("b", 2.0))
    )
    clone = fluid.default_main_program().clone()
    with fluid.program_guard(clone):
        results = [fluid.layers.assign(a, b)]
    clone = clone._prune(results)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    exe.run(clone)
    assert np.array(fluid.global_scope().find_var("b").get_tensor()).tolist() == [1.0, 1.0]
    assert not fluid.default_main_program().global_block().ops and clone.lint() == []
    with fluid.program_guard(fluid.Program()), pytest.raises(MissingVariableError, match="'b'"):
        fluid.layers.assign(fluid.layers.ones([2], "float32"), b)


def test_slots_of_an_operator_are_in_alphabetical_order() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        result = fluid.layers.conv2d(fluid.data("x", [None, 3, 8, 8]), 4, 3, bias_attr=False)
        conv = result.op
        fluid.layers.layer_norm(result, name="norm")
        norm = fluid.default_main_program().global_block().ops[-1]
    assert conv.input_names == ["Bias", "Filter", "Input", "ResidualData"]
    assert conv.input_arg_names == [conv.input("Filter")[0], "x"]
    assert norm.output_names == ["Mean", "Variance", "Y"]
    assert norm.output_arg_names == [name for slot in norm.output_names for name in norm.output(slot)]


def test_the_block_of_gradients_is_found_from_its_forward_block() -> None:
    program = fluid.Program()
    body, gradients = program._create_block(), program._create_block()
    gradients._set_forward_block_idx(body.idx)
    assert [block.backward_block_idx for block in program.blocks] == [-1, gradients.idx, -1]


def test_programs_may_keep_attributes_of_their_own_on_what_they_build():
    """As in 1.8.5, where these are plain Python objects."""
    x = fluid.data("x", [2, 3])
    main = fluid.default_main_program()
    for thing in (main, main.global_block(), x, fluid.layers.relu(x).op):
        thing.of_mine = thing
        assert thing.of_mine is thing
    assert not hasattr(main.clone().global_block().ops[0], "of_mine")
