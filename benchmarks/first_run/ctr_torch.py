"""The network of ctr_fluid.py without the AUC, which PyTorch does not have."""

import numpy as np
import torch
from steps import train
from torch import nn
from torch.nn import functional

BATCH, FIELDS, DENSE, ROWS, WIDTH, HIDDEN = 128, 26, 13, 100001, 10, (400, 400, 400)


class Clicks(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.EmbeddingBag(ROWS, WIDTH, mode="sum", sparse=True)
        sizes = [FIELDS * WIDTH + DENSE, *HIDDEN]
        layers = [part for pair in zip(sizes, HIDDEN) for part in (nn.Linear(*pair), nn.ReLU())]
        self.rest = nn.Sequential(*layers, nn.Linear(HIDDEN[-1], 2))

    def forward(self, ids, starts, dense):
        return self.rest(torch.cat([*(self.table(field, starts) for field in ids), dense], 1))


network = Clicks()
optimizers = [
    torch.optim.SparseAdam(network.table.parameters(), lr=0.001),
    torch.optim.Adam(network.rest.parameters(), lr=0.001),
]
rng = np.random.RandomState(0)
numbers, labels = torch.from_numpy(rng.rand(BATCH, DENSE).astype("float32")), torch.from_numpy(rng.randint(0, 2, BATCH))
ids, starts = torch.from_numpy(rng.randint(0, ROWS, (FIELDS, BATCH))), torch.arange(BATCH)


def step(k):
    loss = functional.cross_entropy(network(ids, starts, numbers), labels)
    for each in optimizers:
        each.zero_grad()
    loss.backward()
    for each in optimizers:
        each.step()
    return loss.item()


train(step)
