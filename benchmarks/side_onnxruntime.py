"""ONNX Runtime as a side, for inference."""

from __future__ import annotations

import os

import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from benchmarks.side import Work

OPSET, IR = 17, 8


class Graph:
    """What a model's `onnx` method builds: nodes, each with one result.

    Args:
        weights: name -> array, the initializers.
    """

    def __init__(self, weights):
        self.weights, self.nodes = weights, []

    def node(self, kind, *inputs, **attributes):
        """Add a node and return the name of its result."""
        made = f"value{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [made], **attributes))
        return made

    def model(self, inputs, result):
        """Return the model in bytes; inputs: name -> array."""
        given = [
            helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), list(a.shape))
            for n, a in inputs.items()
        ]
        made = [helper.make_tensor_value_info(result, TensorProto.FLOAT, None)]
        held = [numpy_helper.from_array(array, name) for name, array in self.weights.items()]
        graph = helper.make_graph(self.nodes, "model", given, made, held)
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR
        ).SerializeToString()


class Runtime:
    """ONNX Runtime with all of its optimisations, which are the default."""

    def __init__(self, framework):
        self.options = onnxruntime.SessionOptions()
        self.options.intra_op_num_threads = int(os.environ["OMP_NUM_THREADS"])
        self.options.inter_op_num_threads = 1

    def inference(self, model):
        """Return the network's result, as a NumPy array."""
        graph, x = Graph(model.weights()), model.inputs()
        text = graph.model(x, model.onnx(graph, {name: name for name in x}))
        session = onnxruntime.InferenceSession(text, self.options, providers=["CPUExecutionProvider"])

        def step():
            return session.run(None, x)

        return Work(step, step)
