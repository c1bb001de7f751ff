"""The ragged LSTM of `benchmarks/bench_ragged_lstm.py`, for a device: one batch of sentences, a class for each word, Adam."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid import layers

from .peers import RATE, Peer


class Words:
    """A network that classifies each word of sentences.

    Arguments:
        quick: whether it is small.
    """

    def __init__(self, quick: bool) -> None:
        rng, batch = np.random.RandomState(0), 2 if quick else 64
        self.width, self.vocabulary = (4, 20) if quick else (128, 5000)
        self.lengths = rng.randint(2, 4 if quick else 121, batch).tolist()
        shape = (sum(self.lengths), 1)
        self.words = rng.randint(0, self.vocabulary, shape).astype("int64")
        self.labels = rng.randint(0, 2, shape).astype("int64")

    def ours(self) -> tuple[Any, Any, Any, dict[str, Any]]:
        """Return the Programs, the loss and the batch."""
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup), fluid.unique_name.guard():
            words = layers.data("words", [1], dtype="int64", lod_level=1)
            labels = layers.data("labels", [1], dtype="int64", lod_level=1)
            gates = layers.fc(layers.embedding(words, [self.vocabulary, self.width]), 4 * self.width)
            hidden, _ = layers.dynamic_lstm(gates, 4 * self.width, use_peepholes=False)
            loss = layers.mean(layers.softmax_with_cross_entropy(layers.fc(hidden, 2), labels))
            fluid.optimizer.Adam(RATE).minimize(loss)
        place = fluid.CPUPlace()
        batch = {
            "words": fluid.create_lod_tensor(self.words, [self.lengths], place),
            "labels": fluid.create_lod_tensor(self.labels, [self.lengths], place),
        }
        return main, startup, loss, batch

    def torch(self, torch: Any, device: str) -> Peer:
        """Return PyTorch's network over packed sequences."""
        nn, starts = torch.nn, np.cumsum([0, *self.lengths])
        net = nn.ModuleList(
            [nn.Embedding(self.vocabulary, self.width), nn.LSTM(self.width, self.width), nn.Linear(self.width, 2)]
        ).to(device)
        sentences = [torch.from_numpy(self.words[a:b, 0]).to(device) for a, b in pairwise(starts)]
        classes = [torch.from_numpy(self.labels[a:b, 0]).to(device) for a, b in pairwise(starts)]
        packed = nn.utils.rnn.pack_sequence(sentences, enforce_sorted=False)
        wanted = nn.utils.rnn.pack_sequence(classes, enforce_sorted=False).data

        def loss() -> Any:
            rows = packed._replace(data=net[0](packed.data))
            return nn.functional.cross_entropy(net[2](net[1](rows)[0].data), wanted)

        return Peer(loss, [*net.parameters()], [])

    def paddle3(self, paddle: Any) -> None:
        """Return None: PaddlePaddle 3 has no LSTM over ragged rows."""
