"""Trains PaddleRobotics' controller of attention on random tokens, and asks the one that shares its parameters."""

import numpy as np
import paddle.fluid as fluid
from interaction.attention_ctrl import AttentionController

SIZES = {
    "num_actions": 7,
    "act_tr_dim": 5,
    "num_frames": 3,
    "tokens_per_frame": 2,
    "visual_token_dim": 12,
    "model_dim": 16,
}
rng = np.random.RandomState(4)
embedding = rng.uniform(-1, 1, (7, 5)).astype("float32")


def build(mode):
    """Return a controller and its Program."""
    program = fluid.Program()
    with fluid.program_guard(program, startup), fluid.unique_name.guard():
        made = AttentionController(
            act_emb_ndarray=embedding, num_decoder_blocks=2, num_heads=2, ffn_dim=24, mode=mode, **SIZES
        )
        if mode == "train":
            fluid.optimizer.Adam(1e-3).minimize(made.loss)
    return made, program


startup = fluid.Program()
trained, main = build("train")
asked, test = build("test")
exe = fluid.Executor(fluid.CPUPlace())
exe.run(startup)
rows, tokens = 4, 6
feed = {
    "visual_tokens": rng.uniform(-1, 1, (rows, tokens, 12)).astype("float32"),
    "frame_ids": np.tile(np.repeat(np.arange(3), 2), (rows, 1)).astype("int64"),
    "padding_mask": (rng.rand(rows, tokens) < 0.8).astype("float32"),
    "act_ids": rng.randint(0, 7, (rows, 3)).astype("int64"),
    "has_act": rng.randint(0, 2, (rows, 3)).astype("float32"),
    "is_obj": rng.randint(0, 2, (rows, tokens)).astype("float32"),
}
for _ in range(4):
    print(f"loss: {exe.run(main, feed=feed, fetch_list=[trained.loss])[0].item():.5f}")
feed = {name: value for name, value in feed.items() if name not in ("act_ids", "has_act", "is_obj")}
feed.update(softmax_temp=np.array([0.7], "float32"), top_k=np.array([1], "int64"))
for value in exe.run(test, feed=feed, fetch_list=[asked.act_pred, asked.act_topk_sampling]):
    print(f"prediction: {value.mean():.5f} {value.std():.5f}")
