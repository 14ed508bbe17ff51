"""Train byte pairs on the bytes of UTF-8, so that every text can be spelt (Radford et al. 2019, section 2.2).

The pair of pieces that is most frequent within words is merged, again and again, until there are enough pieces
(Sennrich et al. 2016). The 256 bytes are always in the vocabulary, so that there is no unknown piece.
"""

from __future__ import annotations

import tokenizers
from tokenizers import models, pre_tokenizers, trainers

from wordworth.json_file import parse_json
from wordworth.progress import Progress
from wordworth.text.subwords.pre_tokenization import splitting
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.special_tokens import SPECIAL, with_special_tokens
from wordworth.text.subwords.word_counts import Words, repeated_words, require_size
from wordworth.text.tokenizer_files import LoadedTokenizer

_LONGEST = 400
"""Maximal number of bytes of a word in training: longer words are rarely language (see `wordpiece`)."""


def train_byte_level(words: Words, settings: TokenizerSettings, progress: Progress) -> LoadedTokenizer:
    """Train a vocabulary of byte pairs, and the merges that make them, on counted words.

    Special tokens and single bytes are the first pieces of the vocabulary.

    Args:
        words: word -> count; words include the space before them, and each byte is one character, as in GPT-2.
        settings: the settings of training, of which `size`, `least`, `exact` and the casing are used.
        progress: progress display, which only shows that training is running.

    Raises:
        BadInput: `settings.exact` is True, and the vocabulary cannot have exactly `settings.size` pieces.
    """
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    library = tokenizers.Tokenizer(models.BPE())
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.BpeTrainer(
        vocab_size=settings.size,
        min_frequency=settings.least,
        show_progress=False,
        special_tokens=list(SPECIAL),
        initial_alphabet=alphabet,
    )
    short = (item for item in sorted(words.items()) if len(item[0]) <= _LONGEST)
    with progress.step("pieces"):
        library.train_from_iterator(repeated_words(short), trainer)
    model = parse_json(library.to_str())["model"]
    if settings.exact:
        require_size(len(model["vocab"]), settings.size, len(SPECIAL) + len(alphabet))
    merges = [(first, second) for first, second in model["merges"]]
    steps = splitting("byte-level", lowercase=settings.uncased)
    return with_special_tokens(models.BPE(model["vocab"], merges), steps)
