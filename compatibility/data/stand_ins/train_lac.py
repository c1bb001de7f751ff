"""Makes a small model for LAC, asks it, trains it on tagged text, and asks it again: `train_lac.py lac|seg`."""

import pathlib
import random
import sys

import paddle.fluid as fluid
from LAC import LAC, nets, utils

LETTERS = [chr(code) for code in range(0x4E00, 0x4E00 + 30)]
TEXTS = ["".join(LETTERS[k : k + 6]) for k in (0, 4, 9)]
ARGUMENTS = """[NETWORK_CONFIG]
word_emb_dim = 12
grnn_hidden_dim = 11
bigru_num = 2
[TRAIN_CONFIG]
model = {mode}
random_seed = 3
batch_size = 4
epoch = 2
use_cuda = false
traindata_shuffle_buffer = 100
base_learning_rate = 0.01
emb_learning_rate = 1.0
crf_learning_rate = 0.2
cpu_num = 1
init_checkpoint = model
model_save_dir = saved
[DICT_FILE]
word_dict_path = conf/word.dic
label_dict_path = conf/tag.dic
word_rep_dict_path = conf/q2b.dic
"""


def tagged(mode, draw):
    """Return lines of words, each of one or two letters, with kinds where the mode has them."""
    words = [LETTERS[k] for k in range(10)] + [LETTERS[k] + LETTERS[k + 1] for k in range(10, 28)]
    for _ in range(24):
        chosen = [draw.choice(words) for _ in range(draw.randint(2, 6))]
        yield " ".join(word if mode == "seg" else word + "/" + "nv"[len(word) - 1] for word in chosen)


def write(name, lines):
    """Write lines of a file."""
    pathlib.Path(name).write_bytes("".join(line + "\n" for line in lines).encode("utf8"))


def main(mode):
    """Do it all."""
    pathlib.Path("small/conf").mkdir(parents=True)
    labels = ["-S", "-B", "-I", "-E"] if mode == "seg" else ["n-B", "n-I", "v-B", "v-I", "O"]
    write("small/conf/args.ini", [ARGUMENTS.format(mode=mode)])
    write("small/conf/word.dic", [f"{k}\t{word}" for k, word in enumerate([*LETTERS, "OOV"])])
    write("small/conf/tag.dic", [f"{k}\t{label}" for k, label in enumerate(labels)])
    write("small/conf/q2b.dic", [])
    write("small/conf/small_seg.dic", [LETTERS[10] + LETTERS[11] + " 5"])
    draw = random.Random(4)
    write("train.txt", tagged(mode, draw))
    write("test.txt", tagged(mode, draw))
    made = nets.create_model(utils.DefaultArgs("small"), len(LETTERS) + 1, len(labels), mode="infer")
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    fluid.io.save_inference_model("small/model", ["words"], [made["crf_decode"]], exe)
    lac = LAC("small", mode=mode)
    print("before:", lac.run(list(TEXTS)), lac.run(TEXTS[0]))
    lac.train("trained", "train.txt", "test.txt", iter_num=2, thread_num=1)
    print("after:", lac.run(list(TEXTS)), lac.run(TEXTS[0]))


if __name__ == "__main__":
    main(sys.argv[1])
