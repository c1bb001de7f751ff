"""Training in float16 with master parameters in float32: where the casts go, and how the loss is scaled."""
