"""Hard negatives are near, and neither right nor as near as what is right; how many are false is estimated."""

import tracemalloc

import numpy as np
import pytest
from tests.models.tiny import write_prompts
from tests.training.sentences.sentence_files import files_to_train_on, write

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.progress import SILENT
from wordworth.tasks.reading.sentence_rows import read_sentences
from wordworth.training.sentences import hard_negatives
from wordworth.training.sentences.hard_negatives import MARGIN, NONE, nearest_negatives, with_hard_negatives
from wordworth.training.sentences.losses import LOSSES
from wordworth.training.sentences.read_data import read_data
from wordworth.training.sentences.settings import SentenceTrainingSettings


def slowly(vectors, first, second, row, *, aware):
    """The rule, one candidate after the other: the text of the hard negative of a row, or None."""
    own = float(vectors[first[row]] @ vectors[second[row]])
    right = {b for a, b in zip(first, second, strict=True) if a == first[row]} if aware else {second[row]}
    best = None
    for text in sorted({*second.tolist()}):
        cosine = float(vectors[first[row]] @ vectors[text])
        if text in right or text == first[row] or cosine > own - MARGIN * abs(own):
            continue
        if best is None or cosine > best[0]:
            best = (cosine, text)
    return None if best is None else best[1]


def drawn(seed, texts=60, rows=150, width=6):
    rng = seeds.child(seed, "rows")
    vectors = unit_or_zero(rng.normal(size=(texts, width)).astype(np.float32))
    return vectors, rng.integers(texts, size=rows), rng.integers(texts, size=rows)


@pytest.mark.parametrize("seed", range(5))
def test_blocks_find_what_the_rule_says_one_candidate_after_the_other(seed, monkeypatch):
    monkeypatch.setattr(hard_negatives, "_ROWS", 7)
    monkeypatch.setattr(hard_negatives, "_CANDIDATES", 11)
    vectors, first, second = drawn(seed)
    mined = nearest_negatives(vectors, first, second)
    for found, aware in ((mined.hard, True), (mined.unfiltered, False)):
        texts = [None if row == NONE else second[row] for row in found]
        assert texts == [slowly(vectors, first, second, row, aware=aware) for row in range(len(first))]


@pytest.mark.slow
def test_forty_thousand_texts_take_less_than_200_megabytes():
    """All their cosines at once would take 6.4 GB."""
    vectors, rng = (
        unit_or_zero(seeds.child(0, "many").normal(size=(40_000, 32)).astype(np.float32)),
        seeds.child(0, "rows"),
    )
    first, second = rng.permutation(40_000), rng.permutation(40_000)
    tracemalloc.start()
    try:
        mined = nearest_negatives(vectors, first[:20_000], second[:20_000])
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (mined.hard != NONE).mean() > 0.4
    assert most < 200e6


def test_a_row_without_a_candidate_has_no_negative():
    vectors = np.eye(2, dtype=np.float32)
    mined = nearest_negatives(vectors, np.array([0, 0]), np.array([0, 1]))
    assert mined.hard.tolist() == [NONE, NONE]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return files_to_train_on(tmp_path_factory.mktemp("rows"))


def test_third_texts_of_the_file_stay_and_others_are_mined(folder, tmp_path):
    pairs = [("a man eats", "a man is eating", "no one eats"), ("a dog runs", "a dog is running", "")] * 2
    rows = read_sentences(write(tmp_path / "x.csv", ["anchor", "positive", "negative"], pairs))
    mined = with_hard_negatives(rows, str(folder / "tiny"), SILENT)
    assert mined.third[0] == "no one eats"
    assert set(mined.third[1::2]) <= {"a man is eating", ""}
    assert mined.notes[-1].numbers["mined"] == sum(map(bool, mined.third)) - 2


def test_false_negatives_are_estimated_from_first_texts_with_several_second_texts(folder, tmp_path, monkeypatch):
    """Text a has the second texts p and q: q would be mined for (a, p) if nobody had said that it is right."""
    pairs = [("a", "p"), ("a", "q"), ("b", "r"), ("b", "s"), ("c", "t")]
    angles = {"a": 0, "p": 20, "q": 30, "b": 100, "r": 120, "s": 300, "c": 200, "t": 220}
    radians = np.radians(list(angles.values()))
    vectors = np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)
    number = {text: index for index, text in enumerate(angles)}
    first, second = (np.array([number[text] for text in side]) for side in zip(*pairs, strict=True))
    monkeypatch.setattr(hard_negatives, "_mined", lambda *_: nearest_negatives(vectors, first, second))
    rows = read_sentences(write(tmp_path / "x.csv", ["anchor", "positive"], pairs))
    mined = with_hard_negatives(rows, str(folder / "tiny"), SILENT)
    numbers = mined.notes[-1].numbers
    assert (numbers["texts"], numbers["false"], numbers["share"]) == (2, 1, 0.5)
    assert mined.third[0] == "s"  # of those that are not known to be right, the nearest to a


def test_where_no_first_text_has_several_the_share_of_false_ones_is_unknown(folder, tmp_path):
    pairs = [(f"number {n}", f"the number {n}") for n in range(9)]
    rows = read_sentences(write(tmp_path / "x.csv", ["anchor", "positive"], pairs))
    assert "unknown" in with_hard_negatives(rows, str(folder / "tiny"), SILENT).notes[-1].text


def test_no_negative_of_a_training_row_comes_from_a_dev_row(folder):
    settings = SentenceTrainingSettings(
        model="mini", loss="triplet", dev=0.4, negatives_from=str(folder / "tiny"), positive="neutral"
    )
    data = read_data(folder / "nli.csv", settings, LOSSES.get("triplet"))
    assert all(data.train.third)
    assert not {*data.train.third} & {*data.dev.second}
    assert not {*data.dev.third} & {*data.train.second}


def test_a_loss_of_scores_has_no_use_for_them():
    with pytest.raises(BadInput, match="no use for hard negatives"):
        SentenceTrainingSettings(model="mini", loss="cosine", negatives_from="mini")


def test_first_texts_are_compared_as_queries_and_the_others_as_documents():
    documents, first, second = drawn(3)
    queries = drawn(4)[0]
    mined = nearest_negatives(documents, first, second, queries=queries).hard
    joined = np.concatenate([queries, documents])  # the same texts as queries, then as documents
    for row, found in enumerate(mined):
        own = float(queries[first[row]] @ documents[second[row]])
        right = {b for a, b in zip(first, second, strict=True) if a == first[row]} | {first[row]}
        cosines = {text: float(joined[first[row]] @ documents[text]) for text in {*second.tolist()} - right}
        left = {text: cosine for text, cosine in cosines.items() if cosine <= own - MARGIN * abs(own)}
        assert (None if found == NONE else second[found]) == max(left, key=left.get, default=None)


def test_a_miner_with_prompts_by_role_mines_otherwise_than_without(tmp_path):
    files = files_to_train_on(tmp_path)
    rows = read_sentences(files / "nli.csv")
    plain = with_hard_negatives(rows, str(files / "tiny"), SILENT).third
    write_prompts(files / "tiny", {"query": "really bad dinner ", "document": ""})
    assert with_hard_negatives(rows, str(files / "tiny"), SILENT).third != plain
    write_prompts(files / "tiny", {"query": "", "document": ""})
    assert with_hard_negatives(rows, str(files / "tiny"), SILENT).third == plain
