"""Inference as the native module offers it: `fluid.core.AnalysisConfig`, `create_paddle_predictor` and their tensors."""
