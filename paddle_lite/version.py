"""The version of paddle_lite, under the name that PaddlePaddle's `paddle.version` gives it."""

full_version = "0.1.0"
