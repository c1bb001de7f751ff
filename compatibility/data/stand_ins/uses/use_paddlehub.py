"""Finetunes the module `hub_tiny` by the tasks of PaddleHub 1.8: `use_paddlehub.py TASK`, of data made here."""

import os
import sys

import numpy as np
import paddlehub as hub
from paddlehub.dataset.base_nlp_dataset import (
    BaseNLPDataset,
    GenerationDataset,
    MultiLabelDataset,
    SeqLabelingDataset,
    TextMatchingDataset,
)

LETTERS = "abcdefghijklmnopqrstuvwxyz"
RNG = np.random.RandomState(7)


def words(count):
    """Return a sentence."""
    return ["".join(LETTERS[i] for i in RNG.randint(0, 4, 2)) for _ in range(count)]


def write(name, lines):
    """Write lines of columns."""
    with open(name, "w", encoding="utf8") as file:
        file.writelines("\t".join(line) + "\n" for line in lines)


def vocabulary():
    """Write the words that the module knows."""
    known = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]", "<s>", "</s>"]
    known += [a + b for a in LETTERS[:4] for b in LETTERS[:4]]
    with open("hub_tiny/vocab.txt", "w", encoding="utf8") as file:
        file.writelines(word + "\n" for word in known)
    return "hub_tiny/vocab.txt"


def config(strategy):
    """Return how to train."""
    return hub.RunConfig(
        use_cuda=False, num_epoch=2, batch_size=8, checkpoint_dir="saved", log_interval=2, eval_interval=5,
        strategy=strategy, use_data_parallel=False,
    )  # fmt: skip


def files(lines, base):
    """Write the three files of a data set and return what names them."""
    for name in ("train", "dev", "test"):
        write(name + ".tsv", lines if name == "train" else lines[:16])
    return {"base_path": ".", "train_file": "train.tsv", "dev_file": "dev.tsv", "test_file": "test.tsv", **base}


def classifier(module, tokenizer):
    """Tell sentences of one letter from others."""
    lines = []
    for _ in range(48):
        sentence = words(RNG.randint(3, 9))
        lines.append((" ".join(sentence), str(int(sentence[0][0] in "ab"))))
    data = BaseNLPDataset(label_list=["0", "1"], tokenizer=tokenizer, max_seq_len=16, **files(lines, {}))
    _inputs, outputs, _ = module.context(max_seq_len=16)
    strategy = hub.AdamWeightDecayStrategy(weight_decay=0.01, warmup_proportion=0.1, learning_rate=5e-3)
    task = hub.TextClassifierTask(
        dataset=data,
        feature=outputs["pooled_output"],
        num_classes=2,
        config=config(strategy),
        metrics_choices=["acc", "f1"],
    )
    return task, [["aa bb cc"], ["dd aa"]]


def multi_label(module, tokenizer):
    """Say which letters a sentence has."""
    lines = []
    for _ in range(48):
        sentence = words(RNG.randint(3, 6))
        lines.append((" ".join(sentence), "".join(str(int(letter in "".join(sentence))) for letter in "abc")))

    data = MultiLabelDataset(label_list=["a", "b", "c"], tokenizer=tokenizer, max_seq_len=16, **files(lines, {}))
    _inputs, outputs, _ = module.context(max_seq_len=16)
    strategy = hub.DefaultFinetuneStrategy(learning_rate=5e-3, regularization_coeff=1e-2)
    task = hub.MultiLabelClassifierTask(
        dataset=data, feature=outputs["pooled_output"], num_classes=3, config=config(strategy)
    )
    return task, [["aa bb cc"], ["dd aa"]]


def regression(module, tokenizer):
    """Say how many letters are a."""
    lines = []
    for _ in range(48):
        sentence = words(RNG.randint(3, 9))
        lines.append((" ".join(sentence), " ".join(words(2)), str("".join(sentence).count("a") / 4.0)))
    data = BaseNLPDataset(label_list=None, tokenizer=tokenizer, max_seq_len=24, **files(lines, {}))
    _inputs, outputs, _ = module.context(max_seq_len=24)
    strategy = hub.L2SPFinetuneStrategy(learning_rate=5e-3, regularization_coeff=1e-2)
    task = hub.RegressionTask(dataset=data, feature=outputs["pooled_output"], config=config(strategy), hidden_units=[8])
    return task, [["aa bb cc", "aa"], ["dd aa", "bb"]]


