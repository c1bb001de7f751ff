"""Data sets in folders, as PaddlePaddle 0.10 prepared them for its trainer: `paddle.utils.preprocess_img` and `preprocess_util`."""
