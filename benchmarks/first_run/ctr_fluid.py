"""A CTR network as for the Criteo data: 26 sparse fields, 13 numbers, three layers of 400; batch 128, lazy Adam."""

import numpy as np
import paddle.fluid as fluid
from steps import train

BATCH, FIELDS, DENSE, ROWS, WIDTH, HIDDEN = 128, 26, 13, 100001, 10, (400, 400, 400)

dense = fluid.data(name="dense", shape=[None, DENSE], dtype="float32")
fields = [fluid.data(name=f"C{k}", shape=[None, 1], dtype="int64", lod_level=1) for k in range(FIELDS)]
label = fluid.data(name="label", shape=[None, 1], dtype="int64")


def embedding(ids):
    table = fluid.ParamAttr(name="table", initializer=fluid.initializer.Uniform())
    rows = fluid.layers.embedding(input=ids, is_sparse=True, size=[ROWS, WIDTH], param_attr=table)
    return fluid.layers.sequence_pool(input=rows, pool_type="sum")


y = fluid.layers.concat([embedding(ids) for ids in fields] + [dense], axis=1)
for size in HIDDEN:
    scale = fluid.initializer.Normal(scale=1 / y.shape[1] ** 0.5)
    y = fluid.layers.fc(input=y, size=size, act="relu", param_attr=fluid.ParamAttr(initializer=scale))
found = fluid.layers.fc(input=y, size=2, act="softmax")
loss = fluid.layers.mean(fluid.layers.cross_entropy(input=found, label=label))
auc, batch_auc, _ = fluid.layers.auc(input=found, label=label, num_thresholds=2**12, slide_steps=20)
fluid.optimizer.Adam(learning_rate=0.001, lazy_mode=True).minimize(loss)

place = fluid.CPUPlace()
exe = fluid.Executor(place)
exe.run(fluid.default_startup_program())
rng = np.random.RandomState(0)
numbers, labels = rng.rand(BATCH, DENSE).astype("float32"), rng.randint(0, 2, (BATCH, 1)).astype("int64")
ids = rng.randint(0, ROWS, (FIELDS, BATCH, 1)).astype("int64")


def step(k):
    feed = {f"C{k}": fluid.create_lod_tensor(each, [[1] * BATCH], place) for k, each in enumerate(ids)}
    feed.update(dense=numbers, label=labels)
    return exe.run(fluid.default_main_program(), feed=feed, fetch_list=[loss, auc])[0]


train(step)
