"""Clusters are named by words of their own: words of all clusters, numbers and single letters name none."""

import numpy as np

from wordworth.studies.corpus_map.cluster_keywords import WORDS, cluster_words, naming_words

CATS = ["the cat and the mouse", "the cat 24 a", "the cat ate the mouse"]
DOGS = ["the dog and the ball", "a dog or the ball", "the dog and me"]


def test_words_of_a_cluster_alone_name_it_and_the_frequent_ones_first():
    words = cluster_words([*CATS, *DOGS, "the bird"], np.array([0, 0, 0, 1, 1, 1, 2]), 4)
    assert words[0] == ["cat", "mouse"]
    assert words[1] == ["dog", "ball"]
    assert words[2] == []  # a word of one text alone names nothing
    assert words[3] == []


def test_words_that_all_clusters_share_name_none():
    texts = ["the sun of the day", "the moon of the night"] * 4
    words = cluster_words(texts, np.arange(8) % 2, 2)
    assert [set(own) for own in words] == [{"sun", "day"}, {"moon", "night"}]


def test_there_are_no_more_than_so_many():
    long = " ".join(f"word{letter}" for letter in "abcdefghijklmnop")
    assert len(cluster_words([long, long, "other"], np.array([0, 0, 1]), 2)[0]) == WORDS


def test_texts_without_words_name_nothing():
    assert cluster_words(["1 2", "?"], np.array([0, 1]), 2) == [[], []]


def test_addresses_and_codes_name_nothing():
    assert list(naming_words(f"see {'x' * 31} {'y' * 30}")) == ["see", "y" * 30]


def test_chinese_is_read_in_pairs_of_characters():
    assert list(naming_words("我喜欢音乐 GPT4时代")) == ["我喜", "喜欢", "欢音", "音乐", "gpt4", "时代"]
