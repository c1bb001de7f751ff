"""Loaders of generators for static Programs; what they do was measured in PaddlePaddle 1.8.5 where no other reason is given."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    EOFException,
    ModeError,
    ShapeError,
)
from paddle_lite.io.inference_model import load_inference_model, save_inference_model
from tests.children import run

CPU = fluid.CPUPlace()


def samples() -> Iterator[tuple[np.ndarray, int]]:
    for i in range(5):
        yield np.full([2], i, "float64"), i


def batches(count: int = 3, dtype: str = "float32", width: int = 2) -> Callable[[], Iterator[tuple]]:
    def generator() -> Iterator[tuple]:
        for i in range(count):
            yield np.full([2, width], i, dtype), np.full([2, 1], i, "int64")

    return generator


def threads() -> int:
    return sum(thread.name == "paddle_lite reader" for thread in threading.enumerate())


class Net:
    """Two data Variables, a loader of them, and twice the first."""

    def __init__(self, **arguments: Any) -> None:
        self.x, self.y = fluid.data("x", [None, 2], "float32"), fluid.data("y", [None, 1], "int64")
        self.loader = fluid.io.DataLoader.from_generator([self.x, self.y], capacity=2, **arguments)
        self.twice = fluid.layers.scale(self.x, 2.0)
        self.exe, self.main = fluid.Executor(CPU), fluid.default_main_program()

    def run(self, program: Any = None, **arguments: Any) -> float:
        return float(self.exe.run(program or self.main, fetch_list=[self.twice], **arguments)[0][0, 0])

    def epoch(self, program: Any = None) -> list[np.ndarray]:
        """All of an epoch, of a loader that does not iterate."""
        found = []
        self.loader.start()
        try:
            while True:
                found.append(self.exe.run(program or self.main, fetch_list=[self.y])[0].reshape(-1).tolist())
        except EOFException:
            self.loader.reset()
        return found


@pytest.fixture
def net(programs: Any) -> Net:
    return Net()


@pytest.fixture
def asked(programs: Any) -> Iterator[Net]:
    """With a loader that the Program asks."""
    net = Net(iterable=False)
    yield net
    net.loader.reset()


# --- to iterate over ----------------------------------------------------------------------------------------------------------


def test_feeds_to_iterate_over(net: Net) -> None:
    assert net.loader.set_batch_generator(batches(), places=CPU) is net.loader
    for _ in range(2):
        found = list(net.loader())
        assert [sorted(feed) for [feed] in found] == [["x", "y"]] * 3
        assert [net.run(feed=feed) for feed in found] == [0.0, 2.0, 4.0]
    assert not threads()


def test_samples_are_converted_and_reshaped(net: Net) -> None:
    for decorate, sizes in (
        (lambda: net.loader.set_sample_generator(samples, 2, places=CPU), [2, 2]),
        (lambda: net.loader.set_sample_generator(samples, 2, drop_last=False, places=CPU), [2, 2, 1]),
        (lambda: net.loader.set_sample_list_generator(paddle.batch(samples, 4), places=CPU), [4, 1]),
    ):
        feeds = [feed for [feed] in decorate()]
        assert [feed["x"].shape() for feed in feeds] == [[n, 2] for n in sizes]
        assert [feed["y"].shape() for feed in feeds] == [[n, 1] for n in sizes]
        assert {np.array(feed["x"]).dtype.name for feed in feeds} == {"float32"}


def test_lists_and_places(programs: Any) -> None:
    net = Net(return_list=True)
    [[first, _], *rest] = [lists[0] for lists in net.loader.set_batch_generator(batches(), places=[CPU])]
    assert np.array(first).tolist() == [[0, 0], [0, 0]] and len(rest) == 2


@pytest.mark.parametrize(("drop_last", "sizes"), [(True, [2, 2]), (False, [2, 2, 1])])
def test_a_dict_for_each_place(programs: Any, drop_last: bool, sizes: list[int]) -> None:
    net = Net(drop_last=drop_last)
    net.loader.set_batch_generator(batches(5), places=[CPU, CPU])
    feeds = list(net.loader)
    assert [len(feed) for feed in feeds] == sizes
    compiled = fluid.CompiledProgram(net.main).with_data_parallel(places=[CPU, CPU])
    rows = [net.exe.run(compiled, feed=feed, fetch_list=[net.y])[0].reshape(-1).tolist() for feed in feeds]
    assert rows == [[0, 0, 1, 1], [2, 2, 3, 3], [4, 4]][: len(sizes)]


def test_sequences(programs: Any) -> None:
    words = fluid.data("words", [None, 1], "int64", lod_level=1)
    loader = fluid.io.DataLoader.from_generator([words], capacity=2)
    loader.set_sample_generator(lambda: [([1, 2],), ([3],)], 2, places=CPU)
    [[feed]] = loader
    assert (feed["words"].lod(), feed["words"].shape()) == ([[0, 2, 3]], [3, 1])
    tensor = fluid.create_lod_tensor(np.ones([3, 1], "int64"), [[1, 2]], CPU)
    [[feed]] = loader.set_batch_generator(lambda: [(tensor,)], places=CPU)
    assert feed["words"].lod() == [[0, 1, 3]] and feed["words"] is not tensor


@given(st.lists(st.lists(st.lists(st.integers(-5, 5), max_size=3), max_size=3), min_size=1, max_size=4))
def test_nested_lists_have_their_lengths(data: list[list[list[int]]]) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        variable = fluid.data("v", [None, 1], "int64", lod_level=2)
    feed = fluid.DataFeeder([variable], CPU).feed([(texts,) for texts in data])["v"]
    assert feed.recursive_sequence_lengths() == [
        [len(texts) for texts in data],
        [len(words) for texts in data for words in texts],
    ]
    assert np.array(feed).reshape(-1).tolist() == [word for texts in data for words in texts for word in words]
    assert feed.has_valid_recursive_sequence_lengths()


def test_a_loop_that_is_left_leaves_no_thread(net: Net) -> None:
    net.loader.set_batch_generator(batches(100), places=CPU)
    for _ in net.loader():
        assert threads() == 1
        break
    assert not threads()


@pytest.mark.parametrize("mode", ["static", "imperative"])
def test_a_loader_that_is_gone_leaves_no_thread(programs: Any, mode: str) -> None:
    if mode == "static":
        loader: Any = Net().loader.set_batch_generator(batches(100), places=CPU)
        next(loader)
    else:
        with fluid.dygraph.guard():
            loader = fluid.io.DataLoader.from_generator(capacity=2).set_batch_generator(batches(100))
            next(loader)
    assert threads() == 1
    del loader
    assert not threads()


def test_a_generator_may_use_its_arrays_again(net: Net) -> None:
    def refilled() -> Iterator[list[np.ndarray]]:
        x, y = np.zeros([2, 2], "float32"), np.zeros([2, 1], "int64")
        for i in range(4):
            x[:] = i
            yield [x, y]

    assert [net.run(feed=feed) for feed in net.loader.set_batch_generator(refilled, places=CPU)] == [0, 2, 4, 6]


def test_errors_reach_the_loop(net: Net) -> None:
    def failing() -> Iterator[tuple]:
        yield from batches(1)()
        raise KeyError("no such file")

    loop = iter(net.loader.set_batch_generator(failing, places=CPU))
    next(loop)
    with pytest.raises(KeyError, match="no such file"):
        next(loop)
    for reader, text in (
        (lambda: [(np.ones([2, 2]),)], r"a batch got 1 values, needs 2: x, y\. Let the generator yield a tuple"),
        (lambda: [np.ones([2, 2, 2])[0, 0, 0]], r"a batch got float64 .*, needs 2: x, y"),
        (lambda: [{"x": 1, "y": 2}], r"a batch got dict .*, needs 2: x, y"),
    ):
        with pytest.raises(ArgumentValueError, match=text):
            list(net.loader.set_batch_generator(reader, places=CPU))
    with pytest.raises(ShapeError, match="x got rows of several shapes, needs one shape"):
        list(net.loader.set_batch_generator(lambda: [([[1.0], [1.0, 2.0]], [[1]])], places=CPU))
    with pytest.raises(DtypeError, match="x got dtype <U1"):
        list(net.loader.set_batch_generator(lambda: [("a", [[1]])], places=CPU))


def test_what_a_loader_needs(net: Net) -> None:
    make = fluid.io.DataLoader.from_generator
    with pytest.raises(ArgumentValueError, match="feed_list got none, needs the data Variables, in static mode"):
        make(capacity=2)
    with pytest.raises(ArgumentTypeError, match="feed_list got str 'x', needs a list of data Variables"):
        make(["x"], capacity=2)
    with pytest.raises(ArgumentValueError, match="capacity got NoneType None, needs how many"):
        make([net.x])
    with pytest.raises(ArgumentValueError, match=r"places got none, needs those of an iterable loader\. Pass places="):
        net.loader.set_batch_generator(batches())
    with pytest.raises(ArgumentTypeError, match="places got str 'cpu'"):
        net.loader.set_batch_generator(batches(), places="cpu")
    with pytest.raises(ModeError, match="the generator got none yet"):
        iter(net.loader)
    with pytest.raises(ModeError, match="got one that iterates"):
        net.loader.start()


# --- asked by a Program -------------------------------------------------------------------------------------------------------


def test_each_run_takes_a_batch(asked: Net) -> None:
    asked.loader.set_batch_generator(batches())
    for _ in range(2):
        assert asked.epoch() == [[0, 0], [1, 1], [2, 2]]
        assert not threads()
    asked.loader.set_sample_generator(samples, 2)
    assert asked.epoch() == [[0, 1], [2, 3]]
    asked.loader.set_sample_list_generator(paddle.batch(samples, 2))
    assert asked.epoch() == [[0, 1], [2, 3], [4]]


def test_runs_without_fetches_take_one_too(asked: Net) -> None:
    asked.loader.set_batch_generator(batches()).start()
    assert asked.exe.run(asked.main) == []
    assert asked.run() == 2.0


def test_what_is_read_goes_before_what_is_fed(asked: Net) -> None:
    asked.loader.set_batch_generator(batches()).start()
    feed = {"x": np.full([1, 2], 9, "float32"), "y": np.ones([1, 1], "int64")}
    assert asked.run(feed=feed) == 0.0
    assert asked.run(feed=feed, use_prune=True) == 18.0
    assert asked.run() == 2.0


def test_it_ends_once_and_again(asked: Net) -> None:
    asked.loader.set_batch_generator(batches(1)).start()
    asked.run()
    for _ in range(2):
        with pytest.raises(EOFException, match="there is no next batch"):
            asked.run()
    asked.loader.reset()
    asked.loader.reset()
    assert fluid.core.EOFException is EOFException and not issubclass(EOFException, fluid.core.EnforceNotMet)


def train_to_the_ends(program: Callable[[Any], Any], epochs: int = 3) -> list[list[float]]:
    """Return the counter of learning rate steps and one of runs after each of some epochs of three batches."""
    x = fluid.data("x", [None, 2], "float32")
    loader = fluid.io.DataLoader.from_generator([x], capacity=2, iterable=False)
    rate = fluid.layers.exponential_decay(0.1, 1, 0.5)
    loss = fluid.layers.mean(fluid.layers.fc(x, 1))
    runs = fluid.layers.create_global_var([1], 0.0, "float32", persistable=True, name="runs")
    fluid.layers.increment(runs)
    fluid.optimizer.SGD(rate).minimize(loss)
    exe, main, found = fluid.Executor(CPU), program(fluid.default_main_program()), []
    exe.run(fluid.default_startup_program())
    loader.set_batch_generator(lambda: ([np.ones((2, 2), "float32")] for _ in range(3)))
    for _ in range(epochs):
        loader.start()
        with pytest.raises(EOFException):
            while True:
                exe.run(main, fetch_list=[loss])
        loader.reset()
        scope = fluid.global_scope()
        found.append([float(np.array(scope.find_var(name).get_tensor())[0]) for name in ("@LR_DECAY_COUNTER@", "runs")])
    return found


def test_what_comes_before_the_reader_runs_at_the_end_of_an_epoch_too(programs: Any) -> None:
    """As PaddlePaddle 1.8.5 counts: the step counter is prepended, hence counts the run that finds no batch."""
    assert train_to_the_ends(lambda main: main) == [[3, 3], [7, 6], [11, 9]]


def test_a_copied_program_ends_its_epochs_alike(programs: Any) -> None:
    assert train_to_the_ends(lambda main: main.clone()) == [[3, 3], [7, 6], [11, 9]]


def test_nothing_runs_at_the_end_of_an_epoch_with_data_parallelism(programs: Any) -> None:
    """As in PaddlePaddle 1.8.5, which reads there before anything else."""

    def parallel(main: Any) -> Any:
        return fluid.CompiledProgram(main).with_data_parallel(places=fluid.cpu_places(1))

    assert train_to_the_ends(parallel) == [[2, 3], [5, 6], [8, 9]]


def test_what_needs_the_batch_does_not_run_at_the_end_of_an_epoch(asked: Net) -> None:
    """Not even where the loader was made after the network."""
    main = fluid.default_main_program()
    for op in main.global_block().ops:
        op.after_readers = False
    asked.loader.set_batch_generator(batches(1)).start()
    asked.run()
    with pytest.raises(EOFException):
        asked.run()
    asked.loader.reset()


def test_an_epoch_that_is_left_begins_anew(asked: Net) -> None:
    asked.loader.set_batch_generator(batches(50))
    for _ in range(2):
        asked.loader.start()
        assert threads() == 1
        assert [asked.run(), asked.run()] == [0.0, 2.0]
        asked.loader.reset()
        assert not threads()


def test_copies_of_the_program_read_on(asked: Net) -> None:
    test = asked.main.clone(for_test=True)
    asked.loader.set_batch_generator(batches()).start()
    assert [asked.run(), asked.run(test), asked.run()] == [0.0, 2.0, 4.0]


def test_a_program_that_is_saved_is_fed(asked: Net, tmp_path: Any) -> None:
    with pytest.warns(UserWarning, match="no variable in your model"):
        save_inference_model(str(tmp_path), ["x"], [asked.twice], asked.exe, asked.main)
    program, _, [fetch] = load_inference_model(str(tmp_path), asked.exe)
    assert asked.exe.run(program, feed={"x": np.ones([1, 2], "float32")}, fetch_list=[fetch])[0][0, 0] == 2
    assert asked.main._prune([asked.twice], [asked.x])._readers == [asked.loader]  # y is not fed
    assert asked.main._prune([asked.x], [asked.x, asked.y])._readers == []
    assert asked.main._inference_optimize()._readers == []
    assert asked.main._inference_optimize(prune_read_op=False)._readers == [asked.loader]


def test_before_the_start(asked: Net) -> None:
    """PaddlePaddle waits for ever."""
    with pytest.raises(ModeError, match=r"got none yet, needs one to read from"):
        asked.loader.start()
    asked.loader.set_batch_generator(batches())
    with pytest.raises(ModeError, match=r"got not started, needs to be started. Call its start\(\), or feed x, y"):
        asked.run()
    assert asked.run(feed={"x": np.ones([1, 2], "float32"), "y": np.ones([1, 1], "int64")}) == 2.0
    asked.loader.start()
    with pytest.raises(ModeError, match=r"got one that was started, needs one at rest. Call reset\(\) first"):
        asked.loader.start()
    with pytest.raises(ModeError, match="the loader got iterable=False"):
        iter(asked.loader)


def test_feeds_are_checked(asked: Net) -> None:
    for reader, error, text in (
        (batches(1, dtype="float64"), DtypeError, r"feed\['x'\] got dtype float64, needs dtype float32"),
        (batches(1, width=3), ShapeError, r"feed\['x'\] got shape \[2, 3\], which has 3 in dimension 1, needs 2 there"),
    ):
        asked.loader.set_batch_generator(reader).start()
        with pytest.raises(error, match=text):
            asked.run()
        asked.loader.reset()


def test_errors_reach_the_run(asked: Net) -> None:
    def failing() -> Iterator[tuple]:
        yield from batches(1)()
        raise KeyError("no such file")

    asked.loader.set_batch_generator(failing).start()
    asked.run()
    with pytest.raises(KeyError, match="no such file"):
        asked.run()
    with pytest.raises(EOFException):
        asked.run()
    asked.loader.reset()
    asked.loader.set_batch_generator(batches(1))
    assert asked.epoch() == [[0, 0]]


@pytest.mark.parametrize(("drop_last", "last"), [(True, []), (False, [[4, 4]])])
def test_each_place_takes_a_batch(programs: Any, drop_last: bool, last: list) -> None:
    net = Net(iterable=False, drop_last=drop_last)
    net.loader.set_batch_generator(batches(5))
    compiled = fluid.CompiledProgram(net.main).with_data_parallel(places=[CPU, CPU])
    for _ in range(2):
        assert net.epoch(compiled) == [[0, 0, 1, 1], [2, 2, 3, 3], *last]


def test_training_on_batches_that_are_read(programs: Any) -> None:
    """Parameters are updated once a run, on one place and on two."""
    net = Net(iterable=False)
    loss = fluid.layers.mean(fluid.layers.fc(net.x, 1, param_attr=fluid.ParamAttr("w"), bias_attr=False))
    fluid.optimizer.SGD(0.5).minimize(loss)
    net.exe.run(fluid.default_startup_program())
    net.loader.set_batch_generator(batches(4))
    weight = fluid.global_scope().find_var("w").get_tensor()
    for program in (net.main, fluid.CompiledProgram(net.main).with_data_parallel(loss.name, places=[CPU, CPU])):
        before = np.array(weight)
        net.epoch(program)
        step = 0 + 1 + 2 + 3 if program is net.main else 0.5 + 2.5
        np.testing.assert_allclose(np.array(weight), before - 0.5 * step, rtol=1e-5)


def test_no_thread_outlives_the_loader(programs: Any) -> None:
    def begin() -> Any:
        with fluid.program_guard(fluid.Program(), fluid.Program()):
            net = Net(iterable=False)
            net.loader.set_batch_generator(batches(50)).start()
            assert threads() == 1
            return weakref.ref(net.loader)

    loader = begin()
    gc.collect()
    assert loader() is None
    assert not threads()


AT_EXIT = """
import numpy as np, paddle_lite.fluid as fluid
x = fluid.data('x', [None, 2], 'float32')
def batches():
    while True:
        yield [np.ones([2, 2], 'float32')]
