"""What results are called in Programs: after what the user says, after their layer, or after their operator."""

from __future__ import annotations

import pytest

import paddle_lite
import paddle_lite.fluid as fluid


@pytest.fixture
def x():
    with fluid.unique_name.guard(), fluid.program_guard(fluid.Program(), fluid.Program()):
        yield fluid.data("x", [2, 4])


def test_the_argument_name_of_functions_names_all_results(x):
    layers = fluid.layers
    assert layers.relu(x, name="n").name == "n.tmp_0"
    assert layers.relu(x, name="n").name == "n.tmp_1"
    assert layers.reshape(x, [4, 2], act="relu", name="r").name == "r.tmp_2"
    assert layers.elementwise_add(x, x, act="relu", name="a").name == "a.tmp_1"
    assert [v.name for v in layers.topk(x, 2)] == ["top_k_0.tmp_0", "top_k_0.tmp_1"]
    assert layers.fc(layers.relu(x, name="inner"), 3, name="f", act="tanh").name == "f.tmp_2"
    assert fluid.default_main_program().global_block().has_var("inner.tmp_0")


def test_a_users_function_names_nothing(x):
    def block(v, name=None):
        return fluid.layers.relu(v)

    assert block(x, name="mine").name == "relu_0.tmp_0"


def test_results_without_a_name_are_called_after_their_function(x):
    assert fluid.layers.transpose(x, [1, 0]).name == "transpose_0.tmp_0"
    assert fluid.layers.softmax(x).name == "softmax_0.tmp_0"
    assert fluid.layers.square_error_cost(x, x).name == "square_error_cost_0.tmp_1"
    assert fluid.layers.batch_norm(x, act="relu").name == "batch_norm_0.tmp_3"
    assert fluid.layers.group_norm(fluid.data("image", [1, 4, 2, 2]), 2).name == "_generated_var_2"


def test_some_results_have_the_users_name_itself():
    # recorded from 1.8.5
    x = fluid.data("x", [2, 2])
    assert [fluid.layers.clip(x, 0.0, 1.0, name="c").name for _ in range(2)] == ["c", "c"]
    assert fluid.layers.clip_by_norm(x, 1.0, name="norm").name == "norm"
    assert fluid.layers.clip(x, 0.0, 1.0).name == "clip_0.tmp_0"
    assert [paddle_lite.tril(x, name="low").name, paddle_lite.flip(x, [0], name="turned").name] == ["low", "turned"]
    assert [paddle_lite.tril(x).name, paddle_lite.triu(x).name] == ["tril_0", "triu_0"]


@pytest.mark.parametrize("file", ["<string>", "<stdin>", "<ipython-input-3-b9>"])
def test_names_and_lines_are_those_of_text_that_has_no_file(file):
    scope = {"layers": fluid.layers, "x": fluid.data("x", [2, 3])}
    exec(compile("y = layers.mean(x, name='m')", file, "exec"), scope)
    assert scope["y"].name == "m.tmp_0"
    with pytest.raises(fluid.core.EnforceNotMet, match=f'File "{file}", line 2'):
        exec(compile("\nlayers.reshape(x, [7])", file, "exec"), scope)


def test_results_of_layers_that_name_a_helping_result_first():
    # recorded from 1.8.5
    assert fluid.layers.lrn(fluid.data("image", [1, 4, 2, 2])).name == "lrn_0.tmp_1"
    loc, scores, boxes = fluid.data("loc", [1, 6, 4]), fluid.data("scores", [1, 6, 3]), fluid.data("boxes", [6, 4])
    assert fluid.layers.detection_output(loc, scores, boxes, boxes).name == "detection_output_0.tmp_0"
