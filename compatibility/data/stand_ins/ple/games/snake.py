"""A snake that looks for food."""

from . import Game


class Snake(Game):
    """The keys turn it; food gives 1 and makes it longer, the wall and itself take 5."""

    width, height = 64, 64
    keys = (119, 97, 100, 115)
    turns = {119: (0, -4), 97: (-4, 0), 100: (4, 0), 115: (0, 4)}

    def _food(self):
        return [4 * self.rng.randint(1, 14), 4 * self.rng.randint(1, 14)]

    def reset(self):
        """Begin in the middle, three long, on the way to the right."""
        self.body = [[32 - 4 * k, 32] for k in range(3)]
        self.way, self.score, self.over = (4, 0), 0.0, False
        self.food = self._food()

    def step(self, key):
        """Turn and move once."""
        way = self.turns.get(key, self.way)
        self.way = self.way if way == (-self.way[0], -self.way[1]) else way
        head = [self.body[0][0] + self.way[0], self.body[0][1] + self.way[1]]
        over = head in self.body or not (0 <= head[0] < self.width and 0 <= head[1] < self.height)
        fed = head == self.food
        self.body = [head, *self.body[: None if fed else -1]]
        if fed:
            self.food = self._food()
        return self.finish(-5.0 if over else float(fed), over)

    def state(self):
        """Return head, food, how far each part is from the head, and where it is."""
        x, y = self.body[0]
        return {
            "snake_head_x": x,
            "snake_head_y": y,
            "food_x": self.food[0],
            "food_y": self.food[1],
            "snake_body": [((x - a) ** 2 + (y - b) ** 2) ** 0.5 for a, b in self.body],
            "snake_body_pos": [list(part) for part in self.body],
        }

    def points(self):
        """Return where head and food are."""
        return [self.body[0], self.food]