def sequence(module, tokenizer, crf=False):
    """Mark words of one letter."""
    lines = []
    for _ in range(48):
        sentence = words(RNG.randint(3, 9))
        marks = ["B-X" if word[0] == word[1] else "O" for word in sentence]
        lines.append(("\x02".join(sentence), "\x02".join(marks)))
    data = SeqLabelingDataset(label_list=["B-X", "I-X", "O"], tokenizer=tokenizer, max_seq_len=16, **files(lines, {}))
    _inputs, outputs, _ = module.context(max_seq_len=16)
    strategy = hub.ULMFiTStrategy(
        learning_rate=5e-3,
        frz_params_layer=module.get_params_layer(),
        dis_params_layer=module.get_params_layer(),
        dis_blocks=3,
    )
    task = hub.SequenceLabelTask(
        dataset=data,
        feature=outputs["sequence_output"],
        max_seq_len=16,
        num_classes=3,
        config=config(strategy),
        add_crf=crf,
    )
    return task, [[["aa", "bb", "cc"]], [["dd", "ab"]]]


def sequence_crf(module, tokenizer):
    """Mark words with a conditional random field."""
    return sequence(module, tokenizer, crf=True)


def generation(module, tokenizer):
    """Say a sentence backwards."""
    lines = []
    for _ in range(32):
        sentence = words(RNG.randint(2, 5))
        lines.append(("\x02".join(sentence), "\x02".join(sentence[::-1])))
    data = GenerationDataset(
        tokenizer=tokenizer,
        max_seq_len=12,
        **files(
            lines, {"label_list": sorted({w for a, b in lines for w in b.split("\x02")} | {"</s>", "<s>", "<unk>"})}
        ),
    )
    _inputs, outputs, _ = module.context(max_seq_len=12)
    task = hub.TextGenerationTask(
        dataset=data, feature=outputs["pooled_output"], token_feature=outputs["sequence_output"], max_seq_len=12,
        num_classes=data.num_labels, config=config(hub.DefaultStrategy(learning_rate=1e-2)), hidden_size=16, beam_size=3, beam_max_step_num=6,
    )  # fmt: skip
    return task, [[["aa", "bb"]]]


def matching(module, tokenizer):
    """Say whether two sentences begin alike."""
    lines = []
    for _ in range(48):
        first, second = words(4), words(3)
        lines.append((" ".join(first), " ".join(second), str(int(first[0][0] == second[0][0]))))
    data = TextMatchingDataset(
        is_pair_wise=False, tokenizer=tokenizer, max_seq_len=12, label_list=["0", "1"], **files(lines, {})
    )
    _inputs, outputs, _ = module.context(max_seq_len=12, num_slots=2)
    task = hub.PointwiseTextMatchingTask(
        dataset=data, query_feature=outputs["sequence_output"], title_feature=outputs["sequence_output_2"], tokenizer=tokenizer,
        network="gru", config=config(hub.DefaultStrategy(learning_rate=5e-3)),
    )  # fmt: skip
    return task, [["aa bb", "ab cc"], ["dd aa", "cc"]]


def main(name):
    """Finetune, evaluate, predict."""
    tokenizer = hub.BertTokenizer(vocab_file=vocabulary(), tokenize_chinese_chars=False)
    module = hub.Module(directory=os.path.abspath("hub_tiny"), max_seq_len=24)
    task, asked = globals()[name](module, tokenizer)
    states = task.finetune_and_eval()
    for state in states:
        print(
            "steps",
            state.run_step,
            [np.round(np.ravel(np.asarray(each, "float64"))[:4], 5).tolist() for each in state.run_results[-1:]],
        )
    for phase in ("dev", "test"):
        for state in task.eval(phase=phase):
            print(
                "eval", [np.round(np.ravel(np.asarray(each, "float64"))[:8], 5).tolist() for each in state.run_results]
            )
    if name == "matching":
        print("predicts", task.predict(data=asked, max_seq_len=12, label_list=["0", "1"], return_result=True))
        return
    length = 12 if name == "generation" else 16
    encoded = [tokenizer.encode(*texts, max_seq_len=24 if name == "regression" else length) for texts in asked]
    print(
        "predicts",
        task.predict(data=encoded, label_list=task.dataset.label_list, return_result=True, accelerate_mode=False),
    )


if __name__ == "__main__":
    main(sys.argv[1])
