"""Reversal of digit strings: an encoder, a decoder with attention, teacher forcing, and beam search.

A GRU encodes the digits. A second GRU generates them in reverse order: at each step it compares its state with the
encoder's outputs, and uses their weighted mean (Luong et al., "Effective Approaches to Attention-based Neural Machine
Translation", 2015). In training, its inputs are the correct previous digits (teacher forcing); in inference they are its
own outputs, and beam search keeps the four most likely strings.

Training and inference are two Programs that share parameters by name.

    python examples/seq2seq_reversal.py

Expected: at least 99 % of 500 new strings are reversed without a mistake after 10 epochs, in about 20 seconds on one
core.
"""

import argparse
import sys
import time

import numpy as np

import paddle_lite as paddle
import paddle_lite.fluid as fluid

EXPECTED = 0.99
QUICK_EXPECTED = 0.80  # with --quick; chance is less than 0.01
QUICK = {"epochs": 2, "longest": 4}

STEPS = 100  # batches of an epoch, all of new strings

BEGIN, END, TOKENS = 10, 11, 12  # special tokens after the ten digits, and the number of tokens


def linear(x, size, name, act=None):
    """Return a linear layer over the last dimension, with named parameters that several Programs share."""
    attrs = {"param_attr": f"{name}.weight", "bias_attr": f"{name}.bias"}
    return fluid.layers.fc(x, size, num_flatten_dims=len(x.shape) - 1, act=act, **attrs)


def embed(ids):
    """Return the embeddings of tokens."""
    return fluid.embedding(ids, [TOKENS, 32], param_attr="embedding")


def gru(size, name):
    """Return a GRU with named parameters."""
    return fluid.layers.GRUCell(size, fluid.ParamAttr(name=f"{name}.weight"), fluid.ParamAttr(name=f"{name}.bias"))


class AttentionCell(fluid.layers.RNNCell):
    """A GRU cell with attention over `memory`, one vector for each digit of the input."""

    def __init__(self, size):
        self.size = size
        self.gru = gru(size, "decoder")

    def call(self, inputs, states, memory, mask):
        _, state = self.gru(inputs, states)
        query = fluid.layers.unsqueeze(linear(state, self.size, "query"), [1])
        scores = fluid.layers.squeeze(fluid.layers.matmul(query, memory, transpose_y=True), [1])
        weights = fluid.layers.unsqueeze(fluid.layers.softmax(scores + mask), [1])
        found = fluid.layers.squeeze(fluid.layers.matmul(weights, memory), [1])
        return linear(fluid.layers.concat([found, state], 1), self.size, "attention", act="tanh"), state

    @property
    def state_shape(self):
        return [self.size]


def encode(options):
    """Return (the encoder's output for each digit, its last state, minus infinity at positions beyond the string)."""
    digits = fluid.data("digits", [None, options.longest], "int64")
    lengths = fluid.data("lengths", [None], "int64")
    memory, last = fluid.layers.rnn(gru(options.hidden, "encoder"), embed(digits), sequence_length=lengths)
    inside = fluid.layers.sequence_mask(lengths, options.longest, "float32")
    return memory, last, (inside - 1.0) * 1e9


def logits_of(outputs):
    """Return the logits of all tokens."""
    return linear(outputs, TOKENS, "logits")


def build_training(options):
    """Return (Program, startup Program, mean loss over the tokens)."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        memory, last, mask = encode(options)
        told = fluid.data("told", [None, options.longest + 1], "int64")  # BEGIN and the answer
        answer = fluid.data("answer", [None, options.longest + 1], "int64")  # the answer and END
        counts = fluid.data("counts", [None, options.longest + 1], "float32")  # 1 up to the first END, then 0
        cell = AttentionCell(options.hidden)
        outputs, _ = fluid.layers.rnn(cell, embed(told), initial_states=last, memory=memory, mask=mask)
        losses = fluid.layers.softmax_with_cross_entropy(logits_of(outputs), fluid.layers.unsqueeze(answer, [2]))
        losses = fluid.layers.squeeze(losses, [2]) * counts
        loss = fluid.layers.reduce_sum(losses) / fluid.layers.reduce_sum(counts)
        clip = fluid.clip.GradientClipByGlobalNorm(1.0)
        rate = fluid.layers.piecewise_decay([options.epochs * STEPS * 3 // 4], [options.rate, options.rate / 10])
        fluid.optimizer.Adam(rate, grad_clip=clip).minimize(loss)
    return main, startup, loss


def build_writing(options):
    """Return (Program, the generated strings, most likely first: [N, steps, beams])."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        memory, last, mask = encode(options)
        decoder = fluid.layers.BeamSearchDecoder(
            AttentionCell(options.hidden), BEGIN, END, options.beams, embedding_fn=embed, output_fn=logits_of
        )
        each = {"memory": memory, "mask": mask}
        each = {name: decoder.tile_beam_merge_with_batch(x, options.beams) for name, x in each.items()}
        written, _ = fluid.layers.dynamic_decode(decoder, inits=last, max_step_num=options.longest + 1, **each)
    return main, written


