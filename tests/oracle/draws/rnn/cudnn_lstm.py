"""Nothing is drawn of cudnn_lstm: PaddlePaddle 1.8.5 has it on a GPU only; tests/ops/test_cudnn_lstm.py has PyTorch's numbers."""

CALLS = {}
LATER = ("cudnn_lstm",)
