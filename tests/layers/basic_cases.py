"""Recurrences of `fluid.contrib.layers` that are written with basic operators; record_basic.py runs them under PaddlePaddle 1.8.5 (Python 3.7)."""

import numpy as np

RECURRENT = {
    "one": {},
    "two_ways": {"num_layers": 2, "bidirectional": True, "lengths": True, "initial": True},
    "ragged": {"num_layers": 2, "lengths": True},
    "time_major": {"bidirectional": True, "initial": True, "batch_first": False},
    "backwards_ragged": {"bidirectional": True, "lengths": True},
}
KINDS = ["gru", "lstm"]
LENGTHS = np.array([3, 1, 2, 3])


def numbers(*shape, start=0):
    """Numbers between -0.5 and 0.5 that are the same everywhere."""
    count = int(np.prod(shape))
    return (np.sin(np.arange(count) * 0.7 + start) * 0.5).astype("float32").reshape(shape)


def recurrent(fluid, kind, num_layers=1, bidirectional=False, lengths=False, initial=False, batch_first=True):
    """The results of basic_gru or basic_lstm, the gradient of their square for the input, and the names of parameters."""
    main, startup = fluid.Program(), fluid.Program()
    states = num_layers * (2 if bidirectional else 1)
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.core.Scope()):
        x = fluid.data("x", [None, 3, 5] if batch_first else [3, None, 5])
        x.stop_gradient = False
        feed = {"x": numbers(4, 3, 5) if batch_first else numbers(4, 3, 5).transpose(1, 0, 2)}
        options = {"num_layers": num_layers, "bidirectional": bidirectional, "batch_first": batch_first}
        if lengths:
            options["sequence_length"] = fluid.data("lengths", [None], "int64")
            feed["lengths"] = LENGTHS
        starts = [None] * (1 if kind == "gru" else 2)
        if initial:
            starts = [fluid.data(f"start{i}", [states, None, 6]) for i in range(len(starts))]
            feed.update({f"start{i}": numbers(states, 4, 6, start=i) for i in range(len(starts))})
        if kind == "gru":
            results = fluid.contrib.layers.basic_gru(x, starts[0], 6, **options)
        else:
            results = fluid.contrib.layers.basic_lstm(x, starts[0], starts[1], 6, forget_bias=0.5, **options)
        (gradient,) = fluid.gradients(fluid.layers.reduce_sum(results[0] * results[0]), x)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        parameters = main.all_parameters()
        for i, each in enumerate(parameters):
            fluid.global_scope().find_var(each.name).get_tensor().set(numbers(*each.shape, start=i), fluid.CPUPlace())
        values = exe.run(main, feed=feed, fetch_list=[*results, gradient])
    return values, [each.name for each in parameters]
