"""The network of lstm_fluid.py, over packed sequences."""

import numpy as np
import torch
from steps import train
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence

BATCH, LOW, HIGH, BATCHES = 32, 5, 60, 8
WORDS, WIDTH, CLASSES = 5000, 128, 2


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, WIDTH)
        self.lstm = nn.LSTM(WIDTH, WIDTH)
        self.scores = nn.Linear(WIDTH, CLASSES)

    def forward(self, sentences):
        words = pack_sequence(sentences, enforce_sorted=False)
        hidden, _ = self.lstm(words._replace(data=self.embedding(words.data)))
        padded, _ = pad_packed_sequence(hidden, padding_value=-float("inf"))
        return self.scores(padded.max(0).values)


network = Classifier()
adam = torch.optim.Adam(network.parameters(), lr=0.002)
rng = np.random.RandomState(0)
batches = []
for _ in range(BATCHES):
    lengths = rng.randint(LOW, HIGH + 1, BATCH).tolist()
    rows = torch.from_numpy(rng.randint(0, WORDS, sum(lengths))).split(lengths)
    batches.append((rows, torch.from_numpy(rng.randint(0, CLASSES, BATCH))))


def step(k):
    sentences, labels = batches[k % BATCHES]
    scores = network(sentences)
    loss = functional.cross_entropy(scores, labels)
    adam.zero_grad()
    loss.backward()
    adam.step()
    (scores.argmax(1) == labels).float().mean()
    return loss.item()


train(step)
