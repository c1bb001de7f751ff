"""Record what `paddle.dataset.image` of PaddlePaddle 1.8.5, which uses OpenCV, makes of images: images.npz.

PYTHON_WITH_PADDLE_1_8_5 tests/dataset/record_images.py        (with Pillow; from any folder)
"""

import io
import os

import cv2
import numpy as np
from paddle.dataset import image
from PIL import Image

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "images.npz")


def encoded(pixels, form, mode="RGB"):
    """Return the content of an image file as an array of bytes."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).convert(mode).save(buffer, form)
    return np.frombuffer(buffer.getvalue(), np.uint8)


def main():
    rng = np.random.RandomState(5)
    noise = rng.randint(0, 256, (13, 17, 3)).astype("uint8")
    store = {"noise": noise}
    for name, form, mode in (
        ("png", "PNG", "RGB"),
        ("palette", "PNG", "P"),
        ("alpha", "PNG", "RGBA"),
        ("jpeg", "JPEG", "RGB"),
    ):
        store["file " + name] = content = encoded(noise, form, mode)
        store["grey " + name] = image.load_image_bytes(content.tobytes(), is_color=False)
    for short in (5, 13, 24):
        store["short colour %d" % short] = image.resize_short(noise, short)
        store["short grey %d" % short] = image.resize_short(noise[:, :, 0].copy(), short)
    store["short float"] = image.resize_short(noise[:7].astype("float32"), 9)
    store["transformed"] = image.simple_transform(noise[:, :, 1].copy(), 11, 9, False, is_color=False, mean=[127])
    for height, width in ((7, 30), (26, 34), (16, 5)):
        for kind in (cv2.INTER_CUBIC, cv2.INTER_LANCZOS4):
            store["%d %d %d" % (height, width, kind)] = cv2.resize(noise, (width, height), interpolation=kind)
    np.savez_compressed(FILE, **store)
    print("%d arrays, %d KiB" % (len(store), os.path.getsize(FILE) // 1024))


if __name__ == "__main__":
    main()
