"""The counts rung for tagging beside CRFsuite with the plain features of a specialist, on made-up text."""

import numpy as np
import pytest

from wordworth.measures.metrics import metric
from wordworth.representations.ladder import default_ladder
from wordworth.representations.rung import RunContext
from wordworth.tasks.task import Examples, Task

taggers = pytest.importorskip("taggers")  # pycrfsuite is not there
pytestmark = pytest.mark.peers
CLASSES = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
TITLES, PLACES = ("mr", "mrs", "dr"), ("in", "near", "from")
SYLLABLES = ("ka", "lo", "mi", "ren", "su", "tor", "vel", "wa", "yo", "zin")


def rare(rng, ending=""):
    return "".join(rng.choice(SYLLABLES, rng.integers(1, 4))) + ending


def sentence(rng, *, capitals):
    """Words and tags: names of up to five rare words whose kind is told by the word before the first of them alone."""
    words, tags = [], []
    for kind in rng.integers(3, size=rng.integers(2, 6)):
        size = int(rng.integers(1, 6))
        words += [str(rng.choice((TITLES, PLACES, ("said", "the"))[kind])), *(rare(rng) for _ in range(size))]
        tags += [0, *((1, *[2] * (size - 1)), (3, *[4] * (size - 1)), [0] * size)[kind]]
    tagged = list(zip(words, tags, strict=True))
    named = [word.capitalize() if tag and rng.random() < capitals else word for word, tag in tagged]
    noisy = [word.upper() if rng.random() < 0.1 * (1 - capitals) else word for word in named]
    return tuple(noisy), np.array(tags, np.int64)


def made_up(*, capitals, size=700, seed=0):
    rng = np.random.default_rng(seed)
    words, labels = zip(*(sentence(rng, capitals=capitals) for _ in range(size)), strict=True)
    examples = Examples(tuple(map(" ".join, words)), words=words)
    rows = np.arange(size)
    return Task(
        "made up", "tags", examples, tuple(labels), CLASSES, rows[: size - 300], rows[size - 300 :], "entity_f1"
    )


@pytest.mark.parametrize("capitals", [1.0, 0.2], ids=["edited", "noisy"])
@pytest.mark.parametrize("labels", [200, 400])
def test_the_counts_rung_is_within_a_point_of_crfsuite(labels, capitals):
    task = made_up(capitals=capitals)
    rung = next(rung for rung in default_ladder("tags", finetune=None) if rung.family == "counts")
    rows = task.train[:labels]
    said = rung.prepare(task, RunContext()).fit(rows, np.random.default_rng(0)).predict(task.test)
    ours = 100 * float(metric("entity_f1", CLASSES).score(task.gold(task.test), said))
    assert ours >= taggers.peer_f1(task, rows).f1 - 1
