"""Numbers over the steps of a training: written to files of TensorBoard, VisualDL, CSV and JSON lines, and read back."""
