"""Layer: registering, walking, names, state dicts, hooks, training mode."""

import abc
import warnings

import numpy as np
import pytest

from paddle_lite.core import mode
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    EnforceNotMet,
    MissingKeyError,
    ShapeError,
)
from paddle_lite.imperative import Variable, guard, no_grad, to_variable
from paddle_lite.imperative.layer import Layer, snake_case
from paddle_lite.nn import BatchNorm, Dropout, Linear, Pool2D


class Inner(Layer):
    def __init__(self):
        super().__init__()
        self.fc = Linear(2, 2)

    def forward(self, x):
        return self.fc(x)


class Outer(Layer):
    def __init__(self):
        super().__init__()
        self.a = Inner()
        self.w = self.create_parameter([3])
        self.b = Linear(2, 1, bias_attr=False)
        self.bias = self.create_parameter([1], is_bias=True)

    def forward(self, x):
        return self.b(self.a(x))


def variable(*values, dtype="float32"):
    return to_variable(np.array(values, dtype))


# --- names ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "snake"),
    [
        ("HelloWorldNet", "hello_world_net"), ("RNN2D", "rnn2d"), ("Conv2D", "conv2d"), ("Layer", "layer"),
        ("LSTMCell", "lstm_cell"), ("MyNET", "my_net"), ("Linear", "linear"), ("BatchNorm", "batch_norm"),
        ("BilinearTensorProduct", "bilinear_tensor_product"), ("GRUUnit", "gru_unit"), ("PRelu", "p_relu"), ("net", "net"),
    ],
)  # fmt: skip
def test_class_names_become_snake_case(name, snake):
    assert snake_case(name) == snake


def test_every_layer_takes_a_number_of_its_own_kind():
    names = [make().full_name() for make in (Inner, lambda: Linear(1, 1), lambda: Pool2D(2), Dropout, Layer, Dropout)]
    assert names == ["inner_0", "linear_1", "pool2d_0", "dropout_0", "layer_0", "dropout_1"]
    assert Layer("my").full_name() == "my_0" and Layer("my").full_name() == "my_1"


def test_numbers_start_again_in_each_guard_and_go_on_outside():
    assert Linear(1, 1).weight.name == "linear_0.w_0"
    with guard():
        assert Linear(1, 1).weight.name == "linear_0.w_0"
        assert Linear(1, 1).bias.name == "linear_1.b_0"
    assert Linear(1, 1).weight.name == "linear_1.w_0"


# --- registering ----------------------------------------------------------------------------------------------------------


def test_parameters_and_layers_register_themselves_and_other_values_do_not():
    layer = Layer()
    layer.p, layer.l, layer.v, layer.n = Linear(1, 1).weight, Linear(1, 1), variable(1), 3
    assert list(layer.state_dict()) == ["p", "l.weight", "l.bias"]
    assert type(layer.v) is Variable and layer.n == 3
    assert {"p", "l", "v", "n", "state_dict"} <= set(dir(layer))


def test_none_takes_the_place_of_a_parameter_or_layer():
    layer = Outer()
    layer.w = None
    layer.a = None
    assert layer.w is None and layer.a is None
    assert list(layer.state_dict()) == ["bias", "b.weight"] and layer.sublayers() == [layer.b]
    layer.w = Linear(1, 1).weight
    assert "w" in layer.state_dict()


@pytest.mark.parametrize("value", [3, "a", [1]])
def test_other_values_do_not(value):
    layer = Outer()
    with pytest.raises(ArgumentTypeError, match="assignment to parameter 'w' should be of type Parameter or None"):
        layer.w = value
    with pytest.raises(ArgumentTypeError, match="assignment to sublayer 'a' should be of type Layer or None"):
        layer.a = value
    with pytest.raises(ArgumentTypeError, match=rf"but got '{type(value).__name__}'. Delete it first \(del layer.w\)"):
        layer.w = value


def test_kinds_may_change_places():
    layer = Layer()
    layer.x = 3
    layer.x = Linear(1, 1)
    assert list(layer.state_dict()) == ["x.weight", "x.bias"]
    layer.x = Linear(1, 1).weight
    assert list(layer.state_dict()) == ["x"] and layer.sublayers() == []
    layer.x = Linear(1, 1)
    assert list(layer.state_dict()) == ["x.weight", "x.bias"]


