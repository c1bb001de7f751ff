"""What the C++ engine of PaddlePaddle 3 predicts: run by an interpreter that has paddlepaddle 3.3.1.

PYTHON tests/interop/predictor.py FOLDER              # a folder that `nets.write` made
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from tests.interop import nets

if __name__ == "__main__":
    from paddle import inference


def predict(prefix, values, lod=None):
    """The first result of a model for inputs by name; `lod` says how the rows of inputs make sequences."""
    config = inference.Config(prefix + ".pdmodel", prefix + ".pdiparams")
    config.disable_glog_info()
    predictor = inference.create_predictor(config)
    for name in predictor.get_input_names():
        handle = predictor.get_input_handle(name)
        handle.copy_from_cpu(values[name])
        if lod is not None:
            handle.set_lod(lod)
    predictor.run()
    return predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()


def check(folder):
    for name in nets.NETS:
        below = os.path.join(folder, name)
        expected = np.load(os.path.join(below, "expected.npz"))["prediction"]
        found = predict(os.path.join(below, "net"), nets.batches(name)[0], nets.LOD.get(name))
        yield name + ": one file", found, expected


if __name__ == "__main__":
    nets.report(check(sys.argv[1]))
