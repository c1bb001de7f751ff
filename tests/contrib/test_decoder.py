"""Wrong calls of the decoders of fluid.contrib. What they compute is in tests/behaviour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from paddle_lite import fluid
from paddle_lite.contrib.decoder.state_cell import DecoderError
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.fluid.contrib.decoder import BeamSearchDecoder, InitState, StateCell, TrainingDecoder

layers = fluid.layers


@pytest.fixture(autouse=True)
def program() -> Iterator[fluid.Program]:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        yield main


def a_cell(inputs: tuple[str, ...] = ("x",)) -> StateCell:
    first = fluid.data(fluid.unique_name.generate("first"), [None, 3], lod_level=1)
    cell = StateCell(dict.fromkeys(inputs), {"h": InitState(init=first)}, "h")

    @cell.state_updater
    def update(cell: StateCell) -> None:
        cell.set_state("h", layers.elementwise_add(cell.get_state("h"), cell.get_input("x")))

    return cell


def a_search(cell: StateCell | None = None, **options: Any) -> BeamSearchDecoder:
    ids = fluid.data("ids", [None, 1], "int64", lod_level=2)
    scores = fluid.data("scores", [None, 1], lod_level=2)
    return BeamSearchDecoder(cell or a_cell(), ids, scores, 9, 3, topk_size=4, **options)


def test_a_cell_trains_once_at_a_time() -> None:
    cell = a_cell()
    decoder = TrainingDecoder(cell)
    with pytest.raises(DecoderError, match="part of a TrainingDecoder that is not complete"):
        a_search(cell)
    steps = fluid.data("steps", [None, 3], lod_level=1)
    with decoder.block():
        with pytest.raises(DecoderError, match=r"behind `with decoder.block\(\):` only"):
            decoder()
        cell.compute_state({"x": decoder.step_input(steps)})
        cell.update_states()
        decoder.output(cell.out_state())
    assert decoder().lod_level == 1
    assert (decoder.type, decoder.dynamic_rnn is not None) == (1, True)
    with pytest.raises(DecoderError, match="may be entered once only"), decoder.block():
        pass
    with pytest.raises(DecoderError, match="computed already"), a_search(cell).block():
        cell.get_state("h")


@pytest.mark.parametrize("method", ["step_input", "static_input", "output"])
def test_training_outside_of_the_block(method: str) -> None:
    decoder = TrainingDecoder(a_cell())
    with pytest.raises(ValueError, match=f"TrainingDecoder.{method}: use it inside"):
        getattr(decoder, method)(fluid.data("x", [None, 3]))
    with pytest.raises(DecoderError, match="state_cell: use it inside"):
        _ = decoder.state_cell


def test_search_outside_of_the_block() -> None:
    search = a_search()
    with pytest.raises(DecoderError, match="read_array: use it inside"):
        search.read_array(fluid.data("x", [None, 3]))
    with pytest.raises(DecoderError, match="update_array: use it inside"):
        search.update_array(fluid.data("x", [None, 3]), fluid.data("x", [None, 3]))
    with pytest.raises(DecoderError, match="behind `decode"):
        search()


def test_own_steps_of_a_search(program: fluid.Program) -> None:
    """An own block stops behind its first step."""
    search = a_search()
    with search.block():
        words, scores = (
            search.read_array(search._init_ids, is_ids=True),
            search.read_array(search._init_scores, is_scores=True),
        )
        search.update_array(words, layers.scale(words))
        search.update_array(scores, layers.scale(scores, 2.0))
        search.early_stop()
        with pytest.raises(ArgumentValueError, match="what read_array returned"):
            search.update_array(layers.scale(words), words)
        with pytest.raises(ArgumentTypeError, match="value got int 1, needs a Variable"):
            search.update_array(words, 1)
        with pytest.raises(ArgumentTypeError, match="init got str 'a', needs a Variable"):
            search.read_array("a")
        with pytest.raises(ArgumentValueError, match="one of them only"):
            search.read_array(words, is_ids=True, is_scores=True)
    assert search.type == 2
    assert program.lint() == []


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: InitState(), ArgumentValueError, "init_boot got None"),
        (lambda: StateCell([], {}, "h"), ArgumentTypeError, "inputs got list"),
        (lambda: StateCell({}, {"h": 1}, "h"), ArgumentValueError, r"states\['h'\] got int 1, needs an InitState"),
        (lambda: StateCell({}, {}, "h"), ArgumentValueError, "out_state got 'h', needs one of"),
        (lambda: TrainingDecoder(1), ArgumentTypeError, "needs a StateCell"),
        (lambda: a_cell().get_state("c"), ArgumentValueError, "state_name got 'c'"),
        (lambda: a_cell().get_input("x"), ArgumentValueError, "input_name got 'x'"),
        (lambda: a_cell().compute_state({"y": 1}), ArgumentValueError, "inputs got an input 'y'"),
        (lambda: a_cell()._switch_decoder(), DecoderError, "not part of a decoder"),
        (lambda: a_cell()._leave_decoder(None), DecoderError, "not part of this"),
        (
            lambda: StateCell({}, {"h": InitState(fluid.data("x", [2, 3]))}, "h").compute_state({}),
            DecoderError,
            "Decorate one with state_updater",
        ),
        (lambda: a_search(input_var_dict={"z": 1}).decode(), ArgumentValueError, "input_var_dict got an input 'z'"),
    ],
)
def test_wrong_calls(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_an_updater_is_called_by_compute_state_only() -> None:
    cell = a_cell()
    seen = []
    with pytest.raises(ArgumentTypeError, match="a call by compute_state only"):
        cell.state_updater(seen.append)(cell)
    cell.state_updater(seen.append)(a_cell())
    assert len(seen) == 1
