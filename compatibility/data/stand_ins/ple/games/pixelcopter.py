"""A helicopter in a cave with gates."""

from . import Game


class Pixelcopter(Game):
    """The key lifts it; a gate that is passed gives 1, the end takes 5."""

    width, height = 48, 48

    def _gate(self):
        return [48, self.rng.randint(8, 30)]

    def reset(self):
        """Begin in the middle, at rest."""
        self.y, self.speed, self.score, self.over = 24.0, 0.0, 0.0, False
        self.gate = self._gate()

    def step(self, key):
        """Move once."""
        self.speed += -0.6 if key == 119 else 0.4
        self.y += self.speed
        self.gate[0] -= 2
        passed = self.gate[0] < 0
        hit = 8 < self.gate[0] < 14 and self.gate[1] < self.y < self.gate[1] + 10
        if passed:
            self.gate = self._gate()
        over = hit or not 2 < self.y < 46
        return self.finish(-5.0 if over else float(passed), over)

    def state(self):
        """Return the seven numbers of the real game."""
        return {
            "player_y": self.y,
            "player_vel": self.speed,
            "player_dist_to_ceil": self.y - 2,
            "player_dist_to_floor": 46 - self.y,
            "next_gate_dist_to_player": float(self.gate[0] - 12),
            "next_gate_block_top": float(self.gate[1]),
            "next_gate_block_bottom": float(self.gate[1] + 10),
        }

    def points(self):
        """Return where helicopter and gate are."""
        return [(12, self.y), self.gate]
