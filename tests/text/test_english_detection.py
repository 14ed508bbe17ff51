"""Texts count as English by their function words, whatever their script and punctuation."""

import pytest

from wordworth.text.english_detection import is_english


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("the cat sat on the mat , and it was there for an hour .", True),
        ("what is the name of the river that they have ?", True),
        ("die katze lag in der sonne , und dann war sie weg .", False),
        ("il gatto e il cane sono in giardino", False),
        ("el gato que se fue con la casa", False),
        ("猫 在 垫子 上", False),
        ("!!! ... 12 34", False),
        ("", False),
    ],
)
def test_english_is_told_from_other_languages(text, english):
    assert is_english([text.split()]) is english


def test_texts_are_judged_together():
    english, other = ["the", "cat", "sat", "on", "the", "mat"], ["katze", "hund", "haus", "baum", "wald"]
    assert is_english([english, english, english, other])
    assert not is_english([english, *[other] * 10])
    assert not is_english([])
