"""Candidates are found where they stand nearest to the pronoun; two rules go by that alone."""

import pytest

from wordworth.studies.commonsense.candidate_mentions import Mentions
from wordworth.studies.commonsense.items import Choice


def mentions(before, options, after=" fell."):
    return Mentions.of(Choice(before, options, after, 0, "it"), "it")


def spelled(found):
    return [found.text[start:end] for start, end in found.candidates]


def test_the_nearest_mention_counts():
    found = mentions("The cat saw a dog. The cat barked, so ", ("the cat", "a dog"))
    assert spelled(found) == ["The cat", "a dog"]
    assert found.candidates[0][0] == 19
    assert found.text[slice(*found.pronoun)] == "it"
    assert found.nearest_scores().argmax() == 0
    assert found.first_scores().argmax() == 1


def test_a_candidate_is_found_by_its_last_words_and_after_the_pronoun_too():
    found = mentions("The trophy broke the brown suitcase when ", ("the suitcase", "the old trophy"))
    assert spelled(found) == ["suitcase", "trophy"]
    found = mentions("When ", ("the vase", "Tom"), " fell, the vase hit Tom.")
    assert spelled(found) == ["the vase", "Tom"]
    assert found.nearest_scores().argmax() == 0


@pytest.mark.parametrize("options", [("the cat", "a bird"), ("the cat", "The cat"), ("the cat", "the old cat")])
def test_without_a_place_of_its_own_for_each_candidate_there_are_none(options):
    assert mentions("The cat slept, so ", options) is None
