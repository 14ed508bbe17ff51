import re

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from wordworth.representations.rung import RunContext
from wordworth.representations.tfidf import WORDS, Tfidf, count_ngrams
from wordworth.tasks.task import Examples
from wordworth.testing.sample_tasks import sample_task

TEXTS = sample_task("single").examples.first
PEERS = {
    "words": {"ngram_range": (1, 2), "token_pattern": r"\w+|[^\w\s]"},
    "characters": {"ngram_range": (2, 5), "analyzer": "char_wb"},
}


def views(representation, texts, second=None):
    return representation.views(Examples(tuple(texts), second), RunContext())


@pytest.mark.parametrize("view", ["words", "characters"])
def test_counting_all_texts_once_equals_counting_the_training_texts_alone(view):
    """The fast path (count all, keep the training part's columns) against scikit-learn on the subset, the slow twin."""
    train, test = TEXTS[:40], TEXTS[40:]
    fitted = Tfidf().prepare(Examples(TEXTS)).fit(Examples(train))
    peer = TfidfVectorizer(sublinear_tf=True, **PEERS[view]).fit(train)
    ours, theirs = views(fitted, test)[view].toarray(), peer.transform(test).toarray()
    assert ours.shape == theirs.shape
    assert fitted.counts[view].ngrams_at(fitted.idf_weights[view].columns) == peer.get_feature_names_out().tolist()
    assert abs(ours - theirs).max() < 1e-6


def test_preparing_and_forgetting_change_no_feature():
    train = Examples(TEXTS[:30])
    fresh, prepared = Tfidf().fit(train), Tfidf().prepare(Examples(TEXTS)).fit(train)
    for fitted in (prepared, prepared.forget()):
        ours, plain = (views(one, TEXTS)["both"].toarray() for one in (fitted, fresh))
        assert ours.shape == plain.shape
        assert abs(ours - plain).max() < 1e-7


def test_a_text_of_nothing_known_has_no_features():
    fitted = Tfidf().fit(Examples(("a film", "a book")))
    assert not views(fitted, ["", "Ω"])["both"].toarray().any()


def test_texts_without_a_single_word_are_no_error():
    fitted = Tfidf().fit(Examples(("", " ")))
    assert views(fitted, ["a film"])["both"].shape[0] == 1


def test_rows_have_length_one():
    both = views(Tfidf().fit(Examples(TEXTS)), TEXTS)["both"].toarray()
    assert np.linalg.norm(both, axis=1) == pytest.approx(1)


def test_equal_texts_of_a_pair_are_as_near_as_can_be():
    fitted = Tfidf().fit(Examples(TEXTS, TEXTS))
    near = views(fitted, TEXTS[:3], second=(TEXTS[0], TEXTS[40], "Ω"))["likeness"]
    assert near[0] == pytest.approx([1, 1])
    assert (near[1] < 1).all()
    assert near[2].tolist() == [0, 0]


def test_its_cost_counts_the_grams_it_learned():
    few, many = (Tfidf().fit(Examples(TEXTS[:n])).cost() for n in (5, 60))
    assert 0 < few.disk_bytes < many.disk_bytes
    assert many.num_features == many.parameters


def test_an_ideograph_is_a_word_and_text_in_other_scripts_is_cut_as_before():
    words = WORDS.counter().build_analyzer()
    assert words("我看了film") == ["我", "看", "了", "film", "我 看", "看 了", "了 film"]
    assert words("東京タワー")[:3] == ["東", "京", "タワー"]
    others = "Über die 3.5 Straße, don't! привет мир γειά 안녕하세요 สวัสดี नमस्ते film_1 café"
    assert words(others)[: len(re.findall(r"\w+|[^\w\s]", others))] == re.findall(r"\w+|[^\w\s]", others.lower())


def test_words_tell_labels_of_chinese_texts_apart_that_share_no_clause():
    good, bad, others = "好美", "坏丑", "我看了这个电影它真是很也不在那里"
    draw = np.random.default_rng(0)

    def text(row):
        letters = [*draw.choice(list(others), 12), draw.choice(list(good if row % 2 else bad))]
        return "".join(draw.permutation(letters))

    texts = [text(row) for row in range(120)]
    counts = count_ngrams(WORDS, tuple(texts[:80])).rows(texts)
    right = np.arange(120) % 2
    model = LogisticRegression(C=30).fit(counts[:80], right[:80])
    assert model.score(counts[80:], right[80:]) > 0.9
