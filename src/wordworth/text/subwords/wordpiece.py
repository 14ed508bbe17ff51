"""Train a WordPiece vocabulary (Schuster and Nakajima 2012; as BERT reads it, Devlin et al. 2019).

The `tokenizers` library trains the vocabulary by merging the most frequent pair of pieces until there are enough pieces
(the rule of byte pairs; no open-source trainer of WordPiece has another). By default the library numbers the pieces of
one character in an order that changes from run to run, and breaks ties by that number. Here these pieces are numbered
before training, so that every run gives the same vocabulary.
"""

from __future__ import annotations

import tokenizers
from tokenizers import models, pre_tokenizers, trainers

from wordworth.progress import Progress
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.special_tokens import SPECIAL
from wordworth.text.subwords.word_counts import ALWAYS, Words, alphabet, repeated_words, require_size
from wordworth.text.tokenizer_files import LoadedTokenizer, wordpiece

_LONGEST = models.WordPiece().max_input_chars_per_word
"""Maximal number of characters of a word; the library encodes longer words as [UNK]."""


def train_wordpiece(words: Words, settings: TokenizerSettings, progress: Progress) -> LoadedTokenizer:
    """Train a WordPiece vocabulary on counted words; special tokens are the first pieces of the vocabulary.

    Words that would become [UNK] are ignored: words with a character outside the vocabulary, and words too long to be
    read. Long words are rarely language (keys, encoded images); their fragments would fill the vocabulary, and training
    time is quadratic in their length.

    Args:
        words: words as BERT splits them, with their counts.
        settings: the settings of training, of which `size`, `least`, `coverage`, `exact` and the casing are used.
        progress: progress display, which only shows that training is running.

    Raises:
        BadInput: `settings.exact` is True, and the vocabulary cannot have exactly `settings.size` pieces.
    """
    always = {character.lower() for character in ALWAYS} if settings.uncased else ALWAYS
    characters = alphabet(words, settings.coverage) | always
    inside = sorted({character for word in words for character in word[1:]} & characters)
    single = [*SPECIAL, *(f"##{character}" for character in inside)]
    library = tokenizers.Tokenizer(models.WordPiece())
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(
        vocab_size=settings.size,
        min_frequency=settings.least,
        show_progress=False,
        special_tokens=single,
        limit_alphabet=len(characters),
        initial_alphabet=sorted(characters),
    )
    spelt = (item for item in sorted(words.items()) if len(item[0]) <= _LONGEST and characters.issuperset(item[0]))
    with progress.step("pieces"):
        library.train_from_iterator(repeated_words(spelt), trainer)
    vocabulary = library.get_vocab(with_added_tokens=False)
    if settings.exact:
        require_size(len(vocabulary), settings.size, len(single) + len(characters))
    pieces = sorted(vocabulary, key=lambda piece: (piece not in SPECIAL, vocabulary[piece]))
    return wordpiece({piece: index for index, piece in enumerate(pieces)}, {"do_lower_case": settings.uncased})
