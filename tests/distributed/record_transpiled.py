"""Record what PaddlePaddle 1.8.5's DistributeTranspiler makes: PYTHON-OF-1.8.5 tests/distributed/record_transpiled.py"""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent

if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    import programs

    if len(sys.argv) > 1:
        from paddle import fluid

        text = json.dumps(programs.transpiled(fluid, **programs.CASES[sys.argv[1]]), sort_keys=True)
        print("RECORDED" + text)
    else:
        found = {}
        for name in programs.CASES:  # a process for each, since a second one in a process may end in bad_alloc
            done = subprocess.run([sys.executable, __file__, name], stdout=subprocess.PIPE, check=True)
            found[name] = json.loads(done.stdout.decode().split("RECORDED")[-1])
        (HERE / "transpiled.json").write_text(json.dumps(found, sort_keys=True, separators=(",", ":")) + "\n")
