import numpy as np
import pytest

from wordworth.models.static.lookup import Words
from wordworth.models.static.read import read_static
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.random_vectors import GLOVE_NORM, GLOVE_WORDS, SIZE, RandomRung, random_table
from wordworth.representations.rung import RunContext
from wordworth.testing.sample_tasks import sample_task


def test_every_word_has_a_vector_and_known_words_have_their_own():
    table = random_table(0, Words({"the": 0, "film": 7}), norm=4.0)
    found = table.lexicon.find(["The film zxqv!"])
    assert found.unknown == 0
    assert found.rows[:2].tolist() == [0, 7]
    assert all(GLOVE_WORDS <= row < SIZE for row in found.rows[2:])


def test_vectors_have_the_norm_that_was_asked_on_average():
    table = random_table(0, None, norm=4.5)
    norms = np.linalg.norm(table.gather(np.arange(0, SIZE, 97)), axis=1)
    assert abs(norms.mean() - 4.5) < 0.05


def test_words_never_seen_in_training_leave_random_vectors_at_chance():
    """Two classes of disjoint words, tested on other words: nothing but similarity of meaning could help."""
    rng = np.random.default_rng(0)
    table = random_table(0, None, norm=1.0)
    words = [[f"{part}{label}word{i}" for i in range(150)] for part in ("train", "test") for label in (0, 1)]
    texts = [" ".join(rng.choice(some, 8)) for some in words for _ in range(150)]
    vectors, labels = table.encode(texts), np.tile(np.repeat([0, 1], 150), 2)
    target = Target(kind="single", labels=labels[:300], classes=("a", "b"), metric="accuracy")
    head = LinearHead().fit({"mean": vectors[:300]}, target, np.random.default_rng(0))
    right = (head.predict(vectors[:300]).argmax(1) == labels[:300]).mean()
    unseen = (head.predict(vectors[300:]).argmax(1) == labels[300:]).mean()
    assert right > 0.95
    assert abs(unseen - 0.5) < 0.1


def test_every_draw_of_the_labels_has_vectors_of_its_own_and_the_same_ones_each_time():
    task = sample_task("single")
    opened, again = (RandomRung().open(task, RunContext(seed=3)) for _ in range(2))
    first, second = opened.redraw(0), opened.redraw(1)
    assert first is opened
    assert not np.allclose(first.views["mean"], second.views["mean"])
    assert np.array_equal(second.views["mean"], again.redraw(1).views["mean"])
    assert opened.redraw(1) is second


def test_vectors_are_as_long_as_gloves():
    glove = read_static("glove")
    assert np.linalg.norm(glove.vectors[:], axis=1).mean() == pytest.approx(GLOVE_NORM, rel=1e-5)
