"""`python -m paddle_lite run`: as `python`, but for `import paddle`, also in the processes that the program starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from .sandbox import Sandbox

RAISES = """
def inner():
    raise ValueError("from the script")
def outer():
    inner()
outer()
"""


def what_is_seen(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    return done.returncode, done.stdout, done.stderr


def run_from(sandbox: Sandbox, script: str) -> str:
    """Code that runs a script with the sandbox's paddle_lite, which is on this process's sys.path only."""
    path = f"import sys; sys.path.insert(0, {str(sandbox.root)!r})"
    return f"{path}; from paddle_lite.cli import main; main(['run', {script!r}])"


@pytest.mark.parametrize(
    "code",
    [
        "import sys; print(sys.argv, __name__, __file__, __package__, __spec__, __builtins__ is not None)",
        "import sys; print(sys.path)",
        "import sys; print(sorted(vars(sys.modules['__main__'])), vars(sys.modules['__main__']) is globals())",
        "import inspect; print(inspect.stack()[0].filename, len(inspect.stack()))",
        "import sys; print(sys.flags, sys.warnoptions)",
        "import beside; print(beside.x)",
        "import sys; sys.exit(3)",
        "import sys; sys.exit('said on stderr')",
        "import sys; sys.exit()",
        "import os; os._exit(7)",
        "import atexit; atexit.register(print, 'at exit'); raise SystemExit(2)",
        "print(input())",
        "raise KeyboardInterrupt",
        "import os; os.abort()",
        "1 +",
        RAISES,
    ],
)
def test_a_script_sees_what_it_sees_under_python(sandbox: Sandbox, code: str) -> None:
    sandbox.write("folder/beside.py", "x = 5\n")
    sandbox.write("folder/script.py", code)
    words = ("folder/script.py", "--cpu", "-m", "x", "-h")
    expected = what_is_seen(sandbox.python(*words, input="a line\n"))
    assert what_is_seen(sandbox.run(*words, input="a line\n")) == expected


@pytest.mark.parametrize(
    "words",
    [
        ("-c", "import sys; print(sys.argv, __name__)", "a", "-m", "b"),
        ("-c", RAISES),
        ("-m", "package.module", "--cpu", "x"),
        ("-m", "package"),
        ("-m", "nobody_has_this"),
        ("folder_with_main",),
        ("no_such_file.py",),
        ("-", "x"),
    ],
)
def test_other_ways_to_name_a_program(sandbox: Sandbox, words: tuple[str, ...]) -> None:
    program = "import sys; print(sys.argv[1:], __name__, __spec__ and __spec__.name, sys.path[0])\n"
    for name in ("package/__init__.py", "package/module.py", "package/__main__.py", "folder_with_main/__main__.py"):
        sandbox.write(name, program)
    expected = what_is_seen(sandbox.python(*words, input=program))
    assert what_is_seen(sandbox.run(*words, input=program)) == expected


def test_options_of_the_interpreter_are_handed_on(sandbox: Sandbox) -> None:
    sandbox.write("script.py", "import sys; assert False; print(sys.flags, sys.warnoptions, sys._xoptions)")
    options = ("-O", "-W", "error", "-X", "faulthandler", "-u")
    expected = what_is_seen(sandbox.python(*options, "script.py"))
    assert expected[0] == 0
    assert what_is_seen(sandbox.python(*options, "-m", "paddle_lite", "run", "script.py")) == expected


@pytest.mark.parametrize("option", ["-E", "-S", "-I"])
def test_options_that_make_it_impossible_are_refused(sandbox: Sandbox, option: str) -> None:
    done = sandbox.python(option, "-c", run_from(sandbox, "script.py"))
    assert done.returncode == 1
    assert "start it without -I, -E and -S" in done.stderr


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A child inherits that Ctrl-C is ignored, as it is in what a shell runs in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_the_script_as_it_ends_python(sandbox: Sandbox) -> None:
    script = sandbox.write("wait.py", "import paddle, time\nprint('ready', flush=True)\ntime.sleep(60)\n")
    env = {**os.environ, "PYTHONPATH": str(sandbox.root)}
    command = [sys.executable, "-m", "paddle_lite", "run", str(script)]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        stderr = process.communicate()[1]
    assert process.returncode == -signal.SIGINT
    assert stderr.splitlines()[-1] == "KeyboardInterrupt"
    assert "paddle_lite" not in stderr


def test_another_paddle_beside_the_script_or_on_the_path_loses(sandbox: Sandbox) -> None:
    sandbox.write("project/paddle/__init__.py", "raise RuntimeError('the folder beside the script')\n")
    sandbox.write("project/script.py", "import paddle.fluid as fluid; print(fluid.__name__)\n")
    assert sandbox.run("project/script.py").stdout == "paddle_lite.fluid\n"


def test_cpu_is_said_by_the_environment(sandbox: Sandbox) -> None:
    code = "import os, sys; print(os.environ.get('PADDLE_LITE_CUDA_AS_CPU'), sys.argv)"
    assert sandbox.run("--cpu", "-c", code).stdout == "1 ['-c']\n"
    assert sandbox.run("-c", code, "--cpu").stdout == "None ['-c', '--cpu']\n"


def test_started_from_a_checkout_it_stays_with_that_checkout(sandbox: Sandbox) -> None:
    """The script's own folder and PYTHONPATH need not hold paddle_lite."""
    sandbox.write("script.py", "import paddle; print(paddle.__file__)\n")
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-c", run_from(sandbox, "script.py")]
    done = subprocess.run(command, cwd=sandbox.root / "work", env=env, text=True, capture_output=True, check=True)
    assert done.stdout.strip() == str(sandbox.root / "paddle_lite" / "__init__.py")


