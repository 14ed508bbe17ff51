"""Progress that counts, for each step, its total, what was done in this call, and what an earlier call had done."""

from contextlib import contextmanager

from wordworth.progress import NoProgress


class CountedSteps(NoProgress):
    """Progress and step in one; `steps` has [total, advanced, skipped] by title."""

    def __init__(self):
        self.steps, self.open = {}, []

    @contextmanager
    def step(self, title, total=None):
        self.open.append(self.steps.setdefault(title, [total, 0, 0]))
        yield self
        self.open.pop()

    def advance(self, amount=1):
        self.open[-1][1] += amount

    def skip(self, amount):
        self.open[-1][2] += amount
