"""A lexicon file: a phrase a line, or tagged sentences; what is of no use is refused with its path."""

import lzma

import pytest
from tests.text.toys import SMALL, write_vocabulary

from wordworth.errors import BadInput
from wordworth.text.corpus.token_store import build_store
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.objectives.masking.lexicon_files import join_words, read_lexicon, read_phrases

TAGGED = "the\tO\nabc\tB-PER\nde\tI-PER\n\nab\tB-LOC\ncd\tB-PER\n\nabc\tB-PER\nde\tI-PER\n"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lexicon")
    (folder / "text.txt").write_text("the the a b. c the the.\n")
    return build_store(folder / "text.txt", Tokenizer.wordpiece(write_vocabulary(folder, SMALL)), folder / "store")


def read(path, store):
    return read_phrases(path, store.tokenizer, [store])


def test_a_phrase_a_line_and_what_follows_a_tab_is_not_read(tmp_path, store):
    path = tmp_path / "phrases.txt"
    path.write_text("the the\t0.9\t12\n\n a b \nthe the\n")
    assert read_lexicon(path) == ["the the", "a b"]
    assert len(read(path, store).phrases) == 2


@pytest.mark.parametrize("name", ["names.conll", "names.iob2.xz"])
def test_tagged_sentences_give_the_words_of_their_spans(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(lzma.compress(TAGGED.encode()) if name.endswith("xz") else TAGGED.encode())
    assert read_lexicon(path) == ["abc de", "ab", "cd"]


def test_chinese_words_are_joined_without_a_space():
    assert join_words(["台北", "市"]) == "台北市"
    assert join_words(["李", "Ang", "安"]) == "李 Ang 安"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.txt", "\n \n", "this lexicon is empty"),
        ("unread.txt", "\U0001f984\n", "no phrase that the vocabulary can spell"),
        ("elsewhere.txt", "c d\nthe c\n", "none of the 2 phrases of this lexicon occurs in the corpus"),
        ("single.txt", "the\n", "does not occur in the corpus as two or more tokens"),
        ("outside.conll", "the\tO\na\tO\n", "mark no span"),
        ("nouns.conll", "the\tDET\na\tNOUN\n", "mark no span"),
    ],
)
def test_a_lexicon_of_no_use_is_refused_with_its_path(name, content, says, tmp_path, store):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(BadInput, match=says) as error:
        read(path, store)
    assert error.value.where == str(path)
    assert error.value.mend
