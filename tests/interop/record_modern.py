"""Records an inference model that PaddlePaddle 2.6.2 writes, with what that version adds to a Program's file.

    PYTHON tests/interop/record_modern.py       # PYTHON: an interpreter that has paddlepaddle 2.6.2

Writes tests/interop/data/programs/modern.model.
"""

import os
import shutil
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


class Lines:
    """In place of `traceback`: Paddle writes into each operator which lines made it, with this machine's paths."""

    @staticmethod
    def extract_stack():
        return []

    @staticmethod
    def format_stack():
        return ["net.py, line 1"] * 2


def main():
    import paddle

    paddle.enable_static()
    paddle.base.framework.traceback = Lines
    x = paddle.static.data("x", [None, 3])
    w = paddle.create_parameter([3, 2], "float32", name="w")
    hidden = paddle.nn.functional.dropout(paddle.matmul(x, w), 0.5) * 2.0
    out = paddle.where(hidden > 0, paddle.full_like(hidden, 3.0), hidden.astype("bfloat16").astype("float32"))
    exe = paddle.static.Executor(paddle.CPUPlace())
    exe.run(paddle.static.default_startup_program())
    folder = tempfile.mkdtemp()
    paddle.static.save_inference_model(os.path.join(folder, "m"), [x], [out], exe)
    shutil.move(os.path.join(folder, "m.pdmodel"), os.path.join(HERE, "data", "programs", "modern.model"))


if __name__ == "__main__":
    main()