loader = fluid.io.DataLoader.from_generator([x], capacity=2, iterable=False)
loader.set_batch_generator(batches).start()
other = fluid.io.PyReader([x], capacity=2)
other.decorate_batch_generator(batches, places=fluid.CPUPlace())
loop = iter(other)
print(fluid.Executor(fluid.CPUPlace()).run(fetch_list=[x])[0].sum(), next(loop)[0]['x'].shape())
"""


def test_a_program_ends_while_threads_read() -> None:
    done = run("-c", AT_EXIT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "4.0 [2, 2]\n", "")


# --- PyReader -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("iterable", [True, False])
def test_pyreader(programs: Any, iterable: bool) -> None:
    x, y = fluid.data("x", [None, 2], "float32"), fluid.data("y", [None, 1], "int64")
    reader = fluid.io.PyReader([x, y], capacity=2, iterable=iterable)
    exe = fluid.Executor(CPU)
    assert reader.iterable is iterable and reader() is reader
    for decorate, sizes in (
        (lambda: reader.decorate_sample_generator(samples, 2, places=CPU), [2, 2]),
        (lambda: reader.decorate_sample_list_generator(paddle.batch(samples, 2), places=CPU), [2, 2, 1]),
        (lambda: reader.decorate_batch_generator(batches(), places=CPU), [2, 2, 2]),
    ):
        decorate()
        found = []
        if iterable:
            found = [len(exe.run(feed=feed, fetch_list=[y])[0]) for feed in reader()]
        else:
            reader.start()
            with pytest.raises(fluid.core.EOFException):
                while True:
                    found.append(len(exe.run(fetch_list=[y])[0]))
            reader.reset()
        assert found == sizes
    if iterable:
        assert [sorted(next(reader)[0]), sorted(reader.next()[0]), len(next(reader))] == [["x", "y"], ["x", "y"], 1]
        assert next(reader, None) is None
    with pytest.raises(ModeError):
        reader.start() if iterable else iter(reader)


def test_the_queue_says_how_many_batches_wait(asked: Net) -> None:
    queue = asked.loader.queue
    asked.loader.set_batch_generator(batches(6))
    assert (queue.size(), queue.capacity()) == (0, 2)
    asked.loader.start()
    while queue.size() < 2:  # it reads ahead as many as there is room for
        threading.Event().wait(0.001)
    asked.run()
    while queue.size() < 2:
        threading.Event().wait(0.001)
    asked.loader.reset()
    assert queue.size() == 0


def test_a_pyreader_has_the_queue_of_its_loader(asked: Net) -> None:
    reader = fluid.io.PyReader([asked.x, asked.y], capacity=3, iterable=False)
    assert (reader.queue.size(), reader.queue.capacity()) == (0, 3)
    assert fluid.io.PyReader([asked.x, asked.y], capacity=3).queue is None  # as in 1.8.5, before the first epoch
    with fluid.dygraph.guard():
        assert fluid.io.PyReader(capacity=3).queue is None
        assert fluid.io.DataLoader.from_generator(capacity=3).queue is None


def test_an_iterable_loader_has_the_queue_of_its_epoch(asked: Net) -> None:
    loader = fluid.io.DataLoader.from_generator([asked.x, asked.y], capacity=2)
    loader.set_batch_generator(batches(4), places=CPU)
    assert loader.queue is None and loader._queue is None
    feeds = iter(loader)
    assert (loader._queue.size(), loader.queue.capacity()) == (0, 2)
    next(feeds)
    while loader.queue.size() < 2:
        threading.Event().wait(0.001)
    assert len(list(feeds)) == 3
    assert loader.queue.size() == 0


def test_variables_come_in_any_iterable(programs: Any) -> None:
    given = {"x": fluid.data("x", [None, 2], "float32"), "y": fluid.data("y", [None, 1], "int64")}
    loader = fluid.io.DataLoader.from_generator(given.values(), capacity=2)
    [[feed]] = loader.set_batch_generator(batches(1), places=CPU)
    assert list(feed) == ["x", "y"]
    assert list(fluid.DataFeeder(given.keys(), CPU).feed([([1.0, 2.0], 3)])) == ["x", "y"]
