"""A guard changes its own thread or task of asyncio, and nothing else; a global call changes the process."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core import dtype, result_names, seeds, unique_name
from paddle_lite.core.errors import ModeError
from paddle_lite.core.mode import changed, now, state
from paddle_lite.core.threads.contexts import PerContext, with_this_context
from paddle_lite.static.program import roles
from paddle_lite.static.program.naming import name_scope, namescope
from tests.threads.together import together

ONES = np.ones([2], "float32")
PROGRAM, SCOPE = fluid.Program(), fluid.Scope()


@contextmanager
def imperative() -> Iterator[None]:
    with fluid.dygraph.guard():
        yield


GUARDS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "no_grad": (fluid.dygraph.no_grad, lambda: (state.grad_enabled, state.training)),
    "guard": (imperative, lambda: (state.mode, paddle.in_imperative_mode())),
    "static inside of imperative mode": (
        lambda: fluid.framework._dygraph_guard(None),
        lambda: (state.mode, paddle.in_imperative_mode()),
    ),
    "switch_tracer_mode_guard": (
        lambda: fluid.dygraph.base._switch_tracer_mode_guard_(is_train=False),
        lambda: (state.grad_enabled, state.training),
    ),
    "program_guard": (
        lambda: fluid.program_guard(PROGRAM, PROGRAM),
        lambda: (fluid.default_main_program(), fluid.default_startup_program()),
    ),
    "scope_guard": (lambda: fluid.scope_guard(SCOPE), fluid.global_scope),
    "unique_name.guard": (fluid.unique_name.guard, lambda: unique_name._generator.get()),
    "name_scope": (lambda: name_scope("encoder"), namescope),
    "device_guard": (lambda: fluid.device_guard("gpu"), roles.current),
    "role": (lambda: roles.role(roles.OpRole.Backward, ("w",)), roles.current),
    "names of results": (lambda: result_names.results("fc.tmp"), result_names.current),
    "seeds": (lambda: seeds.own_seeds(7, 7), lambda: seeds.current().main),
    "retaining": (lambda: changed(retaining=True), lambda: now().retaining),
}  # fmt: skip


@pytest.fixture(params=GUARDS)
def pair(request: pytest.FixtureRequest) -> Iterator[tuple[Callable[[], Any], Callable[[], Any]]]:
    """A guard, and what it changes; in imperative mode where it needs that."""
    needs = request.param in ("static inside of imperative mode", "switch_tracer_mode_guard")
    guard, look = GUARDS[request.param]
    with fluid.dygraph.guard() if needs else nullcontext():
        yield guard, look


def test_a_guard_is_not_seen_by_other_threads(pair: Any) -> None:
    guard, look = pair
    [before] = together([look])
    opened, looked = threading.Barrier(2), threading.Barrier(2)

    def inside() -> Any:
        with guard():
            opened.wait(60)
            looked.wait(60)
            return look()

    def beside() -> Any:
        opened.wait(60)
        found = look()
        looked.wait(60)
        return found

    assert together([with_this_context(inside), with_this_context(beside)])[1] == look()
    assert together([with_this_context(inside), with_this_context(beside)])[0] != look()
    with guard():
        own = look()
        assert together([look]) == [before]  # a new thread starts from the defaults
        assert look() == own


def test_a_guard_nests_and_ends_with_errors(pair: Any) -> None:
    guard, look = pair
    before = look()
    with pytest.raises(ZeroDivisionError), guard():
        first = look()
        assert first != before
        with pytest.raises(KeyError), guard():
            raise KeyError
        assert look() == first
        raise ZeroDivisionError
    assert look() == before


def test_a_guard_is_not_seen_by_other_tasks(pair: Any) -> None:
    guard, look = pair

    async def inside(opened: asyncio.Event, looked: asyncio.Event) -> Any:
        with guard():
            opened.set()
            await looked.wait()
            return look()

    async def main() -> tuple[Any, Any, Any]:
        opened, looked = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(inside(opened, looked))
        await opened.wait()
        here = look()
        looked.set()
        return here, await task, look()

    before = look()
    here, there, after = asyncio.run(main())
    assert here == after == before != there


def test_a_task_begins_with_what_is_on_where_it_is_made(pair: Any) -> None:
    guard, look = pair

    async def main() -> Any:
        async def seen() -> Any:
            return look()

        with guard():
            task = asyncio.create_task(seen())
            own = look()
        return own, await task

    own, seen = asyncio.run(main())
    assert own == seen


def test_tasks_train_interleaved() -> None:
    async def train(number: int, turn: list[asyncio.Event]) -> list[float]:
        losses = []
        with fluid.dygraph.guard():
            fluid.default_main_program().random_seed = number + 1
            net = fluid.dygraph.Linear(2, 1)
            sgd = fluid.optimizer.SGD(0.1, parameter_list=net.parameters())
            for _ in range(4):
                loss = fluid.layers.reduce_sum(fluid.layers.square(net(fluid.dygraph.to_variable(ONES[None]))))
                await asyncio.sleep(0)  # every other task runs here
                loss.backward()
                with fluid.dygraph.no_grad():
                    await asyncio.sleep(0)
                sgd.minimize(loss)
                net.clear_gradients()
                losses.append(float(loss.numpy()[0]))
        return losses

    async def main() -> list[list[float]]:
        return await asyncio.gather(*(train(number, []) for number in range(5)))

    async def alone() -> list[list[float]]:
        return [await train(number, []) for number in range(5)]

    assert asyncio.run(main()) == asyncio.run(alone())


# --- global calls -------------------------------------------------------------------------------------------------------


def test_enabling_imperative_mode_is_seen_by_all_threads_but_not_inside_of_guards() -> None:
    steps = [threading.Barrier(2) for _ in range(4)]

    def worker() -> list[bool]:
        seen = [paddle.in_imperative_mode()]
        steps[0].wait(60)
        steps[1].wait(60)
        seen.append(paddle.in_imperative_mode())
        with fluid.program_guard(fluid.Program()), fluid.dygraph.no_grad():
            seen.append(paddle.in_imperative_mode())  # these guards say nothing about the mode
        with fluid.dygraph.guard():
            steps[2].wait(60)
            steps[3].wait(60)
            seen.append(paddle.in_imperative_mode())
        seen.append(paddle.in_imperative_mode())
        return seen

    def main() -> None:
        steps[0].wait(60)
        fluid.enable_dygraph()
        try:
            steps[1].wait(60)
            steps[2].wait(60)
        finally:
            fluid.disable_dygraph()
        steps[3].wait(60)

    assert together([worker, main])[0] == [False, True, True, True, False]


def test_enabling_imperative_mode_inside_of_no_grad_outlasts_it() -> None:
    with fluid.dygraph.no_grad():
        fluid.enable_dygraph()
    try:
        assert paddle.in_imperative_mode() and state.grad_enabled
        assert together([paddle.in_imperative_mode]) == [True]
    finally:
        fluid.disable_dygraph()
    assert not paddle.in_imperative_mode()


def test_enabling_imperative_mode_inside_of_a_guard_ends_with_it() -> None:
    with fluid.framework._dygraph_guard(None):
        paddle.enable_imperative()
        assert paddle.in_imperative_mode() and together([paddle.in_imperative_mode]) == [False]
    assert not paddle.in_imperative_mode()


def test_global_calls_change_the_process_outside_of_guards() -> None:
    program, scope = fluid.Program(), fluid.Scope()
    before = fluid.framework.switch_main_program(program), fluid.executor._switch_scope(scope)
    try:
        assert together([lambda: (fluid.default_main_program() is program, fluid.global_scope() is scope)]) == [
            (True, True)
        ]
        with fluid.program_guard(fluid.Program()), fluid.scope_guard(fluid.Scope()):
            inner = fluid.framework.switch_main_program(fluid.Program())
            assert inner is not program
        assert fluid.default_main_program() is program and fluid.global_scope() is scope
    finally:
        fluid.framework.switch_main_program(before[0])
        fluid.executor._switch_scope(before[1])


def test_eval_of_one_thread_leaves_training_of_others_alone() -> None:
    fluid.enable_dygraph()
    try:
        evaluated = threading.Barrier(2)

        def evaluating() -> bool:
            fluid.dygraph.Linear(2, 2).eval()
            evaluated.wait(60)
            return state.training

        def training() -> bool:
            net = fluid.dygraph.Linear(2, 2)
            evaluated.wait(60)
            return net(fluid.dygraph.to_variable(ONES[None])).stop_gradient

        assert together([evaluating, training]) == [False, False]
    finally:
        fluid.disable_dygraph()


class Dropping(fluid.dygraph.Layer):
    """A Layer whose dropout is a function."""

    def forward(self, x: Any) -> Any:
        return fluid.layers.dropout(x, 0.5, seed=1, dropout_implementation="upscale_in_train")


def test_a_layer_set_to_evaluation_infers_in_a_thread_that_serves_it() -> None:
    """As in a server: one thread loads the model and calls eval(), others call the model."""
    fluid.enable_dygraph()
    try:
        x = np.ones([1, 64], "float32")
        net, other = Dropping(), Dropping()
        net.eval()

        def serve() -> list[bool]:
            given = fluid.dygraph.to_variable(x)
            given.stop_gradient = False
            inferred, trained = net(given), other(given)
            return [
                bool((inferred.numpy() == x).all()), inferred.stop_gradient,
                bool((trained.numpy() == x).all()), trained.stop_gradient,
            ]  # fmt: skip

        assert together([serve]) == [[True, True, False, False]]
        net.train()
        with (
            fluid.dygraph.guard()
        ):  # in one thread it is as in PaddlePaddle: the guard trains, whatever eval() said before
            net.training = False
            assert not (net(fluid.dygraph.to_variable(x)).numpy() == x).all()
    finally:
        fluid.disable_dygraph()


# --- generators and threads of the library ------------------------------------------------------------------------------


def test_a_block_in_a_generator_that_ends_in_another_thread_changes_nothing_there() -> None:
    def items() -> Iterator[int]:
        with fluid.dygraph.no_grad(), fluid.scope_guard(SCOPE):
            yield 1

    generator = items()
    assert together([lambda: next(generator)]) == [1]  # begun there
    assert list(generator) == [] and state.grad_enabled and fluid.global_scope() is not SCOPE


def test_one_no_grad_object_in_two_threads() -> None:
    shared = fluid.dygraph.no_grad()
    inside, left = threading.Barrier(2), threading.Barrier(2)

    def first() -> list[bool]:
        with shared:
            inside.wait(60)
            left.wait(60)
            seen = [state.grad_enabled]
        return [*seen, state.grad_enabled]

    def second() -> list[bool]:
        with shared:
            inside.wait(60)
        left.wait(60)
        return [state.grad_enabled]

    assert together([first, second]) == [[False, True], [True]]


def test_a_gradient_can_be_computed_in_another_thread() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(ONES)
        x.stop_gradient = False
        loss = fluid.layers.reduce_sum(x * x * x)

        def backward() -> None:
            with fluid.dygraph.guard():
                loss.backward()

        together([backward])
        assert x.gradient().tolist() == [3.0, 3.0]


def test_a_reader_of_a_loader_runs_in_the_mode_of_its_loader() -> None:
    def batches() -> Iterator[Any]:
        for number in range(3):
            made = fluid.dygraph.to_variable(np.full([1], number, "float32"))  # needs imperative mode
            yield [made.numpy() + float(state.grad_enabled)]

    with fluid.dygraph.guard():
        loader = fluid.io.DataLoader.from_generator(capacity=2, return_list=True)
        loader.set_batch_generator(batches)
        with fluid.dygraph.no_grad():
            assert [batch[0].numpy().tolist() for batch in loader] == [[0.0], [1.0], [2.0]]
        assert [batch[0].numpy().tolist() for batch in loader] == [[1.0], [2.0], [3.0]]


def test_the_error_of_a_thread_without_a_guard_says_so() -> None:
    with fluid.dygraph.guard(), pytest.raises(ModeError, match="A guard holds only in the thread that has entered it"):
        together([lambda: fluid.dygraph.to_variable(ONES)])
    with fluid.dygraph.guard():
        copied = contextvars.copy_context()
        assert together([lambda: copied.run(lambda: fluid.dygraph.to_variable(ONES).shape)]) == [[2]]


def test_what_stays_with_the_process() -> None:
    dtype.set_default_dtype("float64")
    try:
        assert together([dtype.get_default_dtype]) == ["float64"]
    finally:
        dtype.set_default_dtype("float32")


# --- the class itself ---------------------------------------------------------------------------------------------------


def test_levels() -> None:
    value = PerContext("a value of this test", 1)
    assert value.set(2) == 1 and together([value.get]) == [2]
    with value.replaced(3):
        value.set(4)
        assert value.get() == 4 and together([value.get]) == [2]
        look = with_this_context(value.get)
    assert value.get() == 2 and together([look]) == [4]


def test_threads_of_the_library_do_not_keep_programs_alive() -> None:
    with fluid.program_guard(fluid.Program()), fluid.scope_guard(SCOPE):
        look = with_this_context(lambda: (fluid.default_main_program(), fluid.global_scope()))
    assert together([look]) == [(fluid.default_main_program(), SCOPE)]


def test_what_changes_inside_of_a_block_outlasts_it_if_the_block_does_not_restore_it() -> None:
    with changed(told=False):
        with changed(grad_enabled=False):
            state.mode  # noqa: B018 - loads it
            with changed(training=False):
                assert (state.grad_enabled, state.training) == (False, False)
            paddle.core.mode.change(training=False, grad_enabled=True)
            assert state.grad_enabled
        assert (state.grad_enabled, state.training) == (True, False)
        paddle.core.mode.change(training=True)
