"""A transformer's encoder as it is trained beforehand: words that are masked, and whether a second sentence follows the first."""

from __future__ import annotations

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import Embedding, Layer, LayerNorm, Linear, declarative, to_variable

from .base import Model

L = fluid.layers

CONFIG = {
    "hidden_size": 8,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "vocab_size": 15,
    "max_position_embeddings": 7,
    "type_vocab_size": 2,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
    "initializer_range": 0.3,
}
SEED = 3  # of dropout: it drops the same in every run


def dropout(x, rate):
    return L.dropout(x, dropout_prob=rate, dropout_implementation="upscale_in_train", seed=SEED, is_test=False)


class PrePostProcessLayer(Layer):
    """What goes before or after a layer, a letter each: a adds the residual, n normalizes, d drops."""

    def __init__(self, process_cmd, d_model, dropout_rate, name=""):
        super().__init__()
        self.process_cmd = process_cmd
        self.functors = []
        self.exec_order = ""
        for cmd in self.process_cmd:
            if cmd == "a":
                self.functors.append(lambda x, y: x + y if y is not None else x)
                self.exec_order += "a"
            elif cmd == "n":
                self.functors.append(
                    self.add_sublayer(
                        f"{name}_layer_norm_{len(self.sublayers(include_sublayers=False))}",
                        LayerNorm(
                            normalized_shape=d_model,
                            param_attr=fluid.ParamAttr(initializer=fluid.initializer.Constant(1.0)),
                            bias_attr=fluid.ParamAttr(initializer=fluid.initializer.Constant(0.0)),
                        ),
                    )
                )
                self.exec_order += "n"
            elif cmd == "d" and dropout_rate:
                self.functors.append(lambda x: dropout(x, dropout_rate))
                self.exec_order += "d"

    def forward(self, x, residual=None):
        for i, cmd in enumerate(self.exec_order):
            if cmd == "a":
                x = self.functors[i](x, residual)
            else:
                x = self.functors[i](x)
        return x


class PositionwiseFeedForwardLayer(Layer):
    def __init__(self, hidden_act, d_inner_hid, d_model, dropout_rate, param_initializer=None):
        super().__init__()
        self._i2h = Linear(
            input_dim=d_model,
            output_dim=d_inner_hid,
            param_attr=fluid.ParamAttr(initializer=param_initializer),
            act=hidden_act,
        )
        self._h2o = Linear(
            input_dim=d_inner_hid, output_dim=d_model, param_attr=fluid.ParamAttr(initializer=param_initializer)
        )
        self._dropout_rate = dropout_rate

    def forward(self, x):
        hidden = self._i2h(x)
        if self._dropout_rate:
            hidden = dropout(hidden, self._dropout_rate)
        out = self._h2o(hidden)
        return out


class MultiHeadAttentionLayer(Layer):
    def __init__(self, d_key, d_value, d_model, n_head, dropout_rate=0.0, param_initializer=None):
        super().__init__()
        self._n_head, self._d_key, self._d_value, self._d_model = n_head, d_key, d_value, d_model
        self._dropout_rate = dropout_rate
        attr = fluid.ParamAttr(initializer=param_initializer)
        self._q_fc = Linear(input_dim=d_model, output_dim=d_key * n_head, param_attr=attr)
        self._k_fc = Linear(input_dim=d_model, output_dim=d_key * n_head, param_attr=attr)
        self._v_fc = Linear(input_dim=d_model, output_dim=d_value * n_head, param_attr=attr)
        self._proj_fc = Linear(input_dim=d_value * n_head, output_dim=d_model, param_attr=attr)

    def _split_heads(self, x, size):
        return L.transpose(L.reshape(x, shape=[0, 0, self._n_head, size]), perm=[0, 2, 1, 3])

    def forward(self, queries, keys, values, attn_bias):
        keys = queries if keys is None else keys
        values = keys if values is None else values
        q = self._split_heads(self._q_fc(queries), self._d_key)
        k = self._split_heads(self._k_fc(keys), self._d_key)
        v = self._split_heads(self._v_fc(values), self._d_value)
        product = L.matmul(x=q, y=k, transpose_y=True, alpha=self._d_key**-0.5)
        if attn_bias is not None:
            product += attn_bias
        weights = L.softmax(product)
        if self._dropout_rate:
            weights = dropout(weights, self._dropout_rate)
        out = L.transpose(L.matmul(weights, v), perm=[0, 2, 1, 3])
        out = L.reshape(out, shape=[0, 0, out.shape[2] * out.shape[3]])
        return self._proj_fc(out)


