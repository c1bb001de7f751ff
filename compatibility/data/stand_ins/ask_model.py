"""Asks a model that a project keeps, saved for inference by 1.x: `ask_model.py FOLDER NAME=SHAPE ...`."""

import sys

import numpy as np
import paddle.fluid as fluid
from train_network import arrays, show


def main(folder, words):
    """Run it by an Executor and by a predictor."""
    feed = arrays(words)
    exe = fluid.Executor(fluid.CPUPlace())
    program, names, targets = fluid.io.load_inference_model(folder, exe)
    print("asks for", names)
    show("result", exe.run(program, feed=feed, fetch_list=targets))
    config = fluid.core.AnalysisConfig(folder)
    config.disable_gpu()
    predictor = fluid.core.create_paddle_predictor(config)
    answers = predictor.run([fluid.core.PaddleTensor(np.ascontiguousarray(feed[name])) for name in names])
    show("deployed", [answer.as_ndarray() for answer in answers])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