def test_deleting():
    layer = Outer()
    del layer.w, layer.a
    assert list(layer.state_dict()) == ["bias", "b.weight"]
    layer.n = 1
    del layer.n
    for name in ("w", "a", "n"):
        with pytest.raises(AttributeError):
            getattr(layer, name)
        with pytest.raises(AttributeError):
            delattr(layer, name)


def test_a_missing_attribute_is_named():
    with pytest.raises(AttributeError, match="'Outer' object has no attribute 'foo'"):
        _ = Outer().foo


def test_registering_before_init_says_what_to_call():
    class Late(Layer):
        def __init__(self, value):
            self.value = value
            super().__init__()

    for value in (Linear(1, 1), Linear(1, 1).weight):
        with pytest.raises(ArgumentValueError, match=r"super\(Late, self\).__init__\(\) should be called first"):
            Late(value)
    assert Late(3).value == 3

    class Adding(Layer):
        def __init__(self):
            self.add_sublayer("a", Linear(1, 1))

    with pytest.raises(AttributeError, match=r"super\(Adding, self\).__init__\(\) should be called first"):
        Adding()


def test_calling_what_was_never_begun_says_what_to_call():
    class Bare(Layer):
        def __init__(self):
            pass

    for use in (lambda bare: bare(1), lambda bare: bare.parameters(), lambda bare: bare.training):
        with pytest.raises(AttributeError, match=r"super\(Bare, self\).__init__\(\) should be called first"):
            use(Bare())


def test_add_parameter_and_add_sublayer():
    layer, p, sub = Layer(), Linear(1, 1).weight, Linear(1, 1)
    assert layer.add_parameter("p", p) is p and layer.p is p
    assert layer.add_parameter("q", None) is None and layer.q is None
    assert layer.add_sublayer("s", sub) is sub and layer.s is sub
    assert list(layer.state_dict()) == ["p", "s.weight", "s.bias"]
    with pytest.raises(
        ArgumentTypeError, match=r"add_parameter: parameter got Variable of shape \[1\].*needs a Parameter"
    ):
        layer.add_parameter("p", variable(1))
    with pytest.raises(ArgumentTypeError, match="add_sublayer: sublayer got int 3, needs a Layer"):
        layer.add_sublayer("s", 3)


def test_buffers_are_saved_unless_they_are_not_persistable_and_are_not_trained():
    layer = Layer()
    layer.register_buffer("kept", variable(1))
    layer.register_buffer("fleeting", variable(2), persistable=False)
    assert list(layer.state_dict()) == ["kept"] and layer.parameters() == []
    assert [name for name, _ in layer.named_buffers()] == ["kept", "fleeting"] and len(layer.buffers()) == 2
    layer.kept = variable(5)
    assert float(layer.state_dict()["kept"]) == 5
    for name in ("", "a.b", "kept", "forward", 3):
        with pytest.raises(ArgumentTypeError, match="register_buffer: name got"):
            layer.register_buffer(name, variable(1))
    with pytest.raises(ArgumentTypeError, match="register_buffer: variable got int 3"):
        layer.register_buffer("n", 3)


def test_a_buffer_that_is_registered_again_is_saved():
    layer = Layer()
    layer.register_buffer("counter", to_variable(np.zeros(1, "int64")), persistable=False)
    del layer.counter
    layer.register_buffer("counter", to_variable(np.zeros(1, "int64")))
    assert list(layer.state_dict()) == ["counter"]


def test_create_variable_is_empty_until_it_is_set():
    layer = Layer("net")
    v, other = layer.create_variable(name="q", persistable=True), layer.create_variable(dtype="int64")
    assert v.name == "net_0.q" and v.persistable and v.stop_gradient and v.dtype == "float32" and v.numpy().size == 0
    assert other.name == "net_0._generated_var_0" and other.dtype == "int64"
    v.value().get_tensor().set(np.ones([2, 2], "float32"), None)
    assert v.shape == [2, 2]