CHILDREN = {
    "subprocess": """
import subprocess, sys, os
os.chdir(os.path.expanduser('~'))
code = 'import paddle.fluid, paddle_lite; print(paddle is paddle_lite)'
print(subprocess.run([sys.executable, '-c', code], stdout=subprocess.PIPE, check=True).stdout.decode().strip())
""",
    "nested run": """
import subprocess, sys
code = 'import paddle.fluid, paddle_lite, os; print(paddle is paddle_lite)'
subprocess.run([sys.executable, '-m', 'paddle_lite', 'run', '-c', code], check=True)
""",
    **{
        method: f"""
import multiprocessing
def names(_):
    import paddle.fluid as fluid, paddle_lite
    return fluid is paddle_lite.fluid
if __name__ == '__main__':
    with multiprocessing.get_context('{method}').Pool(1) as pool:
        print(pool.map(names, [0])[0])
"""
        for method in ("spawn", "fork", "forkserver")
    },
}


@pytest.mark.parametrize("how", CHILDREN)
def test_children_see_the_same(sandbox: Sandbox, how: str) -> None:
    if os.name == "nt" and "fork" in how:
        pytest.skip("no fork on Windows")
    script = sandbox.write(f"child_{how.replace(' ', '_')}.py", CHILDREN[how])
    done = sandbox.run(str(script))
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_a_module_of_paddle_is_run_by_its_name(sandbox: Sandbox) -> None:
    done = sandbox.run("-m", "paddle.distributed.launch", "--nproc", "2", "train.py")
    assert (done.stdout, done.stderr) == ("__main__ ['--nproc', '2', 'train.py']\n", "")


def test_a_further_sitecustomize_is_run(sandbox: Sandbox) -> None:
    folder = sandbox.write("site/sitecustomize.py", "import sys; sys.chained = __file__\n").parent
    code = "import sys, paddle, sitecustomize as s; print(sys.chained == s.__file__)"
    done = sandbox.run("-c", code, path=(str(folder),))
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_nothing_is_loaded_before_paddle_is_asked_for(sandbox: Sandbox) -> None:
    code = "import sys; print([name for name in sys.modules if name.startswith(('paddle', 'numpy', 'typing'))])"
    assert sandbox.out(code) == sandbox.python("-c", code).stdout.strip()