def strings(count, options, rng, without=()):
    """Return `count` strings of 2 to `longest` random digits, none of which is in `without`."""
    made = []
    while len(made) < count:
        string = tuple(rng.integers(0, 10, rng.integers(2, options.longest + 1)).tolist())
        if string not in without:
            made.append(string)
    return made


def padded(rows, size):
    """Return rows of different lengths as one array [len(rows), size], padded with END."""
    return np.array([[*row, *[END] * (size - len(row))] for row in rows], "int64")


def question(asked, options):
    """Return the feed of both Programs: the input string."""
    return {"digits": padded(asked, options.longest), "lengths": np.array([len(s) for s in asked], "int64")}


def lesson(asked, options):
    """Return the feed of the training Program: the input string and the answer."""
    size = options.longest + 1
    answers = [s[::-1] for s in asked]
    counts = np.array([[step <= len(s) for step in range(size)] for s in asked], "float32")
    told = padded([(BEGIN, *a) for a in answers], size)
    return {**question(asked, options), "told": told, "answer": padded(answers, size), "counts": counts}


def answers_of(written):
    """Return the digits before the first END of the most likely string of each sample."""
    return [tuple(row[: row.index(END)] if END in row else row) for row in written[:, :, 0].tolist()]


def run(options):
    """Train, then generate; return (loss of each step, share of strings that are reversed without a mistake)."""
    paddle.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    held_out = strings(500, options, rng)
    unseen = set(held_out)
    training, startup, loss = build_training(options)
    writing, written = build_writing(options)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(startup)
    start, losses = time.perf_counter(), []
    for epoch in range(options.epochs):
        bar = paddle.utils.progress_bar(
            range(STEPS), f"epoch {epoch + 1}/{options.epochs}", unit="batch", file=sys.stdout
        )
        for _ in bar:
            asked = strings(options.batch_size, options, rng, without=unseen)
            losses.append(float(exe.run(training, lesson(asked, options), [loss])[0][0]))
            bar.set_postfix(loss=f"{np.mean(losses[-20:]):.4f}", refresh=False)
    print(f"trained in {time.perf_counter() - start:.0f} s")
    answers = answers_of(exe.run(writing, question(held_out, options), [written])[0])
    for asked, answer in list(zip(held_out, answers))[:5]:
        print(f"{''.join(map(str, asked)):>10} -> {''.join(map(str, answer))}")
    return losses, float(np.mean([answer == asked[::-1] for asked, answer in zip(held_out, answers)]))


def main(argv=None):
    """Run the command line; return 0 if the expected figure is reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=10, help=f"each is {STEPS} batches")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--longest", type=int, default=10, help="the most digits of a string")
    parser.add_argument("--hidden", type=int, default=64, help="the size of both states")
    parser.add_argument("--beams", type=int, default=4, help="how many strings are followed while writing")
    parser.add_argument("--rate", type=float, default=0.004, help="the learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a few seconds, with a lower figure: to see that it runs")
    options = parser.parse_args(argv)
    if options.quick:
        vars(options).update(QUICK)
    with fluid.scope_guard(fluid.Scope()):
        _, accuracy = run(options)
    expected = QUICK_EXPECTED if options.quick else EXPECTED
    print(f"reversed without a mistake: expected at least {expected:.1%}, reached {accuracy:.1%}")
    return 0 if accuracy >= expected else 1


if __name__ == "__main__":
    sys.exit(main())
