"""To ONNX: one file for each family of operators."""
