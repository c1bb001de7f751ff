"""The network of resnet18_fluid.py."""

import numpy as np
import torch
from steps import train
from torch import nn
from torch.nn import functional

BATCH, CLASSES = 16, 10


def conv_bn(channels, filters, size, stride=1):
    conv = nn.Conv2d(channels, filters, size, stride, (size - 1) // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(filters))


class Block(nn.Module):
    def __init__(self, channels, filters, stride):
        super().__init__()
        self.first = conv_bn(channels, filters, 3, stride)
        self.second = conv_bn(filters, filters, 3)
        same = stride == 1 and channels == filters
        self.shortcut = nn.Identity() if same else conv_bn(channels, filters, 1, stride)

    def forward(self, x):
        return torch.relu(self.shortcut(x) + self.second(torch.relu(self.first(x))))


def resnet18():
    layers, channels = [conv_bn(3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)], 64
    for stage, filters in enumerate((64, 128, 256, 512)):
        for k in range(2):
            layers.append(Block(channels, filters, 2 if stage and k == 0 else 1))
            channels = filters
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, CLASSES))


network = resnet18()
momentum = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
rng = np.random.RandomState(0)
images = torch.from_numpy(rng.rand(BATCH, 3, 32, 32).astype("float32"))
labels = torch.from_numpy(rng.randint(0, CLASSES, BATCH))


def step(k):
    scores = network(images)
    loss = functional.cross_entropy(scores, labels)
    momentum.zero_grad()
    loss.backward()
    momentum.step()
    (scores.argmax(1) == labels).float().mean()
    return loss.item()


train(step)
