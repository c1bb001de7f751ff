"""Training and inference by functions that build Programs, as the first programs of Fluid did it: Trainer and Inferencer."""
