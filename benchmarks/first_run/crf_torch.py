"""The network of crf_fluid.py without peepholes; PyTorch has no CRF, so its forward algorithm is written here."""

import numpy as np
import torch
from steps import train
from torch import nn
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence, pad_sequence

BATCH, LOW, HIGH, BATCHES = 32, 5, 40, 8
WORDS, WIDTH, HIDDEN, TAGS = 2000, 32, 64, 9


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, WIDTH)
        self.lstm = nn.LSTM(WIDTH, HIDDEN, bidirectional=True)
        self.scores = nn.Linear(2 * HIDDEN, TAGS)
        self.start = nn.Parameter(torch.zeros(TAGS))
        self.end = nn.Parameter(torch.zeros(TAGS))
        self.transitions = nn.Parameter(torch.randn(TAGS, TAGS) / TAGS)

    def forward(self, sentences, tags):
        """Return the mean cost; `sentences` are tensors of words, `tags` is [time, batch]."""
        words = pack_sequence(sentences, enforce_sorted=False)
        hidden, _ = self.lstm(words._replace(data=self.embedding(words.data)))
        padded, lengths = pad_packed_sequence(hidden)
        scores = self.scores(padded)
        mask = torch.arange(len(scores))[:, None] < lengths
        return (self.partition(scores, mask) - self.score(scores, tags, mask, lengths)).mean()

    def partition(self, scores, mask):
        total = self.start + scores[0]
        for now, inside in zip(scores[1:], mask[1:]):
            following = torch.logsumexp(total[:, :, None] + self.transitions, 1) + now
            total = torch.where(inside[:, None], following, total)
        return torch.logsumexp(total + self.end, 1)

    def score(self, scores, tags, mask, lengths):
        alone = scores.gather(2, tags[:, :, None])[:, :, 0]
        pairs = self.transitions[tags[:-1], tags[1:]]
        last = tags.gather(0, lengths[None] - 1)[0]
        return (alone * mask).sum(0) + (pairs * mask[1:]).sum(0) + self.start[tags[0]] + self.end[last]


network = Tagger()
sgd = torch.optim.SGD(network.parameters(), lr=0.01)
rate = torch.optim.lr_scheduler.StepLR(sgd, 10000, 0.5)
rng = np.random.RandomState(0)
batches = []
for _ in range(BATCHES):
    lengths = rng.randint(LOW, HIGH + 1, BATCH).tolist()
    rows, labels = (torch.from_numpy(rng.randint(0, most, sum(lengths))).split(lengths) for most in (WORDS, TAGS))
    batches.append((rows, pad_sequence(labels)))


def step(k):
    loss = network(*batches[k % BATCHES])
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    rate.step()
    return loss.item()


train(step)
