"""A user's program that trains from a data set, for bench_dataset: THREADS threads, KIND=memory or files, FOLDER with the files.

10 slots of ids from 100000, in one table with rows of 16, beside 13 numbers; layers of 400, 400, 2; a batch of 256.
"""

import os
import time

import numpy as np
import paddle.fluid as fluid

threads, kind, folder = int(os.environ["THREADS"]), os.environ["KIND"], os.environ["FOLDER"]
FILES, LINES, SLOTS, WORDS, PASSES = 4, 5120, 10, 100000, 6
layers, random = fluid.layers, np.random.RandomState(0)

ids = [layers.data(f"ids{i}", [1], dtype="int64", lod_level=1) for i in range(SLOTS)]
dense, label = layers.data("dense", [13], dtype="float32"), layers.data("label", [1], dtype="int64")
table = fluid.ParamAttr("table")
rows = [layers.embedding(each, [WORDS, 16], is_sparse=True, param_attr=table) for each in ids]
hidden = layers.concat([layers.sequence_pool(each, "sum") for each in rows] + [dense], axis=1)
for width in (400, 400):
    hidden = layers.fc(hidden, width, act="relu")
loss = layers.mean(layers.cross_entropy(layers.fc(hidden, 2, act="softmax"), label))
fluid.optimizer.SGD(0.001).minimize(loss)

names = [os.path.join(folder, f"part-{i}") for i in range(FILES)]
for name in names:
    if not os.path.exists(name):
        with open(name, "w") as out:
            for _ in range(LINES):
                slots = " ".join(f"1 {word}" for word in random.zipf(1.2, SLOTS) % WORDS)
                numbers = " ".join(f"{each:.4f}" for each in random.rand(13))
                out.write(f"{slots} 13 {numbers} 1 {random.randint(2)}\n")

exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
data = fluid.DatasetFactory().create_dataset("InMemoryDataset" if kind == "memory" else "QueueDataset")
data.set_use_var([*ids, dense, label])
data.set_batch_size(256)
data.set_thread(threads)
data.set_filelist(names)
data.set_pipe_command("cat")
if kind == "memory":
    data.load_into_memory()
rates = []
for _ in range(1 + PASSES):
    began = time.perf_counter()
    exe.train_from_dataset(fluid.default_main_program(), data, thread=threads)
    rates.append(FILES * LINES / (time.perf_counter() - began))
rates = sorted(rates[1:])
print(f"examples per second: {rates[PASSES // 2]:.1f}")
