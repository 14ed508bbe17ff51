import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.models.load import load
from wordworth.models.static.lookup import Words
from wordworth.models.static_embeddings import StaticTable, distinct_rows

pytestmark = pytest.mark.filterwarnings("ignore::wordworth.errors.ZeroVectorWarning")
VOCABULARY = ["the", "film", "well", "made", "n't", "do", "'s", "Paris", "paris", "学", ".", "well-known"]
ROWS = {word: row for row, word in enumerate(VOCABULARY)}


def table(*, normalised=False, width=4):
    vectors = np.random.default_rng(0).normal(size=(len(VOCABULARY), width)).astype(np.float32)
    return StaticTable("t", vectors, Words(ROWS), normalised)


def rows(text):
    return [VOCABULARY[row] for row in table().lexicon.find([text]).rows]


def plain_mean(table, texts):
    """The specification of `table.encode(texts)`, one text at a time."""
    tokens = table.lexicon.find(texts)
    pooled = np.zeros((len(texts), table.width), dtype=np.float32)
    for text, (first, last) in enumerate(zip(tokens.starts, tokens.starts[1:], strict=False)):
        if last > first:
            mean = np.asarray(table.vectors[tokens.rows[first:last]], dtype=np.float64).mean(0)
            length = np.linalg.norm(mean) if table.normalised else 1.0
            pooled[text] = mean / (length or 1.0)
    return pooled


texts = st.lists(st.lists(st.sampled_from([*VOCABULARY, "zebra", "-"]), max_size=6).map(" ".join), max_size=6)


@settings(max_examples=60, deadline=None)
@given(texts=texts, normalised=st.booleans())
def test_pooling_by_one_product_is_the_mean_written_out(texts, normalised):
    made = table(normalised=normalised)
    assert made.encode(texts) == pytest.approx(plain_mean(made, texts), abs=1e-6)
    assert made.encode(texts).shape == (len(texts), 4)
    assert made.encode(texts).dtype == np.float32


@settings(max_examples=40, deadline=None)
@given(texts=texts)
def test_the_largest_values_are_those_of_each_text_alone(texts):
    made = table()
    found = made.lexicon.find(texts)
    for text, pooled in zip(texts, made.max_pool(found), strict=True):
        own = made.lexicon.find([text]).rows
        assert pooled.tolist() == (made.vectors[own].max(0).tolist() if len(own) else [0] * 4)


def test_pooling_the_largest_in_pieces_changes_nothing(monkeypatch):
    made = table()
    found = made.lexicon.find(["the film", "", "paris", "the . do film"] * 5)
    whole = made.max_pool(found)
    monkeypatch.setattr("wordworth.models.static_embeddings._AT_ONCE", 8)
    assert np.array_equal(made.max_pool(found), whole)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("don't don’t", ["do", "n't", "do", "n't"]),
        ("the film's.", ["the", "film", "'s", "."]),
        ("Paris PARIS", ["Paris", "paris"]),
        ("well-made", ["well", "made"]),
        ("well-known", ["well-known"]),
        ("科学", ["学"]),
        ("", []),
    ],
)
def test_words_are_cut_as_glove_has_them(text, found):
    assert rows(text) == found


def test_words_without_a_vector_are_counted():
    assert table().lexicon.find(["the zebra and the gnu"]).unknown == 3


def test_frequent_words_weigh_little_in_the_discounted_mean():
    many = 10_000
    vectors = np.zeros((many, 2), dtype=np.float32)
    vectors[0], vectors[-1] = [1, 0], [0, 1]
    made = StaticTable("t", vectors, Words({"the": 0, "rare": many - 1}), by_frequency=True)
    frequent, rare = made.sif_mean(made.lexicon.find(["the rare"]))[0]
    likely = 1 / (np.log(many) + np.euler_gamma)
    weights = np.array([1e-3 / (1e-3 + likely), 1e-3 / (1e-3 + likely / many)])
    assert [frequent, rare] == pytest.approx(weights / weights.sum(), rel=1e-5)


def test_a_given_word_is_looked_up_whole():
    vectors, known = table().word_vectors(["PARIS", "well-made", "film"])
    assert known.tolist() == [True, False, True]
    assert not vectors[1].any()


@given(found=st.lists(st.integers(0, 99), max_size=40))
def test_distinct_rows_are_numpys_whether_sorted_or_counted_off(found):
    rows = np.array(found, dtype=np.int64)
    ours, numpys = distinct_rows(rows, 100), np.unique(rows, return_inverse=True)
    assert all(np.array_equal(one, other) for one, other in zip(ours, numpys, strict=True))


def test_one_text_has_one_vector_and_batches_change_nothing(tmp_path):
    (tmp_path / "table.txt").write_text("word 3.0 4.0\nother 1.0 0.0\n")
    table = load(tmp_path / "table.txt")
    texts = ["word", "word other", "unknown"]
    assert table.encode("word").tolist() == [3.0, 4.0]
    assert np.array_equal(table.encode(texts, batch_size=1), table.encode(texts))
    assert np.allclose(np.linalg.norm(table.encode(texts, normalize=True), axis=1), [1, 1, 0])
    assert table.encode([]).shape == (0, 2)
