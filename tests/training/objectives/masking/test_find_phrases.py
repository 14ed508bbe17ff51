"""Phrases of a corpus: words that stand together more often than chance has it, and a file that pretraining reads."""

import pytest

from wordworth.errors import BadInput
from wordworth.text.corpus.token_store import TokenStore, build_store
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.objectives.masking.find_phrases import phrases
from wordworth.training.objectives.masking.lexicon_files import read_phrases

WORDS = ["new", "york", "city", "red", "dog", "cat", "sees", "a", "the", "in", "北", "京", "大", "学", "."]
SENTENCES = [
    "a red dog in new york city.",
    "the cat sees new york.",
    "the dog in new york city sees a cat.",
    "北京大学.",
]
SENTENCES += ["the red cat sees a dog.", "a cat in the city.", "北京大.", "学大."]


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "tok").mkdir()
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, "##s"]
    (tmp_path / "tok" / "vocab.txt").write_text("\n".join(pieces) + "\n")
    (tmp_path / "tok" / "tokenizer_config.json").write_text('{"do_lower_case": true}')
    (tmp_path / "text.txt").write_text("\n".join(SENTENCES * 5) + "\n")
    return tmp_path


def phrases_of(corpus, **settings):
    return phrases(
        corpus / "text.txt", tokenizer=corpus / "tok", out=corpus / "phrases.txt", layout="sentences", **settings
    )


def test_phrases_grow_from_round_to_round_and_a_common_word_is_in_none(corpus):
    one = {each.text for each in phrases_of(corpus, rounds=1, min_count=5)}
    assert {"new york", "北京"} <= one
    assert not one & {"the cat", "the dog", "new york city"}
    more = {each.text for each in phrases_of(corpus, rounds=2, min_count=5)}
    assert {"new york", "new york city", "北京大学"} <= more


def test_the_file_holds_phrase_score_and_occurrences_and_is_a_lexicon(corpus):
    result = phrases_of(corpus, min_count=5)
    lines = [line.split("\t") for line in (corpus / "phrases.txt").read_text().splitlines()]
    assert [(text, int(count)) for text, _, count in lines] == [(each.text, each.count) for each in result]
    assert next(each for each in result if each.text == "new york").count == 15
    assert [each.score for each in result] == sorted((each.score for each in result), reverse=True)
    build_store(corpus / "text.txt", Tokenizer.read(corpus / "tok"), corpus / "store")
    store = TokenStore.open(corpus / "store")
    assert len(read_phrases(corpus / "phrases.txt", store.tokenizer, [store]).phrases) == len(result)
    assert {each.text for each in phrases(corpus / "store", out=corpus / "again.txt", min_count=5)} == {
        each.text for each in result
    }


def test_the_score_of_word2phrase_finds_them_too(corpus):
    assert "new york" in {each.text for each in phrases_of(corpus, scoring="word2phrase", threshold=4, min_count=5)}


def test_without_phrases_tokenizer_or_file_nothing_is_written(corpus):
    with pytest.raises(BadInput, match="no two neighbouring words of this corpus reach a score of 1"):
        phrases_of(corpus, threshold=1.0, min_count=1000)
    with pytest.raises(BadInput, match="without a tokenizer"):
        phrases(corpus / "text.txt", out=corpus / "phrases.txt")
    with pytest.raises(BadInput, match="this is a folder"):
        phrases(corpus / "text.txt", tokenizer=corpus / "tok", out=corpus)
    assert not (corpus / "phrases.txt").exists()


def test_a_corpus_without_phrases_is_named_as_the_user_named_it(corpus):
    with pytest.raises(BadInput, match="no two neighbouring words") as error:
        phrases_of(corpus, min_count=100_000)
    assert error.value.where == str(corpus / "text.txt")
