"""What a static table says of the texts that it cannot read."""

import numpy as np

from wordworth.models.static.lookup import Words
from wordworth.models.static_embeddings import StaticTable
from wordworth.representations.rung import VocabularyCoverage
from wordworth.representations.static_vectors import Static
from wordworth.tasks.task import Examples

RUNG = Static(StaticTable("t", np.eye(2, dtype=np.float32), Words({"rome": 0, "fell": 1})), "t", "t")


def test_texts_without_a_known_word_are_counted_and_empty_ones_are_not():
    texts = ("Rome fell", "Paris", "", " \n", "Rome rose", "?")
    assert RUNG.vocabulary_coverage(Examples(texts)) == VocabularyCoverage(6, 3, 2)


def test_both_texts_of_a_pair_are_counted():
    found = RUNG.vocabulary_coverage(Examples(("Rome fell", ""), second=("Paris rose", "Oslo")))
    assert found == VocabularyCoverage(5, 3, 2)


def test_words_to_tag_are_counted_and_their_sentences_are_not():
    found = RUNG.vocabulary_coverage(Examples(("", ""), words=(("Rome", "rose"), ("Paris",))))
    assert found == VocabularyCoverage(3, 2, 0)