@pytest.mark.parametrize(("given", "reads"), [(None, False), (True, True), (False, False)])
def test_an_operator_decides_about_gradients_of_what_a_layer_made_unless_the_program_did(given, reads):
    layer = Outer()
    made, alone = layer.create_variable(dtype="float32"), layer.create_variable(dtype="float32")
    if given is not None:
        made.stop_gradient = given
    layer._helper.append_op("scale", {"X": layer.w}, {"Out": made})
    layer._helper.append_op("scale", {"X": to_variable(np.ones(2, "float32"))}, {"Out": alone})
    assert (made.stop_gradient, alone.stop_gradient) == (reads, True)


# --- walking --------------------------------------------------------------------------------------------------------------


def test_order_is_own_parameters_first_then_sublayers_depth_first():
    layer = Outer()
    paths = ["w", "bias", "a.fc.weight", "a.fc.bias", "b.weight"]
    assert list(layer.state_dict()) == paths == [name for name, _ in layer.named_parameters()]
    assert layer.parameters() == list(layer.state_dict().values())
    assert [p.name for p in layer.parameters(include_sublayers=False)] == ["outer_0.w_0", "outer_0.b_0"]
    assert [name for name, _ in layer.named_parameters(prefix="net")][2] == "net.a.fc.weight"
    assert layer.sublayers() == [layer.a, layer.a.fc, layer.b]
    assert [name for name, _ in layer.named_sublayers()] == ["a", "a.fc", "b"]
    assert layer.sublayers(include_sublayers=False) == [layer.a, layer.b]
    assert [name for name, _ in layer.named_sublayers(prefix="x", include_self=True)] == ["x", "x.a", "x.a.fc", "x.b"]


def test_shared_parts_are_saved_under_every_path_and_walked_once():
    layer = Layer()
    layer.a = Inner()
    layer.b = layer.a
    layer.c = Linear(2, 2)
    layer.c.weight = layer.a.fc.weight
    assert list(layer.state_dict()) == [
        "a.fc.weight", "a.fc.bias", "b.fc.weight", "b.fc.bias", "c.weight", "c.bias",
    ]  # fmt: skip
    assert [name for name, _ in layer.named_parameters()] == ["a.fc.weight", "a.fc.bias", "c.bias"]
    assert layer.sublayers() == [layer.a, layer.a.fc, layer.c] and len(layer.parameters()) == 3


def test_batch_norm_statistics_are_among_the_parameters():
    assert [name for name, _ in BatchNorm(2).named_parameters()] == ["weight", "bias", "_mean", "_variance"]


def test_state_dict_into_a_given_dict_with_a_prefix():
    state = {"old": 1}
    assert Inner().state_dict(destination=state, structured_name_prefix="net.") is state
    assert list(state) == ["old", "net.fc.weight", "net.fc.bias"]
    assert list(Outer().state_dict(include_sublayers=False)) == ["w", "bias"]


# --- set_dict -------------------------------------------------------------------------------------------------------------


def arrays_of(layer, fill=2.0):
    return {key: np.full(v.shape, fill, "float32") for key, v in layer.state_dict().items()}


def test_values_are_set_by_path_or_by_parameter_name():
    layer = Outer()
    assert layer.set_dict(arrays_of(layer)) is None
    assert all((p.numpy() == 2).all() for p in layer.parameters())
    by_name = {v.name: to_variable(np.full(v.shape, 3, "float32")) for v in layer.state_dict().values()}
    layer.load_dict(by_name, use_structured_name=False)
    assert all((p.numpy() == 3).all() for p in layer.parameters())
    layer.set_dict({"w": np.zeros(3, "float32"), "bias": np.ones(1, "float32")}, include_sublayers=False)
    assert (layer.w.numpy() == 0).all() and (layer.b.weight.numpy() == 3).all()


def test_the_name_table_of_a_file_is_not_an_unknown_entry():
    layer = Inner()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        layer.set_dict({**arrays_of(layer), "StructuredToParameterName@@": {}})


