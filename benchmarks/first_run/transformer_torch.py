"""The network of transformer_fluid.py."""

import numpy as np
import torch
from steps import train
from torch import nn
from torch.nn import functional

BATCH, LENGTH, WORDS, CLASSES = 16, 32, 5000, 2
WIDTH, HEADS, INNER, LAYERS, DROPOUT = 128, 4, 512, 2, 0.1


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, WIDTH)
        self.position = nn.Parameter(torch.randn(1, LENGTH, WIDTH) / WIDTH)
        self.dropout = nn.Dropout(DROPOUT)
        layer = nn.TransformerEncoderLayer(WIDTH, HEADS, INNER, DROPOUT, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, LAYERS)
        self.scores = nn.Linear(WIDTH, CLASSES)

    def forward(self, words, padding):
        x = self.dropout(self.embedding(words) + self.position)
        return self.scores(self.encoder(x, src_key_padding_mask=padding).mean(1))


network = Classifier()
adam = torch.optim.Adam(network.parameters(), lr=0.0005)
rng = np.random.RandomState(0)
lengths = rng.randint(LENGTH // 2, LENGTH + 1, BATCH)
words = torch.from_numpy(rng.randint(0, WORDS, (BATCH, LENGTH)))
padding = torch.from_numpy(np.arange(LENGTH) >= lengths[:, None])
labels = torch.from_numpy(rng.randint(0, CLASSES, BATCH))


def step(k):
    loss = functional.cross_entropy(network(words, padding), labels)
    adam.zero_grad()
    loss.backward()
    adam.step()
    return loss.item()


train(step)
