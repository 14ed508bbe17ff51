"""A made task of pronouns for models that know single letters: what follows the pronoun says which letter it is."""

import numpy as np

from wordworth.tasks.examples import Examples
from wordworth.tasks.task import Task
from wordworth.tasks.task_types.pronoun_resolution import PRONOUN_RESOLUTION


def made_pronouns(size: int = 96, seed: int = 0) -> Task:
    """Return texts such as `a x b, as […] m.`: before m or n it is `a`, before o or p it is `b`."""
    rng = np.random.default_rng(seed)
    is_b, orders = rng.integers(0, 2, size), [tuple(map(str, rng.permutation(["a", "b"]))) for _ in range(size)]
    before = tuple(f"{first} {rng.choice(list('xyz'))} {second}, as " for first, second in orders)
    after = tuple(f" {rng.choice(list('op' if each else 'mn'))} {rng.choice(list('qrst'))}." for each in is_b)
    labels = np.array([order.index("b" if each else "a") for order, each in zip(orders, is_b, strict=True)])
    rows = np.arange(size)
    test = rows % 3 == 0
    examples = Examples(before, after, options=tuple(orders))
    return Task("made", PRONOUN_RESOLUTION.name, examples, labels, (), rows[~test], rows[test], "accuracy")
