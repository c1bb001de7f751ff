"""Descriptions of how threads train, by the names of PaddlePaddle's files; `Executor.train_from_dataset` needs none."""
