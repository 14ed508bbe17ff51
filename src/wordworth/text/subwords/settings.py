"""`TokenizerSettings`: the settings by which a tokenizer is trained."""

from __future__ import annotations

from dataclasses import dataclass, field

from wordworth.settings_validation import ValidRange, at_least, setting, validate
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.text.subwords.pre_tokenization import Algorithm


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenizerSettings:
    """Settings for training a tokenizer; `corpus` holds the settings for reading the corpus."""

    algorithm: Algorithm = setting(
        "wordpiece", "WordPiece, as in BERT; byte pairs on bytes, as in GPT-2; or unigrams, as in SentencePiece."
    )
    size: int = setting(
        16_000, "Vocabulary size, special tokens included.", at_least(6, ": five of them are special tokens")
    )
    lowercase: bool | None = setting(
        None,
        "Keep upper case and accents, or not. [default: --uncased for wordpiece, else --cased]",
        flags=("--uncased/--cased",),
    )
    exact: bool = setting(
        True, "Accept a smaller size if the corpus supports no more, or a larger one for its characters.", option=False
    )
    coverage: float = setting(
        0.99995,
        "Share of the corpus's characters that the vocabulary can spell; the rarest of the rest become [UNK].",
        ValidRange(lambda share: 0 < share <= 1, "more than 0 and at most 1"),
        option=False,
    )
    least: int = setting(2, "Fewest occurrences of a pair of pieces to be merged.", at_least(1), option=False)
    sampling: float = setting(
        1.0,
        "Exponent of the corpus sizes when several are given, such as a folder a language: below 1, words of large "
        "ones count for less.",
        at_least(0),
    )
    language_column: str | None = setting(
        None, "Column of the language in files that have columns: each language is a corpus of its own."
    )
    corpus: CorpusSettings = field(default_factory=CorpusSettings, metadata={"option": False})

    def __post_init__(self) -> None:
        validate(self)

    @property
    def uncased(self) -> bool:
        """Whether the tokenizer reads texts in lower case and without accents."""
        return self.algorithm == "wordpiece" if self.lowercase is None else self.lowercase
