"""Random functions of the kernel language, as source."""

import random

ARRAYS = ("x", "y")  # float arrays of one length
HEAD = "def kernel(x, y, k, out, n):\n"


class Writer:
    """Writes one function of `x` and `y` (floats), `k` (integers), `out` (floats) and `n`, an integer."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.integers, self.floats, self.indices = ["n"], [], []

    def source(self):
        lines = ["a = n + 1", "b = x[0]", "c = 0.5"]
        self.integers += ["a"]
        self.floats += ["b", "c"]
        for _ in range(self.draw.randrange(2, 5)):
            lines += self.statement(2)
        lines.append("return a, b, c")
        return HEAD + "".join(f"    {line}\n" for line in lines)

    def statement(self, depth):
        """Lines of a statement."""
        kind = self.draw.choice(["set", "set", "store", "if", "for", "while"] if depth else ["set", "store"])
        if kind == "set":
            name = self.draw.choice("abc")
            value = self.integer(2) if name == "a" else self.number(2)
            return [f"{name} {self.draw.choice(['=', '+=', '-='])} {value}"]
        if kind == "store":
            return [f"out[{self.index()}] {self.draw.choice(['=', '+='])} {self.number(2)}"]
        if kind == "if":
            lines = [f"if {self.test()}:", *self.block(depth)]
            return lines + ["else:", *self.block(depth)] if self.draw.random() < 0.5 else lines
        if kind == "while":
            return ["a = abs(a) % 5", "while a > 0:", "    a -= 1", *self.block(depth, keep="a")]
        name = f"i{depth}"
        stop = self.draw.choice(["x.size", "x.size - 1", "n % 4", "min(n, x.size)"])
        self.indices.append(name)
        lines = [f"for {name} in range({self.draw.choice(['', '1, '])}{stop}):", *self.block(depth)]
        if self.draw.random() < 0.3:
            lines += [f"    if {self.test()}:", f"        {self.draw.choice(['break', 'continue'])}"]
        self.indices.remove(name)
        return lines

    def block(self, depth, keep=""):
        """Indented statements; none of them sets `keep`."""
        lines = []
        while not lines:
            for _ in range(self.draw.randrange(1, 3)):
                new = self.statement(depth - 1)
                if not keep or not any(line.strip().startswith(keep + " ") for line in new):
                    lines += new
        return ["    " + line for line in lines]

    def index(self):
        return self.draw.choice([*self.indices, "-1", "0", "abs(a) % x.size"])

    def integer(self, depth):
        """An expression of integers."""
        if depth == 0 or self.draw.random() < 0.3:
            return self.draw.choice([*self.integers, *self.indices, "3", "-7", "x.size", f"k[{self.index()}]"])
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        return self.draw.choice(
            [
                f"({a} + {b})",
                f"({a} - {b})",
                f"({a} % 11)",
                f"({a} // 3)",
                f"({a} & {b})",
                f"max({a}, {b})",
                f"(({a} ^ 5) % 97)",
            ]
        )

    def number(self, depth):
        """An expression of floats, or of floats and integers."""
        if depth == 0 or self.draw.random() < 0.2:
            array = self.draw.choice(ARRAYS)
            return self.draw.choice(
                [*self.floats, "0.25", "x[-1]", f"{array}[{self.index()}]", f"out[{self.index()}]", "a % 9"]
            )
        a, b = self.number(depth - 1), self.number(depth - 1)
        chosen = f"({a} if {self.test(0)} else {b})"
        return self.draw.choice(
            [f"({a} + {b})", f"({a} - {b})", f"({a} * 0.5)", f"min({a}, {b})", f"abs({a})", chosen, f"-{a}"]
        )

    def test(self, depth=1):
        """A truth value."""
        a, b = self.number(depth), self.number(depth)
        sign = self.draw.choice(["<", ">", "<=", ">=", "==", "!="])
        return self.draw.choice(
            [f"{a} {sign} {b}", f"not {a} < {b}", f"{a} < 1 and {b} > -1", f"{self.integer(1)} > 2 or {a} < 0"]
        )
