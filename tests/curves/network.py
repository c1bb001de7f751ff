"""A seeded training run in Fluid's API, for paddle_lite and for PaddlePaddle 1.8.5 (Python 3.7) alike.

`python tests/curves/network.py` under PaddlePaddle writes the recorded curve.
"""

import os

import numpy as np

STEPS = 20
RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded.npz")


def run(fluid):
    """The losses of a small convolutional network with batch_norm and dropout, and its parameters before and after."""
    layers, dygraph = fluid.layers, fluid.dygraph

    class Net(dygraph.Layer):
        def __init__(self):
            super().__init__()
            self.conv = dygraph.Conv2D(1, 4, 3, padding=1, act="relu")
            self.norm = dygraph.BatchNorm(4, act="relu")
            self.pool = dygraph.Pool2D(pool_size=2, pool_type="max", pool_stride=2)
            self.table = dygraph.Embedding([10, 3])
            self.hidden = dygraph.Linear(67, 16, act="tanh")
            self.drop = dygraph.Dropout(0.3)
            self.out = dygraph.Linear(16, 5)

        def forward(self, image, word):
            x = layers.reshape(self.pool(self.norm(self.conv(image))), [-1, 64])
            x = layers.concat([x, layers.reshape(self.table(word), [-1, 3])], axis=1)
            return self.out(self.drop(self.hidden(x)))

    rng = np.random.RandomState(7)
    with dygraph.guard():
        fluid.default_main_program().random_seed = 90
        net = Net()
        before = {name: p.numpy() for name, p in net.named_parameters()}
        decay = fluid.regularizer.L2Decay(1e-3)
        clip = fluid.clip.GradientClipByGlobalNorm(1.0)
        adam = fluid.optimizer.AdamOptimizer(
            0.01, parameter_list=net.parameters(), regularization=decay, grad_clip=clip
        )
        losses = []
        for _ in range(STEPS):
            image = dygraph.to_variable(rng.rand(8, 1, 8, 8).astype("float32"))
            word = dygraph.to_variable(rng.randint(0, 10, (8, 1)).astype("int64"))
            label = dygraph.to_variable(rng.randint(0, 5, (8, 1)).astype("int64"))
            loss = layers.mean(layers.softmax_with_cross_entropy(net(image, word), label))
            loss.backward()
            adam.minimize(loss)
            net.clear_gradients()
            losses.append(loss.numpy())
        after = {name: p.numpy() for name, p in net.named_parameters()}
    return np.concatenate(losses), before, after


if __name__ == "__main__":
    import paddle.fluid

    losses, before, after = run(paddle.fluid)
    arrays = {"before/" + k: v for k, v in before.items()}
    arrays.update({"after/" + k: v for k, v in after.items()})
    np.savez_compressed(RECORDED, losses=losses, **arrays)
