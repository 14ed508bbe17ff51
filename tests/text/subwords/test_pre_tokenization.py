"""How texts become words: the same scripts for byte pairs and unigrams, as a user would part them."""

import pytest
from tokenizers import pre_tokenizers

from wordworth.text.subwords.pre_tokenization import has_foreign_patterns, splitting


def split(algorithm, text, *, lowercase=False):
    steps = splitting(algorithm, lowercase=lowercase)
    text = steps.normalizer.normalize_str(text) if steps.normalizer else text
    return [word for word, _ in steps.splitter.pre_tokenize_str(text)]


def in_bytes(word):
    """A word as byte-level pieces show it."""
    ((shown, _),) = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(word)
    return shown


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Well, 12ab 天地x", ["▁Well", ",", "▁12", "ab", "▁天", "地", "x"]),
        ("हिन्दी है", ["▁हिन्दी", "▁है"]),
        ("don't (so)", ["▁don", "'", "t", "▁(", "so", ")"]),
        ("한국어 カタカナ", ["▁한국어", "▁カタカナ"]),
    ],
)
def test_words_end_at_spaces_marks_numbers_and_ideographs_and_not_at_vowel_signs(text, words):
    assert split("unigram", text) == words
    assert split("byte-level", f" {text}") == [in_bytes(word.replace("▁", " ")) for word in words]


def test_cased_ones_keep_accents_and_case():
    for algorithm in ("byte-level", "unigram"):
        assert split(algorithm, "É") != split(algorithm, "e")
        assert split(algorithm, "É", lowercase=True) == split(algorithm, "e", lowercase=True)
    assert splitting("byte-level", lowercase=False).normalizer is None
    assert split("wordpiece", "Éa 天地") == ["Éa", "天", "地"]


def test_unigrams_see_white_space_once_and_compatible_characters_as_one():
    assert split("unigram", "a \n\t b\u3000ｃ ") == ["▁a", "▁b", "▁c"]


def test_other_people_s_patterns_are_told_from_these():
    own = [{"type": "Split", "pattern": {"Regex": r"\s+"}}, None, [{"a": [{"b": 1}]}]]
    assert not has_foreign_patterns(own)
    assert has_foreign_patterns([*own, {"pretokenizers": [{"pattern": {"Regex": "(a+)+$"}}]}])
