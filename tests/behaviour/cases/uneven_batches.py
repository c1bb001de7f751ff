"""How many rows or sequences each place gets of a batch that the number of places does not divide, and what it trains."""

import numpy as np


def trained(places, samples, sequences=False):
    def run(fluid):
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup):
            x = fluid.data("x", [None, 2], "float32", lod_level=int(sequences))
            pooled = fluid.layers.sequence_pool(x, "sum") if sequences else x
            weight = fluid.ParamAttr(name="w", initializer=fluid.initializer.Constant(1.0))
            y = fluid.layers.fc(pooled, 1, param_attr=weight, bias_attr=False)
            loss = fluid.layers.mean(y * y)
            fluid.optimizer.SGD(0.1).minimize(loss)
        lengths = [1 + i % 3 if sequences else 1 for i in range(samples)]
        rows = np.arange(2 * sum(lengths)).reshape(-1, 2).astype("float32") / 10
        fed = fluid.create_lod_tensor(rows, [lengths], fluid.CPUPlace()) if sequences else rows
        exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
        with fluid.scope_guard(scope):
            exe.run(startup)
            program = fluid.CompiledProgram(main).with_data_parallel(
                loss_name=loss.name, places=[fluid.CPUPlace()] * places
            )
            return {
                "loss": exe.run(program, feed={"x": fed}, fetch_list=[loss])[0],
                "w": np.array(scope.find_var("w").get_tensor()),
            }

    return run


def evaluated(places, samples, rates):
    """A batch that trains nothing may fill fewer places; the rows of a persistable Variable are divided where there are more."""

    def run(fluid):
        main = fluid.Program()
        with fluid.program_guard(main, fluid.Program()):
            x = fluid.data("x", [None, 1], "float32")
            rate = fluid.data("rate", [1], "float32")
            rate.persistable = True
            fetched = [fluid.layers.reduce_sum(x), fluid.layers.relu(rate)]
        exe = fluid.Executor(fluid.CPUPlace())
        program = fluid.CompiledProgram(main).with_data_parallel(places=[fluid.CPUPlace()] * places)
        feed = {"x": np.ones([samples, 1], "float32"), "rate": np.arange(1, rates + 1).astype("float32")}
        return dict(zip(("sum", "rate"), exe.run(program, feed=feed, fetch_list=fetched)))

    return run


CASES = {
    f"{samples} {'sequences' if sequences else 'rows'} on {places}": trained(places, samples, sequences)
    for places, samples in ((2, 3), (4, 7), (4, 10), (3, 7))
    for sequences in (False, True)
}
CASES.update(
    {
        f"{samples} rows and {rates} rates on {places}": evaluated(places, samples, rates)
        for places, samples, rates in ((4, 5, 1), (4, 9, 1), (4, 3, 3), (4, 5, 4), (3, 10, 1))
    }
)
