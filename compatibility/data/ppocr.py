"""Writes pictures of bars as PaddleOCR of 2020 reads them: `ppocr.py det|rec|cls FOLDER [COUNT]`.

det has words as quadrilaterals in label.txt, rec has text lines with their text, cls has lines upright and turned.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from PIL import Image

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"


def line(rng: np.random.RandomState, length: int, height: int = 32) -> tuple[np.ndarray, str]:
    """Return a line whose characters are bars of other heights and colours, and its text."""
    codes = rng.randint(0, len(LETTERS), length)
    pixels = rng.randint(0, 50, (height, 16 * length, 3))
    for place, code in enumerate(codes):
        top = 2 + code * (height - 8) // len(LETTERS)
        pixels[top : top + 5, 16 * place + 3 : 16 * place + 13, code % 3] = 220
    return pixels.astype(np.uint8), "".join(LETTERS[code] for code in codes)


def words(rng: np.random.RandomState) -> tuple[np.ndarray, list[dict[str, object]]]:
    """Return a page of 256 x 256 with four words, and where these are."""
    page, found = rng.randint(90, 140, (256, 256, 3)).astype(np.uint8), []
    for row in range(4):
        pixels, text = line(rng, rng.randint(4, 9))
        high, wide = pixels.shape[:2]
        top, left = 64 * row + rng.randint(4, 24), rng.randint(4, 250 - wide)
        page[top : top + high, left : left + wide] = pixels
        right, low = int(left + wide), int(top + high)
        corners = [[int(left), int(top)], [right, int(top)], [right, low], [int(left), low]]
        found.append({"transcription": text, "points": corners})
    return page, found


if __name__ == "__main__":
    kind, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True)
    rows = []
    for number in range(int((sys.argv[3:] or ["8"])[0])):
        rng = np.random.RandomState(number)
        if kind == "det":
            pixels, places = words(rng)
            label = json.dumps(places)
        else:
            pixels, label = line(rng, 5)
        if kind == "cls":
            pixels, label = (pixels[::-1, ::-1], "180") if number % 2 else (pixels, "0")
        Image.fromarray(pixels).save(folder / f"{number}.png")
        rows.append(f"{number}.png\t{label}\n")
    (folder / "label.txt").write_text("".join(rows))
