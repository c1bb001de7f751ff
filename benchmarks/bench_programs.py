"""Whole programs: a step of training, or an answer, with its time, processor time and memory.

Two rows measure the machine: what one floating-point operation of a product takes, and one byte of a copy.
"""

from benchmarks.programs import bert, dcgan, deepfm, gcn, ppo, resnet50, seq2seq, word2vec
from benchmarks.side import Work, bar, on, whole

OURS = ("static", "eager")
TRAINING = (*OURS, "torch", "torch.compile", "paddle3", "fluid")

ROWS_OF_PRODUCT, COPIED = 2048, 2**28


@whole
@on("static")
def time_flop(side):
    """a floating-point operation of a product of matrices"""
    import numpy as np

    a = np.random.RandomState(0).rand(ROWS_OF_PRODUCT, ROWS_OF_PRODUCT).astype("float32")
    return Work(lambda: a @ a, per_call=2 * ROWS_OF_PRODUCT**3)


@whole
@on("static")
def time_byte(side):
    """a byte read or written by a copy"""
    import numpy as np

    a, b = np.ones((2, COPIED // 8), "float32")
    return Work(lambda: np.copyto(b, a), per_call=COPIED)


@whole
@on(*TRAINING, "jax")
@bar("torch", 1.0)
def time_resnet50(side):
    """ResNet-50, 8 images, training step with momentum"""
    return side.training(resnet50.ResNet50(8, trained=True), "momentum", 0.0001)


@whole
@on(*TRAINING, "jax")
@bar("torch", 1.0)
def time_bert(side):
    """BERT-base, 4 sequences of 128 words, training step with Adam"""
    return side.training(bert.Bert(4, 128, trained=True), "adam", 1e-5)


@whole
@on(*TRAINING, "jax", "onnxruntime")
@bar("torch", 1.0)
def time_bert_sentence(side):
    """BERT-base, a sentence of 32 words, inference"""
    return side.inference(bert.Bert(1, 32, trained=False))


@whole
@on(*TRAINING)
@bar("torch", 1.0)
def time_deepfm(side):
    """DeepFM, batch 512, 26 fields of a million rows, training step with lazy Adam"""
    return side.training(deepfm.DeepFM(), "lazy adam", 5e-5)


@whole
@on(*TRAINING)
@bar("torch", 1.0)
def time_word2vec(side):
    """word2vec, 1,024 skip-grams of 100,000 words, training step with SGD"""
    return side.training(word2vec.SkipGram(), "sgd", 0.5)


@whole
@on(*TRAINING, "jax")
@bar("torch", 1.0)
def time_seq2seq(side):
    """seq2seq with attention, 32 sentences of 16 words, training step with Adam"""
    return side.training(seq2seq.Translator(seq2seq.BATCH, trained=True), "adam", 0.001)


@whole
@on("static", "torch", "fluid")
@bar("torch", 1.0)
def time_beam_search(side):
    """seq2seq with attention, a sentence of 16 words, beam search with 4 beams"""
    return side.inference(seq2seq.Translator(1, trained=False))


@whole
@on(*TRAINING, "jax")
@bar("torch", 1.0)
def time_dcgan(side):
    """DCGAN, 64 images of 32 x 32, a training step of both networks with Adam"""
    return dcgan.training(side)


@whole
@on(*TRAINING, "jax")
@bar("torch", 1.0)
def time_ppo(side):
    """PPO on cart-pole, 8 players, an iteration of 1,024 steps and 16 updates with Adam"""
    return ppo.training(side)


@whole
@on(*TRAINING, "jax")
@bar("torch", 1.0)
def time_gcn(side):
    """GCN on a graph of Citeseer's size, training step with Adam"""
    return side.training(gcn.GCN(), "adam", 0.01)
