"""`fluid.layers` with additional functions for layers that own weights, which take given weights, in every mode."""

from __future__ import annotations

import importlib


class Words:
    """The API for a model's `fluid` method.

    Args:
        fluid: `paddle.fluid` of PaddlePaddle 1.8.5, or ours.
    """

    def __init__(self, fluid):
        self.fluid = fluid
        self.helper = importlib.import_module(fluid.__name__ + ".layer_helper").LayerHelper

    def __getattr__(self, name):
        return getattr(self.fluid.layers, name)

    def layer_norm(self, x, scale, shift, axis=1):
        """Return rows normalised to mean 0 and variance 1, scaled and shifted."""
        attrs = {"epsilon": 1e-5, "begin_norm_axis": axis}
        return self._call("layer_norm", {"X": x, "Scale": scale, "Bias": shift}, ["Y", "Mean", "Variance"], attrs)

    def conv2d(self, x, weight, stride=1, padding=0, groups=1):
        """Return a convolution without a bias."""
        attrs = {
            "strides": [stride] * 2,
            "paddings": [padding] * 2,
            "dilations": [1, 1],
            "groups": groups,
            "use_cudnn": False,
        }
        kind = "depthwise_conv2d" if groups > 1 else "conv2d"
        return self._call(kind, {"Input": x, "Filter": weight}, ["Output"], attrs)

    def conv2d_transpose(self, x, weight, stride=1, padding=0):
        """Return a transposed convolution without a bias; the filter is [channels of x, channels, height, width]."""
        attrs = {
            "strides": [stride] * 2,
            "paddings": [padding] * 2,
            "dilations": [1, 1],
            "groups": 1,
            "output_size": [],
            "use_cudnn": False,
        }
        return self._call("conv2d_transpose", {"Input": x, "Filter": weight}, ["Output"], attrs)

    def batch_norm(self, x, scale, shift, mean, variance, trained=False):
        """Return x normalised with given statistics, as in inference, or with those of the batch, as in training."""
        inputs = {"X": x, "Scale": scale, "Bias": shift, "Mean": mean, "Variance": variance}
        attrs = {"epsilon": 1e-5, "momentum": 0.9, "is_test": not trained, "use_global_stats": not trained}
        outputs = {"MeanOut": mean, "VarianceOut": variance}
        return self._call("batch_norm", inputs, ["Y", "SavedMean", "SavedVariance"], attrs, outputs)

    def embedding(self, ids, table, sparse=True):
        """Return the table's rows with these ids."""
        return self._call("lookup_table_v2", {"Ids": ids, "W": table}, ["Out"], {"is_sparse": sparse})

    def lstm_of_paddle2(self, x, states, weights):
        """Return the states of one layer of LSTM over all steps, by the operator `rnn`, which saved models of Paddle 2 hold."""
        helper = self.helper("rnn")
        made = {"Out": 1, "DropoutState": 1, "State": len(states), "Reserve": 1}
        outputs = {
            slot: [helper.create_variable_for_type_inference("float32") for _ in range(n)] for slot, n in made.items()
        }
        sizes = {"input_size": x.shape[-1], "hidden_size": states[0].shape[-1], "num_layers": 1, "mode": "LSTM"}
        inputs = {"Input": x, "PreState": states, "WeightList": weights}
        helper.append_op(type="rnn", inputs=inputs, outputs=outputs, attrs=sizes)
        return outputs["Out"][0]

    def _call(self, type, inputs, made, attrs, outputs=()):
        """Append an operator and return its first output; `made` are slots for new outputs, `outputs` those that exist."""
        helper = self.helper(type)
        found = {slot: helper.create_variable_for_type_inference("float32") for slot in made}
        helper.append_op(type=type, inputs=inputs, outputs=dict(found, **dict(outputs)), attrs=attrs)
        return found[made[0]]
