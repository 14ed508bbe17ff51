"""Unigrams: the probabilities of pieces, which of them are kept, and how texts are read."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import tokenizers
from tests.text.subwords.conftest import texts
from tokenizers import models, pre_tokenizers, trainers

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.text.subwords.pre_tokenization import splitting
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.train import train_tokenizer
from wordworth.text.subwords.unigram import train_unigram
from wordworth.text.subwords.word_counts import Words

TRAIN = """
import sys
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.train import train_tokenizer
for algorithm in ("byte-level", "unigram"):
    settings = TokenizerSettings(algorithm=algorithm, size=280, exact=False)
    train_tokenizer(sys.argv[1], f"{sys.argv[2]}/{algorithm}", settings)
"""


def scores(opened):
    return dict(json.loads(opened.library.to_str())["model"]["vocab"])


def log_likelihood(library, words, vocabulary):
    """Return the log-likelihood of words, each by the best segmentation the library finds."""
    return sum(
        number * sum(vocabulary[token.value] for token in library.model.tokenize(word))
        for word, number in words.items()
    )


@pytest.mark.slow
def test_another_process_trains_the_same_bytes(scripts, tmp_path):
    for name in ("one", "two"):
        subprocess.run([sys.executable, "-c", TRAIN, str(scripts), str(tmp_path / name)], check=True)
    for algorithm in ("byte-level", "unigram"):
        first, second = ((tmp_path / name / algorithm / "tokenizer.json").read_bytes() for name in ("one", "two"))
        assert first == second


def test_frequent_pieces_are_kept_and_probabilities_fall(trained):
    vocabulary = list(trained["unigram"].tokenizer.vocabulary)
    assert vocabulary[:5] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    opened = train_unigram(
        Words({"▁hello": 50, "▁help": 30, "▁yell": 20}), TokenizerSettings(size=200, exact=False), SILENT
    )
    pieces = list(scores(opened).items())[5:]
    assert [score for _, score in pieces] == sorted((score for _, score in pieces), reverse=True)
    assert pieces[0][0] == "▁hello"
    assert opened.library.encode("hello help", add_special_tokens=False).tokens == ["▁hello", "▁help"]


def test_the_likelihood_is_about_that_of_the_library_s_trainer():
    """Kudo's criterion, of two vocabularies of one size."""
    words, steps = Words(), splitting("unigram", lowercase=False)
    for text in texts(40):
        words.update(word for word, _ in steps.splitter.pre_tokenize_str(f" {text}"))
    ours = train_unigram(words, TokenizerSettings(algorithm="unigram", size=200, exact=False), SILENT)
    size = ours.library.get_vocab_size()
    theirs = tokenizers.Tokenizer(models.Unigram())
    theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    characters = sorted(piece for piece in ours.library.get_vocab() if len(piece) == 1)
    trainer = trainers.UnigramTrainer(
        vocab_size=size,
        special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"],
        unk_token="[UNK]",  # noqa: S106 - a piece
        initial_alphabet=characters,
        show_progress=False,
    )
    theirs.train_from_iterator((f"{word} " * number for word, number in words.items()), trainer)
    vocabulary = dict(json.loads(theirs.to_str())["model"]["vocab"])
    assert log_likelihood(ours.library, words, scores(ours)) >= 1.05 * log_likelihood(theirs, words, vocabulary)


def test_a_character_that_the_vocabulary_lacks_is_unknown_and_the_mask_takes_the_space_before_it(trained):
    tokenizer = trained["unigram"].tokenizer
    assert tokenizer.tokens(tokenizer.ids(["☃"])[0]) == ["[CLS]", "▁", "[UNK]", "[SEP]"]
    pieces = tokenizer.tokens(tokenizer.ids(["bako [MASK] ko."])[0])
    after = pieces.index("[MASK]") + 1
    assert pieces[after].startswith("▁")
    assert pieces[after - 2] != "▁"


@pytest.mark.parametrize(
    ("size", "message"),
    [(40, "40 pieces do not hold the"), (50_000, r"this corpus supports [\d,]+ pieces, not 50,000")],
)
def test_a_size_that_the_corpus_does_not_support_is_refused(scripts, tmp_path, size, message):
    with pytest.raises(BadInput, match=message):
        train_tokenizer(scripts, tmp_path / "tok", TokenizerSettings(algorithm="unigram", size=size))
    assert not (tmp_path / "tok").exists()
