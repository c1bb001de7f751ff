"""Tagging of sequences: conditional random fields as Layers, and the network of lexical analysis."""

from __future__ import annotations

from typing import Any

from ...imperative.layer import Layer
from ...layers.math.arithmetic import mean
from ...layers.sequence.crf import crf_decoding, linear_chain_crf
from ...layers.shape.shape import concat
from ...nn.common import Embedding
from ...nn.linear import Linear
from ...params.attr import ParamAttr
from ...params.initializer import Uniform
from ...params.regularizer import L2Decay
from .cells import BasicGRUCell
from .recurrent import RNN

__all__ = ["CRFDecoding", "LinearChainCRF", "SequenceTagging"]


class _Transitions(Layer):
    """A layer whose parameter is the transition scores of a CRF.

    Arguments:
        size: the number of tags.
        param_attr: the ParamAttr of the transition scores [size + 2, size].
        dtype: their dtype.
    """

    def __init__(self, size: int, param_attr: Any = None, dtype: Any = "float32") -> None:
        super().__init__(dtype=dtype)
        self._size = size
        self._transition = self.create_parameter([size + 2, size], param_attr, dtype=self._dtype)

    @property
    def weight(self) -> Any:
        """The transition scores; those of another layer may be set, which then are shared."""
        return self._transition

    @weight.setter
    def weight(self, value: Any) -> None:
        self._transition = value


class LinearChainCRF(_Transitions):
    """The negative log likelihood of tags in a linear-chain CRF.

    Arguments:
        size: the number of tags.
        param_attr: the ParamAttr of the transition scores [size + 2, size].
        dtype: their dtype.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> crf = paddle.hapi.text.LinearChainCRF(size=5)
    >>> scores, tags, steps = np.zeros([2, 7, 5], 'float32'), np.zeros([2, 7], 'int64'), np.array([7, 3])
    >>> crf(*[paddle.imperative.to_variable(each) for each in (scores, tags, steps)]).shape
    [2, 1]
    """

    def forward(self, input: Any, label: Any, length: Any) -> Any:
        """Return the cost of each sequence, [N, 1].

        Arguments:
            input: the scores of the tags at each step, [N, steps, size].
            label: the tags, int64 [N, steps].
            length: the number of steps of each sequence, int64 [N]; None: `input` has a LoD.
        """
        return linear_chain_crf(input, label, self._transition, length)


class CRFDecoding(_Transitions):
    """The most probable tags in a linear-chain CRF.

    Arguments:
        size: the number of tags.
        param_attr: the ParamAttr of the transition scores [size + 2, size].
        dtype: their dtype.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> crf = paddle.hapi.text.CRFDecoding(size=5)
    >>> scores, steps = np.zeros([2, 7, 5], 'float32'), np.array([7, 3])
    >>> crf(*[paddle.imperative.to_variable(each) for each in (scores, steps)]).shape
    [2, 7]
    """

    def forward(self, input: Any, length: Any, label: Any = None) -> Any:
        """Return the tags, int64 [N, steps]; with `label`, whether each tag is the label: 1 or 0.

        Arguments:
            input: the scores of the tags at each step, [N, steps, size].
            length: the number of steps of each sequence, int64 [N]; None: `input` has a LoD.
            label: tags to compare with, int64 [N, steps].
        """
        return crf_decoding(input, self._transition, label, length)


class _GRUEncoder(Layer):
    """Several GRU layers, each in both directions."""

    def __init__(self, input_dim: int, hidden_dim: int, init_bound: float, num_layers: int) -> None:
        super().__init__()
        self.num_layers = num_layers
        self.gru_list, self.gru_r_list = (
            [
                self.add_sublayer(
                    f"{name}_{number}",
                    RNN(
                        BasicGRUCell(
                            input_dim if number == 0 else hidden_dim * 2,
                            hidden_dim,
                            param_attr=ParamAttr(
                                initializer=Uniform(low=-init_bound, high=init_bound), regularizer=L2Decay(1e-4)
                            ),
                        ),
                        is_reverse=is_reverse,
                    ),
                )
                for number in range(num_layers)
            ]
            for name, is_reverse in (("gru", False), ("gru_r", True))
        )
        if num_layers:  # files of 1.8.5 hold the last cells under these names, too
            self.basic_gru_cell, self.basic_gru_cell_r = self.gru_list[-1].cell, self.gru_r_list[-1].cell

    def forward(self, features: Any) -> Any:
        """Return [N, steps, 2 * hidden_dim]."""
        for forth, back in zip(self.gru_list, self.gru_r_list, strict=True):
            features = concat([forth(features)[0], back(features)[0]], axis=-1)
        return features


class SequenceTagging(Layer):
    """The network of lexical analysis: an embedding, GRU layers in both directions, and a CRF.

    Arguments:
        vocab_size: the number of words.
        num_labels: the number of tags.
        word_emb_dim: the size of the embedding.
        grnn_hidden_dim: the size of the states of the GRU.
        emb_learning_rate, crf_learning_rate: factors of the learning rate for the embedding and the CRF.
        bigru_num: the number of GRU layers.
        init_bound: the weights start uniformly from -init_bound to init_bound.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> tagger = paddle.hapi.text.SequenceTagging(100, 5, word_emb_dim=8, grnn_hidden_dim=8)
    >>> words, steps = np.zeros([2, 7], 'int64'), np.array([7, 3])
    >>> tagger(*[paddle.imperative.to_variable(each) for each in (words, steps)])[0].shape
    [2, 7]
    """

    def __init__(
        self,
        vocab_size: int,
        num_labels: int,
        word_emb_dim: int = 128,
        grnn_hidden_dim: int = 128,
        emb_learning_rate: float = 0.1,
        crf_learning_rate: float = 0.1,
        bigru_num: int = 2,
        init_bound: float = 0.1,
    ) -> None:
        super().__init__()

        def start() -> Uniform:
            return Uniform(low=-init_bound, high=init_bound)

        self.word_embedding = Embedding(
            size=[vocab_size, word_emb_dim],
            param_attr=ParamAttr(learning_rate=emb_learning_rate, name="word_emb", initializer=start()),
        )
        self.gru_encoder = _GRUEncoder(word_emb_dim, grnn_hidden_dim, init_bound, bigru_num)
        attr = ParamAttr(initializer=start(), regularizer=L2Decay(1e-4))
        self.fc = Linear(grnn_hidden_dim * 2, num_labels, param_attr=attr)
        self.linear_chain_crf = LinearChainCRF(
            num_labels, ParamAttr(name="linear_chain_crfw", learning_rate=crf_learning_rate)
        )
        self.crf_decoding = CRFDecoding(num_labels, ParamAttr(name="crfw", learning_rate=crf_learning_rate))

    def forward(self, word: Any, lengths: Any, target: Any = None) -> tuple[Any, ...]:
        """Return (the most probable tags int64 [N, steps], lengths); with `target` (tags, the mean cost, lengths).

        Arguments:
            word: the words, int64 [N, steps].
            lengths: the number of steps of each sequence, int64 [N].
            target: the tags, int64 [N, steps].
        """
        emission = self.fc(self.gru_encoder(self.word_embedding(word)))
        if target is None:
            self.linear_chain_crf.weight = self.crf_decoding.weight
            return self.crf_decoding(emission, lengths), lengths
        cost = mean(self.linear_chain_crf(emission, target, lengths))
        self.crf_decoding.weight = self.linear_chain_crf.weight
        return self.crf_decoding(emission, lengths), cost, lengths
