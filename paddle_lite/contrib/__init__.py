"""Tools that PaddlePaddle 1.8 keeps in `fluid.contrib`: training in float16, decoders, compression of models."""
