"""A classifier of ragged sentences: an embedding, an LSTM, the maximum over time; batch 32, 5 to 60 words, Adam."""

import numpy as np
import paddle.fluid as fluid
from steps import train

BATCH, LOW, HIGH, BATCHES = 32, 5, 60, 8
WORDS, WIDTH, CLASSES = 5000, 128, 2

words = fluid.data(name="words", shape=[None, 1], dtype="int64", lod_level=1)
label = fluid.data(name="label", shape=[None, 1], dtype="int64")
embedded = fluid.layers.embedding(input=words, size=[WORDS, WIDTH])
gates = fluid.layers.fc(input=embedded, size=4 * WIDTH)
hidden, _ = fluid.layers.dynamic_lstm(input=gates, size=4 * WIDTH, use_peepholes=False)
found = fluid.layers.fc(input=fluid.layers.sequence_pool(hidden, "max"), size=CLASSES, act="softmax")
loss = fluid.layers.mean(fluid.layers.cross_entropy(input=found, label=label))
accuracy = fluid.layers.accuracy(input=found, label=label)
fluid.optimizer.Adam(learning_rate=0.002).minimize(loss)

place = fluid.CPUPlace()
exe = fluid.Executor(place)
exe.run(fluid.default_startup_program())
rng = np.random.RandomState(0)
batches = []
for _ in range(BATCHES):
    lengths = rng.randint(LOW, HIGH + 1, BATCH).tolist()
    batches.append((rng.randint(0, WORDS, (sum(lengths), 1)), lengths, rng.randint(0, CLASSES, (BATCH, 1))))


def step(k):
    rows, lengths, labels = batches[k % BATCHES]
    feed = {"words": fluid.create_lod_tensor(rows, [lengths], place), "label": labels}
    return exe.run(fluid.default_main_program(), feed=feed, fetch_list=[loss, accuracy])[0]


train(step)
