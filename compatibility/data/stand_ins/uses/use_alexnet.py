"""Trains the Fluid network of mxnet-tensorflow-pytorch-paddle, whose data and logs need other packages."""

import types

import numpy as np
import paddle.fluid as fluid
from datafetch import getConfig
from modelpaddle.alexnetModelP import alexnetModelP

config = getConfig.get_config("config_directory/configalexnet.txt")
config.update(framework="paddle", ctx="cpu", initializer="xavier", optimizer="adam", drop1_rate=0.0, drop2_rate=0.0)
config.update({f"conv{k}_channels": 8 for k in range(1, 6)}, dense1_hiddens=16, dense2_hiddens=16)
model = alexnetModelP(config, types.SimpleNamespace(resizedshape=[3, 67, 67], classnum=4))
model.executor.run(fluid.default_startup_program())
rng = np.random.RandomState(0)
pictures, labels = rng.rand(6, 3, 67, 67).astype("float32"), rng.randint(0, 4, [6])
for _ in range(3):
    loss, accuracy = model.run_train_loss_acc(pictures, labels, model.keeps)
    print(f"loss: {loss.item():.6f} accuracy: {accuracy.item():.6f}")
    model.global_step_value += 1
loss, accuracy = model.run_eval_loss_acc(pictures, labels)
print(f"loss: {loss.item():.6f} accuracy: {accuracy.item():.6f}")
model.saveCheckpoint()
