"""The network of mnist_fluid.py."""

import numpy as np
import torch
from steps import train
from torch import nn
from torch.nn import functional

BATCH = 64

network = nn.Sequential(
    nn.Conv2d(1, 20, 5),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.BatchNorm2d(20),
    nn.Conv2d(20, 50, 5),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Linear(800, 10),
)
adam = torch.optim.Adam(network.parameters(), lr=0.001)
rng = np.random.RandomState(0)
images = torch.from_numpy(rng.rand(BATCH, 1, 28, 28).astype("float32"))
labels = torch.from_numpy(rng.randint(0, 10, BATCH))


def step(k):
    scores = network(images)
    loss = functional.cross_entropy(scores, labels)
    adam.zero_grad()
    loss.backward()
    adam.step()
    (scores.argmax(1) == labels).float().mean()
    return loss.item()


train(step)
