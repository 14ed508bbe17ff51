"""`CrossmodalTrainingSettings`: the sizes and the training of a model of words and codes."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.errors import BadInput
from wordworth.settings_validation import (
    LEARNING_RATE,
    SHARE,
    ValidRange,
    at_least,
    require_shared_by_heads,
    setting,
    validate,
)

_LONG = ValidRange(lambda length: 8 <= length <= 512, "8 to 512")  # noqa: PLR2004 - of BERT


@dataclass(frozen=True, kw_only=True, slots=True)
class CrossmodalTrainingSettings:
    """Sizes and training settings of a model of words and codes."""

    width: int = setting(64, "Numbers of a state, a multiple of --heads.", at_least(4))
    layers: int = setting(2, "Layers of the model.", at_least(1))
    heads: int = setting(4, "Attention heads.", at_least(1))
    dropout: float = setting(0.0, "Rate of dropout.", SHARE)
    steps: int = setting(2_000, "Updates of a training.", at_least(1))
    batch_size: int = setting(64, "Sequences per update.", at_least(2))
    learning_rate: float = setting(2e-3, "Peak learning rate.", LEARNING_RATE)
    words_share: float = setting(0.1, "Share of pairs of which the words alone are read.", SHARE)
    codes_share: float = setting(0.1, "Share of pairs of which the codes alone are read.", SHARE)
    whole_share: float = setting(0.8, "Share of completed sequences of which one whole side is masked.", SHARE)
    subsampling: int = setting(5, "Only every r-th code is kept, with r drawn from 1 to this number.", at_least(1))
    max_length: int = setting(128, "Most tokens of a sequence, half of them words at most, half codes.", _LONG)
    max_words: int = setting(10_000, "Most words of the vocabulary, the most frequent ones.", at_least(1))
    device: str = setting("auto", "auto, cpu or cuda.")
    threads: int = setting(1, "Threads of the processor.", at_least(1))

    def __post_init__(self) -> None:
        validate(self)
        require_shared_by_heads(self.width, self.heads)
        if self.words_share + self.codes_share >= 1:
            what = f"--words-share {self.words_share} and --codes-share {self.codes_share} leave no pairs"
            raise BadInput(what, mend="give shares that add up to less than 1")
