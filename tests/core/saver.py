"""Save files of one number again and again, until killed: `python saver.py FOLDER FIRST STEP`. Number n is in all files of save n."""

import itertools
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from paddle_lite.core.files.saves import saving

NAMES = [f"w_{i}" for i in range(6)] + ["part/w_6"]

if __name__ == "__main__":
    for number in itertools.count(int(sys.argv[2]), int(sys.argv[3])):
        with saving(sys.argv[1]) as opened:
            for name in NAMES:
                with opened(name) as file:
                    file.write(b"%d" % number * 100)
        print(number, flush=True)