def test_unknown_entries_give_one_warning_that_names_them_all():
    layer = Inner()
    with pytest.warns(UserWarning, match=r"inner_0.set_dict: foo, bar not used, the layer has no such entry") as caught:
        layer.set_dict({**arrays_of(layer), "foo": np.zeros(1), "bar": np.zeros(1)})
    assert len(caught) == 1 and (layer.fc.weight.numpy() == 2).all()


def test_everything_that_is_wrong_is_named_and_nothing_is_set():
    layer = Outer()
    before = [p.numpy() for p in layer.parameters()]
    state = arrays_of(layer)
    del state["w"], state["a.fc.bias"]
    state["b.weight"] = np.zeros([1, 2], "float32")
    state["bias"] = np.zeros(1, "float64")
    state["a.fc.weigth"] = np.zeros(1)
    with pytest.raises(MissingKeyError) as caught:
        layer.set_dict(state)
    for part in (
        "outer_0.set_dict: no entry for w, a.fc.bias.",
        "entry bias: value got dtype float64, needs dtype float32",
        "entry b.weight: value got shape [1, 2], needs shape [2, 1].",
        "Not in the layer: a.fc.weigth.",
        "use_structured_name=True",
    ):
        assert part in str(caught.value)
    assert isinstance(caught.value, (KeyError, RuntimeError, EnforceNotMet))
    for p, value in zip(layer.parameters(), before, strict=True):
        np.testing.assert_array_equal(p.numpy(), value)


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (np.zeros([3, 2], "float32"), ShapeError, r"entry fc.weight: value got shape \[3, 2\], needs shape \[2, 2\]"),
        (np.zeros([2, 2]), DtypeError, r"entry fc.weight: value got dtype float64"),
        ([1, 2], ArgumentTypeError, r"entry fc.weight: value got list"),
    ],
)
def test_entries_that_do_not_fit(value, error, text):
    layer = Inner()
    with pytest.raises(error, match=text):
        layer.set_dict({**arrays_of(layer), "fc.weight": value})
    assert not (layer.fc.bias.numpy() == 2).any()


@pytest.mark.parametrize("wrong", [None, "model.pdparams", [("weight", np.zeros(1))]])
def test_what_is_no_state_dict_is_refused(wrong):
    with pytest.raises(ArgumentTypeError, match=r"linear_0\.set_dict: stat_dict got .*, needs a dict"), guard():
        Linear(1, 1).set_dict(wrong)


def test_keys_of_the_wrong_kind_name_the_kind_that_is_meant():
    layer = Inner()
    with pytest.raises(MissingKeyError, match=r"no entry for linear_0.w_0, linear_0.b_0.*use_structured_name=False"):
        layer.set_dict(arrays_of(layer), use_structured_name=False)


# --- calling --------------------------------------------------------------------------------------------------------------


def test_hooks_see_and_change_inputs_and_outputs():
    layer, seen = Inner(), []
    x = variable([1, 2])

    def before(owner, inputs):
        seen.append(("before", owner, inputs))
        return inputs[0] * 2.0

    def after(owner, inputs, output):
        seen.append(("after", owner, inputs))
        return output + 100.0

    plain = layer(x).numpy()
    doubled = layer(x * 2.0).numpy()
    first, second = layer.register_forward_pre_hook(before), layer.register_forward_post_hook(after)
    np.testing.assert_allclose(layer(x).numpy(), doubled + 100, rtol=1e-6)
    assert [s[:2] for s in seen] == [("before", layer), ("after", layer)]
    assert seen[0][2] == (x,) and seen[1][2][0].numpy().tolist() == [[2, 4]]
    first.remove()
    np.testing.assert_allclose(layer(x).numpy(), plain + 100, rtol=1e-6)
    second.remove()
    second.remove()
    np.testing.assert_allclose(layer(x).numpy(), plain)


def test_hooks_that_return_nothing_change_nothing_and_run_in_order():
    layer, order = Inner(), []
    layer.register_forward_pre_hook(lambda owner, inputs: order.append(1))
    layer.register_forward_pre_hook(lambda owner, inputs: order.append(2))
    layer.register_forward_post_hook(lambda owner, inputs, output: order.append(3))
    x = variable([1, 2])
    np.testing.assert_array_equal(layer(x).numpy(), layer.fc(x).numpy())
    assert order == [1, 2, 3]


