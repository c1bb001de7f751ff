"""The network of word2vec_fluid.py; the table's sparse gradient has no weight decay here, which PyTorch does not support."""

import numpy as np
import torch
from steps import train
from torch import nn
from torch.nn import functional

BATCH, WORDS, WIDTH, HIDDEN, CONTEXT = 100, 2073, 32, 256, 4

table = nn.Embedding(WORDS, WIDTH, sparse=True)
rest = nn.Sequential(nn.Flatten(), nn.Linear(CONTEXT * WIDTH, HIDDEN), nn.Sigmoid(), nn.Linear(HIDDEN, WORDS))
groups = [{"params": table.parameters()}, {"params": rest.parameters(), "weight_decay": 8e-4}]
adagrad = torch.optim.Adagrad(groups, lr=3e-3)
rng = np.random.RandomState(0)
words = torch.from_numpy(rng.randint(0, WORDS, (BATCH, CONTEXT)))
targets = torch.from_numpy(rng.randint(0, WORDS, BATCH))


def step(k):
    loss = functional.cross_entropy(rest(table(words)), targets)
    adagrad.zero_grad()
    loss.backward()
    adagrad.step()
    return loss.item()


train(step)
