"""Long texts are read in chunks, whose probabilities vote; the vote is that of the paper's formula and of its code."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.inference.tuned_model import write_rows, write_tuned

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference.chunk_vote import ChunkVotePredictor, chunks_of, vote
from wordworth.inference.read_predictor import read_predictor
from wordworth.testing.sample_tasks import sample_task

SHARES = arrays(np.float64, st.tuples(st.integers(1, 9), st.just(2)), elements=st.floats(0.01, 1))


def before_normalising(probabilities, weight=2.0):
    """The formula as the paper has it, of the chunks of one text."""
    n = len(probabilities)
    return (probabilities.max(0) + probabilities.mean(0) * n / weight) / (1 + n / weight)


@given(SHARES)
def test_formula_and_published_code_are_equal_and_lie_between_mean_and_maximum(shares):
    ours, n = before_normalising(shares), len(shares)
    assert ours == pytest.approx((shares.max(0) + shares.sum(0) / 2) / (1 + n / 2), abs=1e-12)
    assert (ours >= shares.mean(0) - 1e-12).all()
    assert (ours <= shares.max(0) + 1e-12).all()
    assert vote(shares, np.zeros(n, int))[0] == pytest.approx(ours / ours.sum(), abs=1e-12)


def test_one_chunk_has_its_own_probabilities_and_a_large_weight_gives_the_maximum():
    one = np.array([[0.3, 0.7]])
    assert vote(one, np.zeros(1, int))[0] == pytest.approx(one[0], abs=1e-12)
    shares = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    assert vote(shares, np.zeros(3, int), weight=1e12)[0] == pytest.approx(np.array([0.9, 0.8]) / 1.7, abs=1e-9)


def test_every_text_has_the_vote_of_its_own_chunks():
    shares = np.random.default_rng(0).dirichlet([1, 1, 1], size=7)
    texts = np.array([0, 0, 1, 2, 2, 2, 2])
    together = vote(shares, texts)
    for text in range(3):
        own = shares[texts == text]
        assert together[text] == pytest.approx(vote(own, np.zeros(len(own), int))[0])
    assert together.sum(1) == pytest.approx(1)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_tuned(tmp_path_factory.mktemp("vote"), steps=20)


@pytest.fixture(scope="module")
def voting(run):
    return ChunkVotePredictor.of(read_predictor(run, dtype="float32"))


def test_chunks_fit_the_model_break_no_word_and_lose_none(voting):
    reader = voting.reader
    text = " ".join(f"a lovely film number {number}" for number in range(reader.limit))
    (tokens,) = reader.tokenizer.encode([text])
    chunks = list(chunks_of(text, tokens, reader))
    assert len(chunks) > 2
    assert " ".join(chunks).split() == text.split()
    assert all(len(each) <= reader.limit for each in reader.tokenizer.encode(chunks))


def test_a_word_longer_than_a_chunk_is_broken(voting):
    text = "x" * 90 + "," * 4 * voting.reader.limit
    (tokens,) = voting.reader.tokenizer.encode([text])
    assert "".join(chunks_of(text, tokens, voting.reader)) == text


def test_short_texts_are_answered_as_before_and_long_ones_by_their_chunks(run, voting):
    short, filler = "a lovely film", " ".join(["it is what it is ."] * voting.reader.limit)
    long = f"{short} {filler}"
    cut = ww.predict(run, [short, long], dtype="float32")
    voted = ww.predict(run, [short, long], dtype="float32", long_texts="vote")
    shares = [column for column in cut if column not in ("text", "row", "prediction")]
    assert voted.loc[0, shares].tolist() == pytest.approx(cut.loc[0, shares].tolist(), abs=2e-6)
    chunks = list(chunks_of(long, voting.reader.tokenizer.encode([long])[0], voting.reader))
    own = ww.predict(run, chunks, dtype="float32")[shares].to_numpy(float)
    expected = vote(own, np.zeros(len(own), int))[0]
    assert voted.loc[1, shares].tolist() == pytest.approx(expected.tolist(), abs=1e-4)  # shares are rounded


def test_what_has_no_votes_is_refused_in_one_line(run, tmp_path):
    pairs = write_tuned(tmp_path, kind="pair_classification", steps=1)
    rows = write_rows(tmp_path / "rows.csv", sample_task("pair_classification", 40))
    with pytest.raises(BadInput, match="chunks vote for a fine-tuned classifier of single texts"):
        ww.predict(pairs, rows, long_texts="vote")
    with pytest.raises(BadInput, match="chunks vote for one fine-tuned model"):
        ww.predict([run, run], rows, long_texts="vote")
