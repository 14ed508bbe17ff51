import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.representations.heads.fit_head import fit_head

from wordworth.models.static.lookup import Words
from wordworth.models.static.read_static_table import read_static
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.random_vectors import (
    GLOVE_NORM,
    GLOVE_WORDS,
    SIZE,
    CirculantTable,
    RandomRung,
    random_table,
)
from wordworth.representations.rung import RunContext
from wordworth.seeds import child
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
    head = fit_head(LinearHead(), {"mean": vectors[:300]}, target, np.random.default_rng(0))
    right = (head.predict(vectors[:300]).argmax(1) == labels[:300]).mean()
    unseen = (head.predict(vectors[300:]).argmax(1) == labels[300:]).mean()
    assert right > 0.95
    assert abs(unseen - 0.5) < 0.1


def test_every_draw_of_the_labels_has_vectors_of_its_own_and_the_same_ones_each_time():
    task = sample_task("single")
    opened, again = (RandomRung().prepare(task, RunContext(seed=3)) for _ in range(2))
    first, second = opened.redraw(0), opened.redraw(1)
    assert first is opened
    assert not np.allclose(first.views["mean"], second.views["mean"])
    assert np.array_equal(second.views["mean"], again.redraw(1).views["mean"])
    assert opened.redraw(1) is second


def test_vectors_are_as_long_as_gloves():
    glove = read_static("glove")
    assert np.linalg.norm(glove.vectors[:], axis=1).mean() == pytest.approx(GLOVE_NORM, rel=1e-5)


def table(weights, signs, size):
    packed = np.packbits(np.array(signs, dtype=np.uint8), axis=1)
    return CirculantTable(size, np.array(weights, dtype=np.float32), packed)


def written_out(given):
    """Reference: row r is block q, turn i; E[r, j] = W[q, (i - j) mod d] * sigma[q, j]."""
    signs = np.unpackbits(given.signs, axis=1, count=given.width).astype(int) * 2 - 1
    rows = np.zeros(given.shape, dtype=np.float32)
    for row in range(given.size):
        block, turn = divmod(row, given.width)
        for column in range(given.width):
            rows[row, column] = given.weights[block, (turn - column) % given.width] * signs[block, column]
    return rows


def test_a_block_is_a_circulant_matrix_with_flipped_columns():
    block = table([[1, 2, 3]], [[1, 0, 1]], 3)[np.arange(3)]
    assert block.tolist() == [[1, -3, 2], [2, -1, 3], [3, -2, 1]]
    assert len(set(np.abs(np.diag(block)))) == 1
    assert len(np.unique(np.abs(block))) <= 3


def test_the_mean_norm_is_what_was_asked_and_blocks_differ():
    rows = table([[3, 4, 0], [0, 0, 2]], [[1, 1, 1], [1, 1, 1]], 5)
    assert np.linalg.norm(rows[np.arange(5)], axis=1).mean() == pytest.approx(3.8)
    norms = np.linalg.norm(rows.scaled(1.0)[np.arange(5)], axis=1)
    assert norms == pytest.approx([1.3157895] * 3 + [0.5263158] * 2)
    assert norms.mean() == pytest.approx(1)


def test_fewer_words_than_columns_use_the_first_rows_of_one_block():
    few = CirculantTable.draw(3, 301, 1.0, child(0, "few"))
    assert few.weights.shape == (1, 301)
    assert np.linalg.norm(few[np.arange(3)], axis=1) == pytest.approx([1, 1, 1], rel=1e-5)


def test_a_last_partial_block_weighs_its_own_rows():
    partial = CirculantTable.draw(7, 3, 2.0, child(0, "partial"))
    assert np.linalg.norm(partial[np.arange(7)], axis=1).mean() == pytest.approx(2, rel=1e-5)


def test_a_word_takes_33_bits():
    rows = CirculantTable.draw(400_000, 800, 1.0, child(0, "memory"))
    assert rows.nbytes * 8 == 33 * 400_000


def test_the_same_seed_gives_the_same_table_and_another_seed_another():
    one, same, other = (CirculantTable.draw(10, 4, 1.0, child(seed, "t"))[np.arange(10)] for seed in (0, 0, 1))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_rows_of_a_block_are_nearly_orthogonal():
    rows = CirculantTable.draw(800, 800, 1.0, child(0, "cosines"))[np.arange(401)]
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = (unit[:1] @ unit[1:].T).ravel()
    assert abs(cosines.mean()) < 0.01
    assert cosines.std() == pytest.approx(800**-0.5, rel=0.15)


@settings(max_examples=20, deadline=None)
@given(size=st.integers(1, 40), width=st.integers(1, 12), seed=st.integers(0, 5))
def test_rows_are_those_of_the_written_out_matrix(size, width, seed):
    drawn = CirculantTable.draw(size, width, 1.5, np.random.default_rng(seed))
    rows = np.random.default_rng(seed).integers(0, size, 7)
    assert np.array_equal(drawn[rows], written_out(drawn)[rows])