class EncoderSubLayer(Layer):
    def __init__(self, hidden_act, n_head, d_model, d_inner_hid, rates, cmds, param_initializer=None):
        super().__init__()
        self.preprocess_cmd, self.postprocess_cmd = cmds
        prepost, attention, relu = rates
        self._preprocess_layer = PrePostProcessLayer(self.preprocess_cmd, d_model, prepost)
        self._multihead_attention_layer = MultiHeadAttentionLayer(
            d_model // n_head, d_model // n_head, d_model, n_head, attention, param_initializer
        )
        self._postprocess_layer = PrePostProcessLayer(self.postprocess_cmd, d_model, prepost)
        self._preprocess_layer2 = PrePostProcessLayer(self.preprocess_cmd, d_model, prepost)
        self._positionwise_feed_forward = PositionwiseFeedForwardLayer(
            hidden_act, d_inner_hid, d_model, relu, param_initializer
        )
        self._postprocess_layer2 = PrePostProcessLayer(self.postprocess_cmd, d_model, prepost)

    def forward(self, enc_input, attn_bias):
        pre_process_multihead = self._preprocess_layer(enc_input)
        attn_output = self._multihead_attention_layer(pre_process_multihead, None, None, attn_bias)
        attn_output = self._postprocess_layer(attn_output, enc_input)
        pre_process2_output = self._preprocess_layer2(attn_output)
        ffd_output = self._positionwise_feed_forward(pre_process2_output)
        return self._postprocess_layer2(ffd_output, attn_output)


class EncoderLayer(Layer):
    def __init__(self, n_layer, *args, **keywords):
        super().__init__()
        self._n_layer = n_layer
        self._encoder_sublayers = []
        for i in range(n_layer):
            self._encoder_sublayers.append(self.add_sublayer(f"esl_{i}", EncoderSubLayer(*args, **keywords)))

    def forward(self, enc_input, attn_bias):
        for i in range(self._n_layer):
            enc_output = self._encoder_sublayers[i](enc_input, attn_bias)
            enc_input = enc_output
        return enc_output


class BertModelLayer(Layer):
    def __init__(self, config):
        super().__init__()
        self._emb_size = config["hidden_size"]
        self._n_head = config["num_attention_heads"]
        initializer = fluid.initializer.TruncatedNormal(scale=config["initializer_range"])

        def embedding(size, name):
            return Embedding(
                size=[size, self._emb_size], param_attr=fluid.ParamAttr(name=name, initializer=initializer)
            )

        self._src_emb = embedding(config["vocab_size"], "word_embedding")
        self._pos_emb = embedding(config["max_position_embeddings"], "pos_embedding")
        self._sent_emb = embedding(config["type_vocab_size"], "sent_embedding")
        self.pooled_fc = Linear(
            input_dim=self._emb_size,
            output_dim=self._emb_size,
            param_attr=fluid.ParamAttr(name="pooled_fc.w_0", initializer=initializer),
            bias_attr="pooled_fc.b_0",
            act="tanh",
        )
        self.pre_process_layer = PrePostProcessLayer("nd", self._emb_size, config["hidden_dropout_prob"], "pre_encoder")
        self._encoder = EncoderLayer(
            config["num_hidden_layers"],
            hidden_act=config["hidden_act"],
            n_head=self._n_head,
            d_model=self._emb_size,
            d_inner_hid=self._emb_size * 2,
            rates=(config["hidden_dropout_prob"], config["attention_probs_dropout_prob"], 0),
            cmds=("", "dan"),
            param_initializer=initializer,
        )

    @declarative
    def forward(self, src_ids, position_ids, sentence_ids, input_mask):
        src_emb = self._src_emb(src_ids)
        pos_emb = self._pos_emb(position_ids)
        sent_emb = self._sent_emb(sentence_ids)
        emb_out = src_emb + pos_emb
        emb_out = emb_out + sent_emb
        emb_out = self.pre_process_layer(emb_out)

        self_attn_mask = L.matmul(x=input_mask, y=input_mask, transpose_y=True)
        self_attn_mask = L.scale(x=self_attn_mask, scale=10000.0, bias=-1.0, bias_after_scale=False)
        n_head_self_attn_mask = L.stack(x=[self_attn_mask] * self._n_head, axis=1)
        n_head_self_attn_mask.stop_gradient = True

        enc_output = self._encoder(emb_out, n_head_self_attn_mask)
        next_sent_feat = L.slice(input=enc_output, axes=[1], starts=[0], ends=[1])
        next_sent_feat = self.pooled_fc(next_sent_feat)
        next_sent_feat = L.reshape(next_sent_feat, shape=[-1, self._emb_size])
        return enc_output, next_sent_feat


