"""Click-through rate prediction by a wide and deep network with a table of a million embeddings and sparse gradients.

The network is that of Cheng et al., "Wide & Deep Learning for Recommender Systems", 2016. Its wide part sums one weight
for each id, including ids of pairs, and so memorises; its deep part consists of embeddings and layers, and so
generalises. All ids share one table of a million rows, of which a batch reads a few hundred: with is_sparse=True the
gradient has only these rows, and Adam with lazy_mode=True updates no others, so that the size of the table costs no time.

The clicks are generated, so that the true probability of each is known: its logit has a term of the item (few items are
shown often, most of them rarely), one of the pair of age and category, and one of the hour, since each category has its
time of day.

    python examples/ctr_wide_deep.py

Expected: an AUC of at least 0.80 on 50000 new impressions, in about 10 seconds on one core; the true probabilities have
0.83.
"""

import argparse
import math
import sys
import time

import numpy as np

import paddle_lite as paddle
import paddle_lite.fluid as fluid

EXPECTED = 0.80
QUICK_EXPECTED = 0.70  # AUC with --quick; chance is 0.5
QUICK = {"impressions": 40000, "rows": 100000}

USERS, ITEMS, AGES, CATEGORIES = 200000, 50000, 8, 30
FIELDS = ("user", "item", "age", "category", "age and category")
HELD_OUT = 50000


class World:
    """The hidden parameters of the click probabilities."""

    def __init__(self, rng):
        self.rng = rng
        self.ages = rng.integers(0, AGES, USERS)
        self.categories = rng.integers(0, CATEGORIES, ITEMS)
        self.appeal = rng.normal(0, 0.8, ITEMS)
        self.taste = rng.normal(0, 1.2, [AGES, CATEGORIES])
        self.best_hour = rng.uniform(0, 24, CATEGORIES)
        self.shown = 1 / (np.arange(ITEMS) + 20)

    def impressions(self, count):
        """Return (ids [count, fields] int64, hours [count, 2] float32 on a circle, clicks [count, 1] int64, probabilities)."""
        users = self.rng.integers(0, USERS, count)
        items = self.rng.choice(ITEMS, count, p=self.shown / self.shown.sum())
        ages, categories = self.ages[users], self.categories[items]
        hours = self.rng.uniform(0, 24, count)
        late = np.cos((hours - self.best_hour[categories]) * math.pi / 12)
        chances = 1 / (1 + np.exp(1.5 - self.appeal[items] - self.taste[ages, categories] - late))
        clicks = (self.rng.random(count) < chances).astype("int64")
        ids = np.stack([users, items, ages, categories, ages * CATEGORIES + categories], 1)
        circle = np.stack([np.cos(hours * math.pi / 12), np.sin(hours * math.pi / 12)], 1)
        return ids, circle.astype("float32"), clicks.reshape(-1, 1), chances


def rows_of(ids, rows):
    """Return the table row of each id of each field, hashed by a large odd factor, so that few ids share a row."""
    numbers = ids * len(FIELDS) + np.arange(len(FIELDS))
    return numbers * 2654435761 % 2**32 % rows


def table(ids, rows, size):
    """Return embeddings of `size` for ids [N, fields]: [N, fields, size]."""
    start = fluid.initializer.Uniform(-0.05, 0.05)
    return fluid.embedding(ids, [rows, size], is_sparse=True, param_attr=fluid.ParamAttr(initializer=start))


def wide_and_deep(ids, hours, rows):
    """Return the logit of a click, [N, 1]."""
    wide = fluid.layers.reduce_sum(table(ids, rows, 1), dim=1)
    deep = fluid.layers.reshape(table(ids, rows, 8), [-1, len(FIELDS) * 8])
    deep = fluid.layers.concat([deep, hours], 1)
    for size in (64, 32):
        deep = fluid.layers.fc(deep, size, act="relu")
    return wide + fluid.layers.fc(deep, 1)


