"""The special tokens of trained vocabularies: BERT's, the first five pieces of each."""

from __future__ import annotations

import tokenizers
from tokenizers import AddedToken, models

from wordworth.text.subwords.pre_tokenization import Splitting
from wordworth.text.tokenizer_files import LoadedTokenizer, bert_template

ROLES = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
SPECIAL = tuple(ROLES.values())
"""The special tokens in the order of their ids."""


def with_special_tokens(model: models.Model, steps: Splitting) -> LoadedTokenizer:
    """Return a tokenizer that puts BERT's special tokens around texts.

    `[MASK]` includes the space before it, as the word that it replaces would.

    Args:
        model: the vocabulary, which must hold the tokens `SPECIAL`.
        steps: the normaliser, splitter and decoder around the vocabulary.
    """
    library = tokenizers.Tokenizer(model)
    if steps.normalizer is not None:
        library.normalizer = steps.normalizer
    library.pre_tokenizer = steps.splitter
    if steps.decoder is not None:
        library.decoder = steps.decoder
    ids = {name: index for index, name in enumerate(SPECIAL)}
    library.post_processor = bert_template(ids, ROLES["cls"], ROLES["sep"])
    library.add_special_tokens([_special_token(name) for name in SPECIAL])
    return LoadedTokenizer(library, ROLES)


def _special_token(name: str) -> AddedToken:
    return AddedToken(name, lstrip=name == ROLES["mask"], normalized=False, special=True)
