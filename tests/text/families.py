"""Small trained tokenizers of the other families, saved as their checkpoints save them."""

from __future__ import annotations

from pathlib import Path

import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, processors, trainers

CORPUS = ["the cat sat on the mat, don't you know 日本語 한국어 café", "hello world 😀 naïve 3.14 new york"] * 5


def byte_pairs(folder: Path, special: list[str]) -> Path:
    """Byte pairs as GPT-2 has them; framed as RoBERTa's where `<s>` is among the special tokens."""
    library = tokenizers.Tokenizer(models.BPE())
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.post_processor = processors.ByteLevel(trim_offsets=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=340, initial_alphabet=alphabet, special_tokens=special, show_progress=False
    )
    library.train_from_iterator(CORPUS, trainer)
    if "<s>" in special:
        library.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
        library.add_special_tokens([tokenizers.AddedToken("<mask>", lstrip=True, normalized=False, special=True)])
    return _saved(library, folder)


def unigrams(folder: Path) -> Path:
    """Unigrams behind NFKC and a word mark, as XLM-R has them."""
    library = tokenizers.Tokenizer(models.Unigram())
    library.normalizer = normalizers.NFKC()
    library.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    unknown = special[3]
    trainer = trainers.UnigramTrainer(vocab_size=70, special_tokens=special, unk_token=unknown, show_progress=False)
    library.train_from_iterator(CORPUS, trainer)
    library.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return _saved(library, folder)


def _saved(library: tokenizers.Tokenizer, folder: Path) -> Path:
    library.enable_truncation(4)  # what a checkpoint may carry and a reader must not obey
    library.enable_padding(length=8)
    library.save(str(folder / "tokenizer.json"))
    return folder