def build(options):
    """Return (training Program, its fetches; test Program, its AUC; startup Program)."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        ids = fluid.data("ids", [None, len(FIELDS)], "int64")
        hours = fluid.data("hours", [None, 2], "float32")
        clicks = fluid.data("clicks", [None, 1], "int64")
        logit = wide_and_deep(ids, hours, options.rows)
        losses = fluid.layers.sigmoid_cross_entropy_with_logits(logit, fluid.layers.cast(clicks, "float32"))
        loss = fluid.layers.mean(losses)
        chance = fluid.layers.sigmoid(logit)
        test = main.clone(for_test=True)
        _, recent, _ = fluid.layers.auc(chance, clicks, slide_steps=20)
        fluid.optimizer.Adam(options.rate, lazy_mode=True).minimize(loss)
    with fluid.program_guard(test, startup):  # counts of its own, so that the two areas are kept apart
        area, _, _ = fluid.layers.auc(test.global_block().var(chance.name), test.global_block().var("clicks"))
    return main, [loss, recent], test, area, startup


def feeds(impressions, options):
    """Yield the feeds of batches of impressions."""
    ids, hours, clicks, _ = impressions
    for begin in range(0, len(ids), options.batch_size):
        part = slice(begin, begin + options.batch_size)
        yield {"ids": rows_of(ids[part], options.rows), "hours": hours[part], "clicks": clicks[part]}


def area_of(chances, clicks):
    """Return the exact area under the ROC curve: the probability that a click is ranked above a non-click."""
    ranks = np.empty(len(chances))
    ranks[np.argsort(chances)] = np.arange(1, len(chances) + 1)
    ones = int(clicks.sum())
    return (ranks[clicks[:, 0] == 1].sum() - ones * (ones + 1) / 2) / (ones * (len(clicks) - ones))


def run(options):
    """Train and test; return (loss of each step, AUC, AUC of the true probabilities)."""
    paddle.manual_seed(options.seed)
    world = World(np.random.default_rng(options.seed))
    held_out = world.impressions(HELD_OUT)
    main, fetches, test, area, startup = build(options)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(startup)
    print(f"{options.impressions} impressions in each of {options.epochs} epochs, {options.rows} rows of 1 + 8 numbers")
    start, losses = time.perf_counter(), []
    for epoch in range(options.epochs):
        steps = -(-options.impressions // options.batch_size)
        shown = feeds(world.impressions(options.impressions), options)  # new ones in each epoch
        bar = paddle.utils.progress_bar(
            shown, f"epoch {epoch + 1}/{options.epochs}", total=steps, unit="batch", file=sys.stdout
        )
        for feed in bar:
            loss, recent = exe.run(main, feed, fetches)
            losses.append(float(loss[0]))
            bar.set_postfix(loss=f"{np.mean(losses[-50:]):.4f}", auc=f"{float(recent[0]):.3f}", refresh=False)
    print(f"trained in {time.perf_counter() - start:.0f} s")
    for feed in feeds(held_out, options):
        reached = exe.run(test, feed, [area])[0]
    return losses, float(reached[0]), area_of(held_out[3], held_out[2])


def main(argv=None):
    """Run the command line; return 0 if the expected figure is reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--impressions", type=int, default=1000000, help="how many are learned from in an epoch")
    parser.add_argument("--rows", type=int, default=1000000, help="rows of the table")
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--rate", type=float, default=0.002, help="the learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a few seconds, with a lower figure: to see that it runs")
    options = parser.parse_args(argv)
    if options.quick:
        vars(options).update(QUICK)
    with fluid.scope_guard(fluid.Scope()):
        _, reached, best = run(options)
    expected = QUICK_EXPECTED if options.quick else EXPECTED
    print(f"the true chances reach {best:.3f}")
    print(f"AUC: expected at least {expected:.3f}, reached {reached:.3f}")
    return 0 if reached >= expected else 1


if __name__ == "__main__":
    sys.exit(main())
