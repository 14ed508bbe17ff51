"""WordPiece: pieces are merged by the count of their pair."""

from wordworth.progress import SILENT
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.special_tokens import SPECIAL
from wordworth.text.subwords.word_counts import Words
from wordworth.text.subwords.wordpiece import train_wordpiece


def test_the_most_frequent_pair_is_merged_first_and_special_tokens_lead():
    words = Words({"abab": 4, "cab": 2, "cd": 1})
    least = train_wordpiece(words, TokenizerSettings(size=6, exact=False), SILENT).library.get_vocab_size()
    library = train_wordpiece(words, TokenizerSettings(size=least + 1), SILENT).library
    pieces = sorted(library.get_vocab(), key=library.get_vocab().get)
    assert tuple(pieces[:5]) == SPECIAL
    assert pieces[-1] == "##ab"
