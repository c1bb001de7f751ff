"""Transformer: attention with several heads, and the layers of encoders and decoders ("Attention is all you need", 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, describe, message
from ...imperative.layer import Layer
from ...layers.math.matmul import matmul
from ...layers.nn.activation import softmax
from ...layers.random.random import dropout
from ...layers.shape.fill import fill_constant_batch_size_like
from ...layers.shape.shape import concat, reshape, transpose
from ...layers.support.arguments import check_int
from ...nn.linear import Linear
from ...nn.norm import LayerNorm
from ...params.attr import ParamAttr
from ...params.initializer import Constant

__all__ = [
    "FFN",
    "MultiHeadAttention",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
]

Cache = dict[str, Any]
MOST_LAYERS = 10_000


def _layers(where: str, n_layer: Any) -> range:
    """Return the numbers of the layers of a stack; raise unless there can be so many."""
    if not 0 <= check_int(where, "n_layer", n_layer) <= MOST_LAYERS:
        raise ArgumentValueError(message(where, "n_layer", describe(n_layer), f"an int from 0 to {MOST_LAYERS}"))
    return range(n_layer)


class PrePostProcessLayer(Layer):
    """What is done before or after a sublayer, one letter each: "n" normalises, "d" drops, "a" adds the residual.

    Arguments:
        process_cmd: the letters.
        d_model: the size of the features.
        dropout_rate: the probability of dropout.

    Raises:
        ArgumentValueError: there is another letter.
    """

    def __init__(self, process_cmd: str, d_model: int, dropout_rate: float = 0.1) -> None:
        super().__init__()
        if set(process_cmd) - set("and"):
            needs = "the letters 'a' (add), 'n' (normalise) and 'd' (drop)"
            raise ArgumentValueError(message("Transformer", "process_cmd", describe(process_cmd), needs))
        self.process_cmd, self.dropout_rate = process_cmd, dropout_rate
        self._norms = [
            self.add_sublayer(
                f"layer_norm_{number}",
                LayerNorm(
                    normalized_shape=d_model,
                    param_attr=ParamAttr(initializer=Constant(1.0)),
                    bias_attr=ParamAttr(initializer=Constant(0.0)),
                ),
            )
            for number in range(process_cmd.count("n"))
        ]

    def forward(self, x: Any, residual: Any = None) -> Any:
        """Return the processed features.

        Arguments:
            x: the features.
            residual: what "a" adds; None: nothing.
        """
        norms = iter(self._norms)
        for command in self.process_cmd:
            if command == "n":
                x = next(norms)(x)
            elif command == "a":
                x = x if residual is None else x + residual
            elif self.dropout_rate:
                x = dropout(x, dropout_prob=self.dropout_rate, is_test=False)
        return x


class MultiHeadAttention(Layer):
    """Attention with several heads: softmax(Q K' / sqrt(d_key)) V for each head, from projections of the inputs.

    Arguments:
        d_key, d_value: the sizes of the keys and values of a head.
        d_model: the size of the features.
        n_head: the number of heads.
        dropout_rate: the probability of dropout of the weights.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> attention = paddle.hapi.text.MultiHeadAttention(d_key=4, d_value=4, d_model=8, n_head=2)
    >>> attention(paddle.imperative.to_variable(np.zeros([2, 5, 8], 'float32'))).shape
    [2, 5, 8]
    """

    def __init__(self, d_key: int, d_value: int, d_model: int, n_head: int, dropout_rate: float = 0.1) -> None:
        super().__init__()
        self.n_head, self.d_key, self.d_value, self.d_model = n_head, d_key, d_value, d_model
        self.dropout_rate = dropout_rate
        self.q_fc = Linear(d_model, d_key * n_head, bias_attr=False)
        self.k_fc = Linear(d_model, d_key * n_head, bias_attr=False)
        self.v_fc = Linear(d_model, d_value * n_head, bias_attr=False)
        self.proj_fc = Linear(d_value * n_head, d_model, bias_attr=False)

    def _heads(self, x: Any, size: int) -> Any:
        """Return [N, heads, steps, size] of [N, steps, heads * size]."""
        return transpose(reshape(x, [0, 0, self.n_head, size]), [0, 2, 1, 3])

    def _prepare_qkv(self, queries: Any, keys: Any, values: Any, cache: Cache | None = None) -> tuple[Any, Any, Any]:
        """Return queries, keys and values of all heads; keys and values of earlier steps are taken from the cache."""
        q = self._heads(self.q_fc(queries), self.d_key)
        if keys is None:
            k, v = self.cal_kv(queries, queries)
            if cache is not None:
                k, v = concat([cache["k"], k], axis=2), concat([cache["v"], v], axis=2)
                cache["k"], cache["v"] = k, v
            return q, k, v
        if cache is None:
            return q, *self.cal_kv(keys, values)
        if "static_k" not in cache:
            cache["static_k"], cache["static_v"] = self.cal_kv(keys, values)
        return q, cache["static_k"], cache["static_v"]

    def forward(
        self, queries: Any, keys: Any = None, values: Any = None, attn_bias: Any = None, cache: Cache | None = None
    ) -> Any:
        """Return the features [N, steps, d_model].

        Arguments:
            queries: the features [N, steps, d_model] that attend.
            keys, values: those that are attended to, [N, others, d_model]; None: the queries themselves.
            attn_bias: what is added to the products before softmax, [N, heads, steps, others].
            cache: a dict with the keys and values of earlier steps, "k" and "v", which are extended; or with those of
                `keys` and `values`, "static_k" and "static_v", which are set if they are not there.
        """
        q, k, v = self._prepare_qkv(queries, keys, values, cache)
        product = matmul(q, k, transpose_y=True, alpha=self.d_key**-0.5)
        weights = softmax(product if attn_bias is None else product + attn_bias)
        if self.dropout_rate:
            weights = dropout(weights, dropout_prob=self.dropout_rate, is_test=False)
        joined = reshape(transpose(matmul(weights, v), [0, 2, 1, 3]), [0, 0, self.n_head * self.d_value])
        return self.proj_fc(joined)

    def cal_kv(self, keys: Any, values: Any) -> tuple[Any, Any]:
        """Return the keys and values of all heads, [N, heads, others, d_key] and [N, heads, others, d_value].

        Arguments:
            keys, values: features [N, others, d_model].
        """
        return self._heads(self.k_fc(keys), self.d_key), self._heads(self.v_fc(values), self.d_value)


class FFN(Layer):
    """Two layers that are applied to each step by itself.

    Arguments:
        d_inner_hid: the size between them.
        d_model: the size of the features.
        dropout_rate: the probability of dropout between them.
        fc1_act: the activation between them.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.hapi.text.FFN(16, 8)(paddle.imperative.to_variable(np.zeros([2, 5, 8], 'float32'))).shape
    [2, 5, 8]
    """

    def __init__(self, d_inner_hid: int, d_model: int, dropout_rate: float = 0.1, fc1_act: str = "relu") -> None:
        super().__init__()
        self.dropout_rate = dropout_rate
        self.fc1 = Linear(d_model, d_inner_hid, act=fc1_act)
        self.fc2 = Linear(d_inner_hid, d_model)

    def forward(self, x: Any) -> Any:
        """Return the features [N, steps, d_model]."""
        hidden = self.fc1(x)
        if self.dropout_rate:
            hidden = dropout(hidden, dropout_prob=self.dropout_rate, is_test=False)
        return self.fc2(hidden)


class TransformerEncoderLayer(Layer):
    """Attention to the sequence itself, then a FFN, each with what is done before and after it.

    Arguments:
        n_head, d_key, d_value, d_model: as for MultiHeadAttention.
        d_inner_hid, ffn_fc1_act: as for FFN.
        prepostprocess_dropout, attention_dropout, relu_dropout: the probabilities of dropout.
        preprocess_cmd, postprocess_cmd: what is done before and after a part: "n" normalises, "d" drops, "a" adds the
            input of the part.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> layer = paddle.hapi.text.TransformerEncoderLayer(2, 4, 4, 8, 16)
    >>> layer(paddle.imperative.to_variable(np.zeros([2, 5, 8], 'float32'))).shape
    [2, 5, 8]
    """

    def __init__(
        self,
        n_head: int,
        d_key: int,
        d_value: int,
        d_model: int,
        d_inner_hid: int,
        prepostprocess_dropout: float = 0.1,
        attention_dropout: float = 0.1,
        relu_dropout: float = 0.1,
        preprocess_cmd: str = "n",
        postprocess_cmd: str = "da",
        ffn_fc1_act: str = "relu",
    ) -> None:
        super().__init__()
        self.preprocesser1 = PrePostProcessLayer(preprocess_cmd, d_model, prepostprocess_dropout)
        self.self_attn = MultiHeadAttention(d_key, d_value, d_model, n_head, attention_dropout)
        self.postprocesser1 = PrePostProcessLayer(postprocess_cmd, d_model, prepostprocess_dropout)
        self.preprocesser2 = PrePostProcessLayer(preprocess_cmd, d_model, prepostprocess_dropout)
        self.ffn = FFN(d_inner_hid, d_model, relu_dropout, fc1_act=ffn_fc1_act)
        self.postprocesser2 = PrePostProcessLayer(postprocess_cmd, d_model, prepostprocess_dropout)

    def forward(self, enc_input: Any, attn_bias: Any = None) -> Any:
        """Return the features [N, steps, d_model].

        Arguments:
            enc_input: features [N, steps, d_model].
            attn_bias: as for MultiHeadAttention.
        """
        attended = self.self_attn(self.preprocesser1(enc_input), None, None, attn_bias)
        attended = self.postprocesser1(attended, enc_input)
        return self.postprocesser2(self.ffn(self.preprocesser2(attended)), attended)


class TransformerEncoder(Layer):
    """Several TransformerEncoderLayers, and what is done before a part once more at the end.

    Arguments:
        n_layer: the number of layers.
        n_head, d_key, d_value, d_model, d_inner_hid, prepostprocess_dropout, attention_dropout, relu_dropout,
            preprocess_cmd, postprocess_cmd, ffn_fc1_act: as for TransformerEncoderLayer.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> encoder = paddle.hapi.text.TransformerEncoder(2, 2, 4, 4, 8, 16)
    >>> encoder(paddle.imperative.to_variable(np.zeros([2, 5, 8], 'float32'))).shape
    [2, 5, 8]
    """

    def __init__(
        self,
        n_layer: int,
        n_head: int,
        d_key: int,
        d_value: int,
        d_model: int,
        d_inner_hid: int,
        prepostprocess_dropout: float = 0.1,
        attention_dropout: float = 0.1,
        relu_dropout: float = 0.1,
        preprocess_cmd: str = "n",
        postprocess_cmd: str = "da",
        ffn_fc1_act: str = "relu",
    ) -> None:
        super().__init__()
        sizes = (n_head, d_key, d_value, d_model, d_inner_hid)
        rates = (prepostprocess_dropout, attention_dropout, relu_dropout)
        commands = (preprocess_cmd, postprocess_cmd, ffn_fc1_act)
        self.encoder_layers = [
            self.add_sublayer(f"layer_{number}", TransformerEncoderLayer(*sizes, *rates, *commands))
            for number in _layers("TransformerEncoder", n_layer)
        ]
        self.processer = PrePostProcessLayer(preprocess_cmd, d_model, prepostprocess_dropout)

    def forward(self, enc_input: Any, attn_bias: Any = None) -> Any:
        """Return the features [N, steps, d_model].

        Arguments:
            enc_input: features [N, steps, d_model].
            attn_bias: as for MultiHeadAttention.
        """
        for layer in self.encoder_layers:
            enc_input = layer(enc_input, attn_bias)
        return self.processer(enc_input)


class TransformerDecoderLayer(Layer):
    """Attention to the sequence itself, attention to the encoder's features, then a FFN.

    Arguments:
        n_head, d_key, d_value, d_model, d_inner_hid, prepostprocess_dropout, attention_dropout, relu_dropout,
            preprocess_cmd, postprocess_cmd, ffn_fc1_act: as for TransformerEncoderLayer.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> layer = paddle.hapi.text.TransformerDecoderLayer(2, 4, 4, 8, 16)
    >>> target, source = [paddle.imperative.to_variable(np.zeros([2, n, 8], 'float32')) for n in (4, 5)]
    >>> layer(target, source).shape
    [2, 4, 8]
    """

    def __init__(
        self,
        n_head: int,
        d_key: int,
        d_value: int,
        d_model: int,
        d_inner_hid: int,
        prepostprocess_dropout: float = 0.1,
        attention_dropout: float = 0.1,
        relu_dropout: float = 0.1,
        preprocess_cmd: str = "n",
        postprocess_cmd: str = "da",
        ffn_fc1_act: str = "relu",
    ) -> None:
        super().__init__()
        before, after = ((each, d_model, prepostprocess_dropout) for each in (preprocess_cmd, postprocess_cmd))
        self.preprocesser1 = PrePostProcessLayer(*before)
        self.self_attn = MultiHeadAttention(d_key, d_value, d_model, n_head, attention_dropout)
        self.postprocesser1 = PrePostProcessLayer(*after)
        self.preprocesser2 = PrePostProcessLayer(*before)
        self.cross_attn = MultiHeadAttention(d_key, d_value, d_model, n_head, attention_dropout)
        self.postprocesser2 = PrePostProcessLayer(*after)
        self.preprocesser3 = PrePostProcessLayer(*before)
        self.ffn = FFN(d_inner_hid, d_model, relu_dropout, fc1_act=ffn_fc1_act)
        self.postprocesser3 = PrePostProcessLayer(*after)

    def forward(
        self,
        dec_input: Any,
        enc_output: Any,
        self_attn_bias: Any = None,
        cross_attn_bias: Any = None,
        cache: Cache | None = None,
    ) -> Any:
        """Return the features [N, steps, d_model].

        Arguments:
            dec_input: features [N, steps, d_model].
            enc_output: features of the encoder [N, others, d_model].
            self_attn_bias, cross_attn_bias: as `attn_bias` for MultiHeadAttention.
            cache: as for MultiHeadAttention, for both.
        """
        own = self.self_attn(self.preprocesser1(dec_input), None, None, self_attn_bias, cache)
        own = self.postprocesser1(own, dec_input)
        cross = self.cross_attn(self.preprocesser2(own), enc_output, enc_output, cross_attn_bias, cache)
        cross = self.postprocesser2(cross, own)
        return self.postprocesser3(self.ffn(self.preprocesser3(cross)), cross)


class TransformerDecoder(Layer):
    """Several TransformerDecoderLayers, and what is done before a part once more at the end.

    Arguments:
        n_layer: the number of layers.
        n_head, d_key, d_value, d_model, d_inner_hid, prepostprocess_dropout, attention_dropout, relu_dropout,
            preprocess_cmd, postprocess_cmd, ffn_fc1_act: as for TransformerDecoderLayer.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> decoder = paddle.hapi.text.TransformerDecoder(2, 2, 4, 4, 8, 16)
    >>> target, source = [paddle.imperative.to_variable(np.zeros([2, n, 8], 'float32')) for n in (4, 5)]
    >>> decoder(target, source).shape
    [2, 4, 8]
    """

    def __init__(
        self,
        n_layer: int,
        n_head: int,
        d_key: int,
        d_value: int,
        d_model: int,
        d_inner_hid: int,
        prepostprocess_dropout: float = 0.1,
        attention_dropout: float = 0.1,
        relu_dropout: float = 0.1,
        preprocess_cmd: str = "n",
        postprocess_cmd: str = "da",
        ffn_fc1_act: str = "relu",
    ) -> None:
        super().__init__()
        self.n_layer, self.n_head, self.d_key, self.d_value = n_layer, n_head, d_key, d_value
        sizes = (n_head, d_key, d_value, d_model, d_inner_hid)
        rates = (prepostprocess_dropout, attention_dropout, relu_dropout)
        commands = (preprocess_cmd, postprocess_cmd, ffn_fc1_act)
        self.decoder_layers = [
            self.add_sublayer(f"layer_{number}", TransformerDecoderLayer(*sizes, *rates, *commands))
            for number in _layers("TransformerDecoder", n_layer)
        ]
        self.processer = PrePostProcessLayer(preprocess_cmd, d_model, prepostprocess_dropout)

    def forward(
        self,
        dec_input: Any,
        enc_output: Any,
        self_attn_bias: Any = None,
        cross_attn_bias: Any = None,
        caches: Sequence[Cache] | None = None,
    ) -> Any:
        """Return the features [N, steps, d_model].

        Arguments:
            dec_input, enc_output, self_attn_bias, cross_attn_bias: as for TransformerDecoderLayer.
            caches: a cache for each layer.
        """
        for number, layer in enumerate(self.decoder_layers):
            cache = caches[number] if caches else None
            dec_input = layer(dec_input, enc_output, self_attn_bias, cross_attn_bias, cache)
        return self.processer(dec_input)

    def prepare_static_cache(self, enc_output: Any) -> list[Cache]:
        """Return the keys and values of the encoder's features, for each layer: {"static_k": ..., "static_v": ...}.

        Arguments:
            enc_output: features of the encoder [N, others, d_model].
        """
        both = [layer.cross_attn.cal_kv(enc_output, enc_output) for layer in self.decoder_layers]
        return [{"static_k": k, "static_v": v} for k, v in both]

    def prepare_incremental_cache(self, enc_output: Any) -> list[Cache]:
        """Return keys and values of no steps, for each layer: {"k": [N, heads, 0, d_key], "v": ...}.

        Arguments:
            enc_output: a Variable whose first dimension is N.
        """

        def nothing(size: int) -> Any:
            shape = [-1, self.n_head, 0, size]
            return fill_constant_batch_size_like(input=enc_output, shape=shape, dtype=enc_output.dtype, value=0)

        return [{"k": nothing(self.d_key), "v": nothing(self.d_value)} for _ in range(self.n_layer)]
