"""A training from files, whose parameters PaddlePaddle 1.8.5 and paddle_lite must agree on.

PYTHON dataset_training.py recorded_training.npz       with the Python of PaddlePaddle 1.8.5: records them
"""

import os
import sys

import numpy as np

WORDS = 30


def write_files(folder):
    random = np.random.RandomState(5)
    names = []
    for number in range(3):
        names.append(os.path.join(folder, f"part-{number}"))
        with open(names[-1], "w") as out:
            for _ in range(11):
                ids = random.randint(0, WORDS, random.randint(1, 5))
                weights = random.rand(random.randint(1, 3)).round(2) * random.randint(0, 2)
                dense, label = random.rand(2).round(3), ids.sum() % 2
                parts = [len(ids), *ids, len(weights), *weights, 2, *dense, 1, label]
                out.write(" ".join(map(str, parts)) + "\n")
    return names


def train(fluid, kind, folder):
    """Return the parameters after two passes over files by one thread, by name."""
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(scope):
        ids = fluid.data("ids", [None, 1], "int64", lod_level=1)
        weights = fluid.data("weights", [None, 1], "float32", lod_level=1)
        dense = fluid.data("dense", [None, 2], "float32")
        label = fluid.data("label", [None, 1], "int64")
        start = np.linspace(-0.5, 0.5, WORDS * 4).reshape(WORDS, 4).astype("float32")
        table = fluid.ParamAttr("table", initializer=fluid.initializer.NumpyArrayInitializer(start))
        words = fluid.layers.sequence_pool(
            fluid.layers.embedding(ids, [WORDS, 4], is_sparse=True, param_attr=table), "sum"
        )
        joined = fluid.layers.concat([words, fluid.layers.sequence_pool(weights, "sum"), dense], axis=1)
        constant = fluid.ParamAttr("w", initializer=fluid.initializer.NumpyArrayInitializer(start[:7, :2]))
        guess = fluid.layers.fc(joined, 2, act="softmax", param_attr=constant, bias_attr=fluid.ParamAttr("b"))
        fluid.optimizer.Adagrad(0.1).minimize(fluid.layers.mean(fluid.layers.cross_entropy(guess, label)))
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        data = fluid.DatasetFactory().create_dataset(kind)
        data.set_use_var([ids, weights, dense, label])
        data.set_batch_size(4)
        data.set_thread(1)
        data.set_filelist(write_files(folder))
        data.set_pipe_command("cat")
        if kind == "InMemoryDataset":
            data.load_into_memory()
        for _ in range(2):
            exe.train_from_dataset(main, data)
        return {name: np.array(scope.find_var(name).get_tensor()) for name in ("table", "w", "b")}


if __name__ == "__main__":
    import tempfile

    from paddle import fluid

    recorded = {}
    for kind in ("QueueDataset", "InMemoryDataset"):
        for name, value in train(fluid, kind, tempfile.mkdtemp()).items():
            recorded[f"{kind}.{name}"] = value
    np.savez_compressed(sys.argv[1], **recorded)