def test_hooks_may_change_several_inputs():
    class Difference(Layer):
        def forward(self, x, y, scale=1.0):
            return (x - y) * scale

    layer = Difference()
    layer.register_forward_pre_hook(lambda owner, inputs: (inputs[1], inputs[0]))
    assert float(layer(variable(5), variable(3), scale=2.0)) == -4


def test_a_layer_without_forward_and_the_backward_of_a_layer():
    with pytest.raises(NotImplementedError, match=r"Layer.forward is not defined"):
        Layer()(variable(1))
    with pytest.raises(ValueError, match="Layer shouldn't implement backward"):
        Layer().backward()


# --- modes and gradients --------------------------------------------------------------------------------------------------


def test_train_and_eval_reach_every_sublayer():
    layer = Outer()
    assert layer.training and layer.eval() is None
    assert not any(part.training for part in (layer, *layer.sublayers()))
    layer.a.train()
    assert layer.a.fc.training and not layer.b.training and not layer.training
    assert layer.train() is None and all(part.training for part in (layer, *layer.sublayers()))


def test_nothing_is_recorded_after_eval():
    layer, other = Linear(2, 1), Linear(2, 1)
    trained = layer(variable([1, 2]))
    layer.eval()
    assert layer(variable([1, 2])).stop_gradient and other(variable([1, 2])).stop_gradient
    trained.backward()  # what was recorded before is differentiated
    assert layer.weight.gradient().tolist() == [[1], [2]]
    with no_grad():
        other.train()
        assert not other(variable([1, 2])).stop_gradient
    assert other(variable([1, 2])).stop_gradient
    other.train()
    assert not layer(variable([1, 2])).stop_gradient and not layer.training


def test_a_guard_starts_in_training_mode():
    Linear(1, 1).eval()
    assert not mode.state.training
    with guard():
        assert mode.state.training and mode.state.grad_enabled
    assert not mode.state.training and not mode.state.grad_enabled


def test_clear_gradients_sets_zeros():
    layer = Outer()
    layer(variable([1, 2])).backward()
    assert layer.b.weight.gradient().any() and layer.clear_gradients() is None
    assert all((p.gradient() == 0).all() for p in layer.b.parameters())


# --- looks ----------------------------------------------------------------------------------------------------------------


def test_repr_shows_the_tree():
    assert repr(Outer()) == (
        "Outer(\n  (a): Inner(\n    (fc): Linear(2, 2)\n  )\n  (b): Linear(2, 1, bias_attr=False)\n"
        "  (w): Parameter[3]\n  (bias): Parameter[1]\n)  # 12 parameters"
    )


def test_the_setter_of_a_property_is_called():
    class Tied(Layer):
        def __init__(self):
            super().__init__()
            self._own = self.create_parameter([2])
            self.size = 3

        @property
        def weight(self):
            return self._own

        @weight.setter
        def weight(self, value):
            self._own = value

        @property
        def size(self):
            return self._size

        @size.setter
        def size(self, value):
            self._size = value + 1

    layer, other = Tied(), Tied()
    layer.weight = other.weight
    assert (layer.size, layer.weight is other.weight, layer._own is other._own) == (4, True, True)
    assert (sorted(layer.state_dict()), len(layer.parameters())) == (["_own", "weight"], 1)


def test_a_metaclass_may_derive_from_that_of_layers_and_abc():
    """As in HighCWu/paddle-modular-gan, whose metaclass calls `apply` of each new Layer."""

    class Applying(type(Layer), abc.ABCMeta):
        def __call__(cls, *args, **kwargs):
            made = super().__call__(*args, **kwargs)
            made.apply()
            return made

    class Base(Inner, metaclass=Applying):
        @abc.abstractmethod
        def apply(self): ...

    class Applied(Base):
        def apply(self):
            self.applied = True

    with guard():
        assert Applied().applied
        with pytest.raises(TypeError, match="abstract"):
            Base()
    assert issubclass(Applied, Layer) and not isinstance(1, Layer)
