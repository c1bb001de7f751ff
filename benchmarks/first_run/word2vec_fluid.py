"""The book's n-gram model: four words predict the fifth; a shared table with a sparse gradient, batch 100, AdaGrad."""

import numpy as np
import paddle.fluid as fluid
from steps import train

BATCH, WORDS, WIDTH, HIDDEN, CONTEXT = 100, 2073, 32, 256, 4

names = ["first", "second", "third", "fourth"]
context = [fluid.data(name=name, shape=[None, 1], dtype="int64") for name in names]
target = fluid.data(name="target", shape=[None, 1], dtype="int64")
embedded = [
    fluid.embedding(input=word, size=[WORDS, WIDTH], is_sparse=True, param_attr="shared_table") for word in context
]
joined = fluid.layers.concat(input=[fluid.layers.reshape(each, [-1, WIDTH]) for each in embedded], axis=1)
hidden = fluid.layers.fc(input=joined, size=HIDDEN, act="sigmoid")
found = fluid.layers.fc(input=hidden, size=WORDS, act="softmax")
loss = fluid.layers.mean(fluid.layers.cross_entropy(input=found, label=target))
decay = fluid.regularizer.L2DecayRegularizer(8e-4)
fluid.optimizer.AdagradOptimizer(learning_rate=3e-3, regularization=decay).minimize(loss)

exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
rng = np.random.RandomState(0)
feed = {name: rng.randint(0, WORDS, (BATCH, 1)).astype("int64") for name in [*names, "target"]}


def step(k):
    return exe.run(fluid.default_main_program(), feed=feed, fetch_list=[loss])[0]


train(step)
