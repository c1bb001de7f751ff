"""CompiledProgram and ParallelExecutor: parts of a batch on several places."""

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.static.execution import data_parallel

X = np.random.RandomState(0).rand(6, 3).astype("float32")


def network(lod_level=0):
    x = fluid.layers.data("x", [3], lod_level=lod_level)
    w = fluid.layers.create_parameter([3, 2], "float32", name="w")
    hidden = fluid.layers.mul(x, w)
    loss = fluid.layers.mean(fluid.layers.square(hidden))
    fluid.backward.append_backward(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    return exe, hidden, loss


def compiled(loss, places=2, **options):
    program = fluid.CompiledProgram(fluid.default_main_program())
    return program.with_data_parallel(loss_name=loss.name, places=places, **options)


def test_gradients_are_averaged_and_fetches_stand_one_after_another():
    exe, hidden, loss = network()
    whole = exe.run(feed={"x": X}, fetch_list=[loss, hidden, "w@GRAD"])
    losses, rows, gradients, weights = exe.run(compiled(loss), feed={"x": X}, fetch_list=[loss, hidden, "w@GRAD", "w"])
    assert losses.shape == (2,) and weights.shape == (6, 2)
    np.testing.assert_allclose(losses.mean(), whole[0][0], rtol=1e-6)
    np.testing.assert_allclose(rows, whole[1], rtol=1e-6)
    np.testing.assert_allclose(gradients, np.concatenate([whole[2], whole[2]]), rtol=1e-5)


@pytest.fixture
def no_warm_up():
    before = fluid.get_flags("FLAGS_plan_warm_up")
    fluid.set_flags({"FLAGS_plan_warm_up": 0})
    yield
    fluid.set_flags(before)


def test_parameters_are_updated_where_they_are(no_warm_up):
    """A copy of each parameter in each step makes large embeddings slow."""
    ids = fluid.data("ids", [None, 1], dtype="int64")
    rows = fluid.embedding(ids, [5000, 8], is_sparse=True, param_attr=fluid.ParamAttr(name="table"))
    loss = fluid.layers.reduce_mean(fluid.layers.square(fluid.layers.fc(rows, 3, param_attr="w", bias_attr=False)))
    fluid.optimizer.SGD(0.1).minimize(loss)
    exe = fluid.Executor()
    exe.run(fluid.default_startup_program())
    program = compiled(loss)

    def step():
        exe.run(program, feed={"ids": np.arange(4).reshape(4, 1)}, fetch_list=[loss])
        held = [fluid.global_scope().find_var(name).get_tensor() for name in ("table", "w")]
        return [tensor.array.ctypes.data for tensor in held], [np.array(tensor) for tensor in held]

    places, before = step()
    again, after = step()
    assert again == places
    assert all((a != b).any() for a, b in zip(before, after, strict=True))


@pytest.mark.parametrize("places", [fluid.CPUPlace(), [fluid.CPUPlace()], 1], ids=["place", "list", "number"])
def test_one_place_takes_feeds_as_they_are(places):
    x, s = fluid.data("x", [None, 2]), fluid.data("s", [1])
    loss = fluid.layers.reduce_mean(x * s)
    program = compiled(loss, places)
    for value in (2.0, np.float32(2), np.array([2], "float32")):
        feed = {"x": np.ones([4, 2], "float32"), "s": value}
        assert fluid.Executor().run(program, feed=feed, fetch_list=[loss])[0].tolist() == [2]


def test_fewer_samples_than_places_run_on_as_many_places_unless_it_trains():
    x, s = fluid.data("x", [None, 2]), fluid.data("s", [1])
    factor = fluid.layers.create_global_var([1], 3.0, "float32", persistable=True, name="factor")
    out = fluid.layers.reduce_mean(x * s) * factor
    exe = fluid.Executor()
    exe.run(fluid.default_startup_program())
    program = compiled(out)
    feed = {"x": np.ones([1, 2], "float32"), "s": np.array([2], "float32")}
    assert exe.run(program, feed=feed, fetch_list=[out])[0].tolist() == [6]
    with pytest.raises(ArgumentValueError, match=r"feed\['s'\] got 1 samples"):
        exe.run(program, feed={**feed, "x": np.ones([4, 2], "float32")}, fetch_list=[out])
    with pytest.raises(ArgumentValueError, match=r"feed\['x'\] got 0 samples"):
        exe.run(program, feed={**feed, "x": np.ones([0, 2], "float32")}, fetch_list=[out])


def test_what_is_persistable_is_fed_to_every_place_as_a_whole():
    x = fluid.data("x", [None, 2])
    factor = fluid.layers.create_global_var([1], 3.0, "float32", persistable=True, name="factor")
    out = fluid.layers.reduce_mean(x * factor)
    feed = {"x": np.ones([4, 2], "float32"), "factor": np.array([2], "float32")}
    assert fluid.Executor().run(compiled(out), feed=feed, fetch_list=[out])[0].tolist() == [2, 2]


def test_updates_inside_of_a_branch_need_one_place():
    x = fluid.data("x", [None, 3])
    loss = fluid.layers.mean(fluid.layers.fc(x, 1))
    pred = fluid.layers.fill_constant([1], "bool", True)
    fluid.layers.cond(pred, lambda: fluid.optimizer.SGD(0.1).minimize(loss) and None, None)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    with pytest.raises(NotImplementedError, match=r"sgd in a conditional_block: an optimizer .* one place"):
        exe.run(compiled(loss), feed={"x": X}, fetch_list=[loss])
    assert exe.run(compiled(loss, places=1), feed={"x": X}, fetch_list=[loss])[0].shape == (1,)


def test_results_of_each_place_apart():
    exe, hidden, loss = network()
    [losses, rows] = exe.run(compiled(loss), feed={"x": X[:5]}, fetch_list=[loss, hidden], return_merged=False)
    assert [r.shape for r in losses] == [(1,), (1,)] and [r.shape for r in rows] == [(3, 2), (2, 2)]
    for place, part in enumerate((X[:3], X[3:5])):
        [alone] = exe.run(fluid.default_main_program().clone(for_test=True), feed={"x": part}, fetch_list=[hidden])
        np.testing.assert_allclose(rows[place], alone, rtol=1e-5)


@pytest.mark.parametrize("scale", ["One", "Customized"])
def test_gradient_scales(scale):
    exe, _, loss = network()
    strategy = fluid.BuildStrategy()
    strategy.gradient_scale_strategy = getattr(fluid.BuildStrategy.GradientScaleStrategy, scale)
    feed = {"x": X, f"{loss.name}@GRAD": np.full(2, 0.5, "float32")} if scale == "Customized" else {"x": X}
    program = compiled(loss, build_strategy=strategy)
    whole = exe.run(feed={"x": X}, fetch_list=["w@GRAD"])[0]
    got = exe.run(program, feed=feed, fetch_list=["w@GRAD"])[0][:3]
    np.testing.assert_allclose(got, 2 * whole * (0.5 if scale == "Customized" else 1), rtol=1e-5)


def test_a_list_of_feeds_is_one_for_each_place():
    exe, hidden, loss = network()
    [rows] = exe.run(compiled(loss), feed=[{"x": X[:1]}, {"x": X[:3]}], fetch_list=[hidden])
    assert rows.shape == (4, 2)
    [rows] = exe.run(compiled(loss), feed=[{"x": X[:3]}], fetch_list=[hidden])  # as the end of an epoch may be
    assert rows.shape == (3, 2)
    with pytest.raises(ArgumentValueError, match="a list of 3, needs a list of 2 dicts"):
        exe.run(compiled(loss), feed=[{"x": X}] * 3, fetch_list=[hidden])
    with pytest.raises(ArgumentValueError, match=r"feed\['x'\] got 1 samples.*CPU_NUM"):
        exe.run(compiled(loss), feed={"x": X[:1]}, fetch_list=[hidden])


def test_sequences_are_divided_as_wholes():
    exe, hidden, loss = network(lod_level=1)
    tensor = fluid.create_lod_tensor(X, [[1, 3, 2]], fluid.CPUPlace())
    [rows] = exe.run(compiled(loss), feed={"x": tensor}, fetch_list=[hidden], return_numpy=False)
    assert rows.recursive_sequence_lengths() == [[1, 3, 2]]
    [parts] = exe.run(compiled(loss), feed={"x": tensor}, fetch_list=[hidden], return_numpy=False, return_merged=False)
    assert [t.recursive_sequence_lengths() for t in parts] == [[[1, 3]], [[2]]]


def test_a_compiled_program_for_one_place_is_the_program():
    exe, _, loss = network()
    program = fluid.CompiledProgram(fluid.default_main_program())
    assert exe.run(program, feed={"x": X}, fetch_list=[loss])[0].shape == (1,)
    with pytest.raises(ArgumentTypeError, match="program_or_graph"):
        fluid.CompiledProgram("main")
    program.with_data_parallel(places=2)
    with pytest.raises(ArgumentValueError, match="already"):
        program.with_data_parallel(places=2)


def test_parallel_executor(monkeypatch):
    monkeypatch.setenv("CPU_NUM", "2")
    _, _, loss = network()
    executor = fluid.ParallelExecutor(use_cuda=False, loss_name=loss.name)
    assert executor.device_count == 2
    assert executor.run([loss.name], feed={"x": X})[0].shape == (2,)
    assert executor.run([loss], feed_dict=[{"x": X[:4]}, {"x": X[4:]}])[0].shape == (2,)
    executor.drop_local_exe_scopes()


@pytest.mark.parametrize("parallel", [False, True])
def test_a_compiled_program_has_the_operators_that_were_there(parallel):
    """Losses recorded from 1.8.5: what minimize appends later does not run, nor can what is computed later be fetched."""
    x = fluid.data("x", [None, 3], "float32")
    one = fluid.initializer.Constant(1.0)
    loss = fluid.layers.mean(fluid.layers.fc(x, 1, param_attr=fluid.ParamAttr(initializer=one)))
    main = fluid.default_main_program()

    def compiled():
        made = fluid.CompiledProgram(main)
        return made.with_data_parallel(loss_name=loss.name, places=[fluid.CPUPlace()]) if parallel else made

    before = compiled()
    fluid.optimizer.SGD(0.1).minimize(loss)
    after = compiled()
    scaled = fluid.layers.scale(loss, 5.0)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    feed = {"x": np.ones([2, 3], "float32")}
    losses = [exe.run(each, feed, [loss])[0].item() for each in (before, before, after, after, before)]
    np.testing.assert_allclose(losses, [3.0, 3.0, 3.0, 2.6, 2.2], rtol=1e-6)
    assert "of 3 operators" in repr(before)
    for each in (before, after):
        with pytest.raises(ArgumentValueError, match="fetch_list got 'scale"):
            exe.run(each, feed, [scaled])
    assert exe.run(compiled(), feed, [scaled])[0].item() == pytest.approx(11.0)


def test_options_are_known_by_name_and_say_when_they_have_no_effect():
    strategy = fluid.BuildStrategy()
    with pytest.raises(AttributeError, match="no attribute 'foo'"):
        strategy.foo = 1
    with pytest.raises(ArgumentTypeError, match="debug_graphviz_path got int 3"):
        strategy.debug_graphviz_path = 3
    with pytest.warns(UserWarning, match="sync_batch_norm = True has no effect"):
        strategy.sync_batch_norm = True
    strategy.sync_batch_norm = False
    fluid.BuildStrategy().sync_batch_norm = True  # said once
    execution = fluid.ExecutionStrategy()
    execution.num_threads = 1
    assert (execution.num_threads, execution.num_iteration_per_drop_scope) == (1, 100)


def test_a_dry_run_computes_nothing():
    execution = fluid.ExecutionStrategy()
    execution._dry_run = True
    exe, _, loss = network()
    program = compiled(loss, exec_strategy=execution)
    assert exe.run(program) == [] and exe.run(program, feed={"x": X}, fetch_list=[loss]) == [None]


@pytest.mark.parametrize("most", [0, 1])
def test_places_that_work_at_one_time_divide_the_threads_among_them(monkeypatch, most):
    seen, divide = [], data_parallel.divide_blas_threads
    monkeypatch.setattr(data_parallel, "divide_blas_threads", lambda callers: seen.append(callers) or divide(callers))
    execution = fluid.ExecutionStrategy()
    execution.num_threads = most
    exe, _, loss = network()
    exe.run(compiled(loss, exec_strategy=execution), feed={"x": X}, fetch_list=[loss])
    assert seen == [most or 2]


def test_several_steps_in_one_run():
    x = fluid.layers.data("x", [1])
    count = (
        fluid.default_main_program()
        .global_block()
        .create_var(name="count", shape=[1], dtype="float32", persistable=True)
    )
    fluid.global_scope().var("count").get_tensor().set(np.zeros(1, "float32"), fluid.CPUPlace())
    fluid.layers.assign(fluid.layers.scale(count, 1.0, bias=1.0), output=count)
    execution = fluid.ExecutionStrategy()
    execution.num_iteration_per_run = 3
    program = fluid.CompiledProgram(fluid.default_main_program()).with_data_parallel(exec_strategy=execution, places=1)
    fluid.Executor(fluid.CPUPlace()).run(program, feed={"x": np.ones([1, 1], "float32")}, fetch_list=[x])
    assert np.array(fluid.global_scope().find_var("count").get_tensor()).tolist() == [3.0]


def test_sparse_gradients_of_all_places_update_the_table_once():
    ids = np.array([[1], [1], [3], [0]], "int64")
    i = fluid.data("i", [None, 1], "int64")
    table = fluid.ParamAttr(name="table", initializer=fluid.initializer.Constant(0.5))
    rows = fluid.embedding(i, [5, 2], is_sparse=True, param_attr=table)
    loss = fluid.layers.mean(fluid.layers.square(rows))
    fluid.optimizer.SGD(1.0).minimize(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    found = []
    for program in (fluid.default_main_program(), compiled(loss)):
        exe.run(fluid.default_startup_program())
        exe.run(program, feed={"i": ids}, fetch_list=[loss])
        found += exe.run(fluid.default_main_program(), feed={"i": ids}, fetch_list=["table"])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-6)


def test_every_place_reads_what_was_there_before_the_first_one_writes():
    counter = fluid.layers.create_global_var([1], 0.0, "float32", persistable=True)
    fluid.layers.increment(counter)
    x = fluid.data("x", [None, 1])
    loss = fluid.layers.mean(x)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    strategy = fluid.ExecutionStrategy()
    strategy.num_threads = 1  # the places one after another
    program = compiled(loss, places=3, exec_strategy=strategy)
    for step in (1.0, 2.0):
        [got] = exe.run(program, feed={"x": X[:3, :1]}, fetch_list=[counter])
        np.testing.assert_array_equal(got, [step] * 3)


def test_results_that_do_not_fit_together_are_fetched_apart():
    x = fluid.data("x", [None, None])
    array = fluid.layers.array_write(x, fluid.layers.fill_constant([1], "int64", 0))
    program = fluid.CompiledProgram(fluid.default_main_program()).with_data_parallel(places=2)
    exe = fluid.Executor(fluid.CPUPlace())
    feed = [{"x": X}, {"x": X[:, :2]}]
    for fetched, got in ((x, "shape [6, 3] and shape [6, 2]"), (array, "shape [6, 3] and shape [6, 2]")):
        with pytest.raises(ShapeError) as raised:
            exe.run(program, feed=feed, fetch_list=[fetched])
        assert got in str(raised.value) and "return_merged=False" in str(raised.value)
    [parts] = exe.run(program, feed=feed, fetch_list=[x], return_merged=False)
    assert [p.shape for p in parts] == [(6, 3), (6, 2)]
    [arrays] = exe.run(program, feed=feed, fetch_list=[array], return_merged=False)
    assert [[element.shape for element in elements] for elements in arrays] == [[(6, 3)], [(6, 2)]]


def test_elements_of_arrays_are_merged():
    """As PaddlePaddle 1.8.5 merges them: element by element, an element that no place wrote is None."""
    x = fluid.data("x", [None, 3])
    array = fluid.layers.array_write(x, fluid.layers.fill_constant([1], "int64", 0))
    fluid.layers.array_write(fluid.layers.mean(x), fluid.layers.fill_constant([1], "int64", 2), array=array)
    program = fluid.CompiledProgram(fluid.default_main_program()).with_data_parallel(places=2)
    rows = np.arange(12, dtype="float32").reshape(4, 3)
    [[first, second, third]] = fluid.Executor(fluid.CPUPlace()).run(program, feed={"x": rows}, fetch_list=[array])
    assert np.array_equal(first, rows) and second is None
    assert third.tolist() == [rows[:2].mean(), rows[2:].mean()]


@pytest.mark.parametrize("places", [1, 2])
@pytest.mark.parametrize("in_loss", [False, True], ids=["rate", "rate in the loss, too"])
def test_a_switch_chooses_between_learning_rates(places, in_loss):
    x = fluid.data("x", [None, 3])
    loss = fluid.layers.mean(fluid.layers.fc(x, 2, param_attr=fluid.initializer.Constant(0.1)))
    decayed = fluid.layers.polynomial_decay(0.1, 10, end_learning_rate=0, power=1.0)
    rate = fluid.layers.create_global_var([1], 0.0, "float32", persistable=True)
    step = fluid.layers.cast(fluid.layers.autoincreased_step_counter("@STEP@"), "float32")
    with fluid.layers.Switch() as switch:
        with switch.case(step <= 2.0):
            fluid.layers.assign(step * 0.01, rate)
        with switch.default():
            fluid.layers.assign(decayed, rate)
    fluid.optimizer.SGD(rate).minimize(loss * decayed if in_loss else loss)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    program = compiled(loss, places)
    rates = [exe.run(program, feed={"x": X}, fetch_list=[rate])[0][0] for _ in range(3)]
    np.testing.assert_allclose(rates, [0.01, 0.02, 0.08], rtol=1e-6)


@pytest.mark.parametrize(
    ("strategy", "counted"), [("AllReduce", [5, 9, 6, 6]), ("Reduce", [16, 16, 31, 17])], ids=["own", "shared"]
)
def test_cpus_share_what_operators_keep_where_gradients_are_reduced(strategy, counted):
    """The numbers are those of PaddlePaddle 1.8.5: with AllReduce the counts of auc are those of the first place."""
    x, y = fluid.data("x", [None, 3]), fluid.data("y", [None, 1], "int64")
    area, _, states = fluid.layers.auc(fluid.layers.fc(x, 2, act="softmax"), y, num_thresholds=7)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    build = fluid.BuildStrategy()
    build.reduce_strategy = fluid.BuildStrategy.ReduceStrategy[strategy]
    program = fluid.CompiledProgram(fluid.default_main_program()).with_data_parallel(build_strategy=build, places=4)
    draw = np.random.RandomState(0)
    for shift in range(3):
        rows = draw.randn(16, 3).astype("float32") + np.float32(shift)
        exe.run(program, feed={"x": rows, "y": draw.randint(0, 2, (16, 1))}, fetch_list=[area])
    kept = [np.array(fluid.global_scope().find_var(state.name).get_tensor()) for state in states]
    assert [int(count.sum()) for count in kept] == counted
