"""Whole programs: parts share weights, carts fall, and the page says what limits a row."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import performance
from benchmarks.case import Case
from benchmarks.compare import Result
from benchmarks.programs import bert, dcgan, ppo, resnet50, seq2seq
from benchmarks.side import Model, Part, open_side

SIDES = ("static", "eager")


class Product(Model):
    """x @ w + b, of which w is trained; the loss is its mean."""

    def __init__(self, trained):
        self.trained = trained

    def trains(self, name):
        return name == "w"

    def weights(self):
        return {"w": np.ones((2, 1), "float32"), "b": np.ones((1,), "float32")}

    def inputs(self):
        return {"x": np.full((4, 2), 2.0, "float32")}

    def fluid(self, layers, p, x):
        y = layers.elementwise_add(layers.matmul(x["x"], p["w"]), p["b"])
        return layers.mean(y) if self.trained else y


@pytest.mark.parametrize("name", SIDES)
@pytest.mark.parametrize("optimizer", ["sgd", "momentum"])
def test_a_part_sees_what_another_trains(name: str, optimizer: str) -> None:
    side = open_side(name)
    run = side.session({"learn": Part(Product(True), optimizer, 0.5), "ask": Part(Product(False))})
    feed = Product(True).inputs()
    assert run["learn"](feed)[0] == pytest.approx(5.0)
    np.testing.assert_allclose(run["ask"](feed)[0], np.full((4, 1), 1.0))  # w is 0, and b is not trained
    if name == "eager":
        side.guard.__exit__(None, None, None)


def test_gradients_are_recorded_after_inference() -> None:
    side = open_side("eager")
    run = side.session({"ask": Part(Product(False))})["ask"]
    run(Product(False).inputs())
    x = side.fluid.dygraph.to_variable(np.ones((2, 2), "float32"))
    x.stop_gradient = False
    y = x + x
    side.guard.__exit__(None, None, None)
    assert not y.stop_gradient


def test_a_step_is_costed_by_the_plans_that_it_runs() -> None:
    side = open_side("static")
    run = side.session({"ask": Part(Product(False))})["ask"]
    once = side.costs(lambda: run(Product(False).inputs()))
    twice = side.costs(lambda: [run(Product(False).inputs()) for _ in range(2)])
    assert once["flops"] >= 2 * 4 * 2
    assert once["bytes"] > 4 * (8 + 2 + 1 + 4)
    assert twice == {what: 2 * amount for what, amount in once.items()}


def test_parts_of_a_program_name_the_same_weights() -> None:
    for one, other in (
        (dcgan.Adversaries("d"), dcgan.Adversaries("g")),
        (ppo.Policy(8, False), ppo.Policy(256, True)),
        (seq2seq.Translator(1, False), seq2seq.Translator(32, True)),
    ):
        ours, theirs = one.weights(), other.weights()
        assert sorted(ours) == sorted(theirs)
        for name, value in ours.items():
            np.testing.assert_array_equal(value, theirs[name])
    d, g = dcgan.Adversaries("d"), dcgan.Adversaries("g")
    assert not any(d.trains(name) and g.trains(name) for name in d.weights())


def test_the_networks_have_the_sizes_of_the_papers() -> None:
    shapes = resnet50.ResNet50().recipe.shapes.values()
    convolved = sum(int(np.prod(shape)) + 2 * shape[0] for shape in shapes)
    assert convolved + 2048 * 1000 + 1000 == 25_557_032
    width, inner = bert.WIDTH, bert.INNER
    layer = 4 * (width * width + width) + 2 * width * inner + inner + width + 4 * width
    tables = (bert.VOCABULARY + bert.POSITIONS + 2) * width + 2 * width
    assert bert.LAYERS * layer + tables + width * width + width == 109_482_240


def test_a_cart_that_is_pushed_to_one_side_loses_its_pole_and_begins_anew() -> None:
    game = ppo.CartPole(3)
    ended = [game.step(np.ones(3, "int64")) for _ in range(20)]
    assert np.sum(ended, axis=0).min() >= 1
    assert sum(int(each.sum()) for each in ended[:5]) == 0
    assert np.abs(game.state[:, 2]).max() < 0.2095


def _result(function: str, seconds: float, **more) -> Result:
    case = Case("programs", function, (), f"a row of {function}", ("static", "torch"), (), False, True)
    times = {"static": [seconds], "torch": [2 * seconds]}
    return Result(case, times, [], times, {"static": 2.0**20, "torch": 2.0**21}, **more)


MACHINE = [_result("time_flop", 1e-11), _result("time_byte", 1e-10)]


@pytest.mark.parametrize(
    ("costs", "said"),
    [
        ({"flops": 6e10, "bytes": 1e9, "calls": 10}, "the limit is arithmetic, and the Program reaches 60% of"),
        ({"flops": 1e9, "bytes": 8e9, "calls": 10}, "the limit is memory, and the Program reaches 80% of"),
        ({"flops": 1e9, "bytes": 1e9, "calls": 10**5}, "10% of the ceiling; the limit is what a call costs, 10 us"),
        (
            {"flops": 1e9, "bytes": 1e9, "calls": 10},
            "10% of the ceiling; the limit is kernels that reach neither speed",
        ),
        ({}, "does not count its work"),
    ],
)
def test_the_page_says_what_limits_a_row(costs: dict[str, float], said: str) -> None:
    machine = {each.case.function: each.median("static") for each in MACHINE}
    assert said.lower() in performance.limit(_result("time_it", 1.0, costs=costs), machine).lower()


def test_the_page_has_a_table_and_a_plot_of_each_row(tmp_path) -> None:
    pytest.importorskip("matplotlib")
    row = _result("time_it", 1.0, costs={"flops": 6e10, "bytes": 1e9, "calls": 10})
    performance.write([*MACHINE, row], page=tmp_path / "performance.md")
    text = (tmp_path / "performance.md").read_text()
    assert "![A row of time_it](performance/it.svg)" in text
    assert "| PyTorch | 2 s | 2 s | 2.0 MiB | 0.50 |" in text
    assert "100 GFLOP/s" in text
    assert (tmp_path / "performance" / "it.svg").read_text().count("MiB") == 1
    with pytest.raises(ValueError, match="time_flop and time_byte"):
        performance.write([row], page=tmp_path / "performance.md")
