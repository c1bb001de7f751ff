"""A tagger of ragged sentences: LSTMs in both directions and a linear chain CRF; batch 32, 5 to 40 words, SGD."""

import numpy as np
import paddle.fluid as fluid
from steps import train

BATCH, LOW, HIGH, BATCHES = 32, 5, 40, 8
WORDS, WIDTH, HIDDEN, TAGS = 2000, 32, 64, 9

words = fluid.data(name="words", shape=[None, 1], dtype="int64", lod_level=1)
tags = fluid.data(name="tags", shape=[None, 1], dtype="int64", lod_level=1)
embedded = fluid.layers.embedding(input=words, size=[WORDS, WIDTH])
both = []
for is_reverse in (False, True):
    gates = fluid.layers.fc(input=embedded, size=4 * HIDDEN)
    both.append(fluid.layers.dynamic_lstm(input=gates, size=4 * HIDDEN, is_reverse=is_reverse)[0])
scores = fluid.layers.fc(input=both, size=TAGS)
transitions = fluid.ParamAttr(name="transitions")
cost = fluid.layers.linear_chain_crf(input=scores, label=tags, param_attr=transitions)
loss = fluid.layers.mean(cost)
rate = fluid.layers.exponential_decay(learning_rate=0.01, decay_steps=10000, decay_rate=0.5, staircase=True)
fluid.optimizer.SGD(learning_rate=rate).minimize(loss)

place = fluid.CPUPlace()
exe = fluid.Executor(place)
exe.run(fluid.default_startup_program())
rng = np.random.RandomState(0)
batches = []
for _ in range(BATCHES):
    lengths = rng.randint(LOW, HIGH + 1, BATCH).tolist()
    shape = (sum(lengths), 1)
    batches.append((rng.randint(0, WORDS, shape), rng.randint(0, TAGS, shape), lengths))


def step(k):
    rows, labels, lengths = batches[k % BATCHES]
    feed = {
        "words": fluid.create_lod_tensor(rows, [lengths], place),
        "tags": fluid.create_lod_tensor(labels, [lengths], place),
    }
    return exe.run(fluid.default_main_program(), feed=feed, fetch_list=[loss])[0]


train(step)