class PretrainModelLayer(Layer):
    def __init__(self, config):
        super().__init__()
        self._emb_size = config["hidden_size"]
        self.bert_layer = BertModelLayer(config)
        self.pre_process_layer = PrePostProcessLayer("n", self._emb_size, config["hidden_dropout_prob"], "pre_encoder")
        self.pooled_fc = Linear(self._emb_size, self._emb_size, act="tanh")
        self.mask_lm_out_bias = self.create_parameter(
            shape=[config["vocab_size"]],
            dtype="float32",
            attr=fluid.ParamAttr(name="mask_lm_out_fc.b_0", initializer=fluid.initializer.Constant(value=0.0)),
            is_bias=True,
        )
        self.next_sent_fc = Linear(self._emb_size, 2, bias_attr="next_sent_fc.b_0")

    @declarative
    def forward(self, src_ids, position_ids, sentence_ids, input_mask, mask_label, mask_pos, labels):
        mask_pos = L.cast(x=mask_pos, dtype="int32")
        enc_output, next_sent_feat = self.bert_layer(src_ids, position_ids, sentence_ids, input_mask)
        reshaped_emb_out = L.reshape(x=enc_output, shape=[-1, self._emb_size])
        mask_feat = L.gather(input=reshaped_emb_out, index=mask_pos)
        mask_trans_feat = self.pooled_fc(mask_feat)
        mask_trans_feat = self.pre_process_layer(mask_trans_feat)
        fc_out = L.matmul(x=mask_trans_feat, y=self.bert_layer._src_emb.weight, transpose_y=True)
        fc_out += self.mask_lm_out_bias
        mask_lm_loss = L.softmax_with_cross_entropy(logits=fc_out, label=mask_label)
        mean_mask_lm_loss = L.mean(mask_lm_loss)
        next_sent_fc_out = self.next_sent_fc(next_sent_feat)
        next_sent_loss, next_sent_softmax = L.softmax_with_cross_entropy(
            logits=next_sent_fc_out, label=labels, return_softmax=True
        )
        next_sent_acc = L.accuracy(input=next_sent_softmax, label=labels)
        mean_next_sent_loss = L.mean(next_sent_loss)
        loss = mean_next_sent_loss + mean_mask_lm_loss
        return loss, mean_mask_lm_loss, next_sent_acc


class Bert(Model):
    """Trained as a whole; what is saved is the encoder."""

    rate, falls = 0.2, 0.3
    # softmax makes the gradient of the keys' bias zero; Adam turns what rounding leaves of it into steps of up to the rate, 0.03
    apart = {"._k_fc.bias": 1e-4}

    def build(self):
        return PretrainModelLayer(CONFIG)

    def batch(self, numbers):
        size, length = 3, 6
        fed = self.inputs(numbers, size)
        places = np.concatenate([row * length + numbers.choice(3, 2, replace=False) for row in range(size)])
        answers = fed[0].reshape([-1])[places].reshape([-1, 1])
        follows = numbers.randint(0, 2, [size, 1])
        made = [*fed, answers, places.reshape([-1, 1]), follows]
        return [to_variable(a if a.dtype == "float32" else a.astype("int64")) for a in made]

    def optimizer(self, parameters):
        rate = L.noam_decay(CONFIG["hidden_size"], warmup_steps=4, learning_rate=self.rate)
        clip = fluid.clip.GradientClipByGlobalNorm(clip_norm=1.0)
        return fluid.optimizer.AdamOptimizer(learning_rate=rate, parameter_list=parameters, grad_clip=clip)

    def inputs(self, numbers, size, length=6):
        words = numbers.randint(0, CONFIG["vocab_size"], [size, length]).astype("int64")
        places = np.tile(np.arange(length, dtype="int64"), [size, 1])
        ends = numbers.randint(3, length + 1, [size, 1])
        second = (places >= ends // 2).astype("int64")
        mask = (places < ends).astype("float32")
        return [words, places, second, mask[:, :, None]]

    def examples(self, numbers):
        return [self.inputs(numbers, size, length) for size, length in ((2, 6), (1, 7), (4, 3))]

    def predict(self, *inputs):
        return self.net.bert_layer(*inputs)
