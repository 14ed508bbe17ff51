"""`VisitTrainingSettings`: the sizes and the training of an encoder of visits."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.settings_validation import LEARNING_RATE, SHARE, at_least, require_shared_by_heads, setting, validate


@dataclass(frozen=True, kw_only=True, slots=True)
class VisitTrainingSettings:
    """Sizes and training settings of a visit encoder."""

    width: int = setting(64, "Numbers of a vector, a multiple of --heads.", at_least(4))
    layers: int = setting(2, "Layers of the encoder.", at_least(1))
    heads: int = setting(4, "Attention heads, of the encoder and over the ontology.", at_least(1))
    dropout: float = setting(0.1, "Rate of dropout.", SHARE)
    rounds: int = setting(10, "Rounds of pretraining, then recommending.", at_least(1))
    epochs: int = setting(3, "Passes over the visits in each of the two parts of a round.", at_least(1))
    batch_size: int = setting(16, "Visits per update, about as many where patients stay whole.", at_least(1))
    learning_rate: float = setting(1e-3, "Peak learning rate.", LEARNING_RATE)
    device: str = setting("auto", "auto, cpu or cuda.")
    threads: int = setting(1, "Threads of the processor.", at_least(1))

    def __post_init__(self) -> None:
        validate(self)
        require_shared_by_heads(self.width, self.heads)
