"""Divides sentences by the models that LAC brings: `use_lac.py MODE [TRAIN]`; TRAIN trains on, on sentences made here."""

import os
import sys

from LAC import LAC

SENTENCES = [
    "百度是一家高科技公司",
    "LAC是个优秀的分词工具",
    "他今天早上八点去了北京大学没有回来",
    "春天的花开秋天的风以及冬天的落阳",
    "",
]


def show(results):
    """Print each result; of numbers of words, what they come to."""
    for result in results:
        print(result)
        if len(result) == 3:
            print("ranks: {}".format("".join(map(str, ["1"] + result[2]))))


def teach(lac, mode):
    """Train on, and divide again."""
    tagged = "LAC/n 是/v 个/q 优秀/a 的/u 分词/n 工具/n 。/w\n春天/TIME 的/u 花开/v 秋天/TIME 的/u 风/n\n"
    plain = "LAC 是 个 优秀 的 分词 工具 。\n春天 的 花开 秋天 的 风\n"
    with open("train.tsv", "w", encoding="utf8") as file:
        file.write((plain if mode == "seg" else tagged) * 20)
    lac.train(model_save_dir="trained", train_data="train.tsv", test_data="train.tsv", iter_num=2, thread_num=1)
    print(sorted(os.listdir("trained")))
    show(lac.run(SENTENCES))
    show(LAC("trained", mode=mode).run(SENTENCES))


def main(mode, train=False):
    """Divide sentences, with and without words of the user's."""
    lac = LAC(mode=mode)
    show(lac.run(SENTENCES))
    print(lac.run(SENTENCES[0]))
    if mode != "rank":
        lac.add_word("春天/SEASON")
        with open("words.txt", "w", encoding="utf8") as file:
            file.write("花 开\n秋天的风\n")
        lac.load_customization("words.txt")
        show(lac.run(SENTENCES))
    if train:
        teach(lac, mode)


if __name__ == "__main__":
    main(sys.argv[1], "train" in sys.argv[2:])
