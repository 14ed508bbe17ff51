"""`GraphTrainingSettings`: the settings of `kg train`, shared by Python, the command line and the record of a run."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.settings_validation import LEARNING_RATE, POSITIVE, at_least, setting, validate


@dataclass(frozen=True, kw_only=True, slots=True)
class GraphTrainingSettings:
    """Settings for training vectors of entities and relations on a knowledge graph."""

    model: str = setting("transe", "How a triple is scored: transe, distmult or rotate.")
    dimension: int = setting(100, "Numbers of an entity's vector.", at_least(2))
    epochs: int | None = setting(
        None, "Passes over the training triples. [default: 20, or as many as make 5,000 updates]", at_least(1)
    )
    batch_size: int = setting(1_024, "Triples per update.", at_least(1))
    negatives: int = setting(256, "Random entities that each batch is compared with, for each side.", at_least(1))
    margin: float = setting(9.0, "With transe and rotate: score of a triple whose distance is 0.", POSITIVE)
    temperature: float = setting(
        1.0, "How much more weight negatives with high scores get; 0 weighs all alike.", at_least(0)
    )
    learning_rate: float = setting(0.02, "Peak learning rate.", LEARNING_RATE)
    draws: int = setting(1_000, "Bootstrap resamples of test triples per interval.", at_least(100))
    seed: int = setting(0, "Random seed.")
    device: str = setting("auto", "auto, cpu or cuda.")
    threads: int = setting(1, "Threads of the processor.", at_least(1))
    save_every: float = setting(60.0, "Seconds between checkpoints.", POSITIVE)

    def __post_init__(self) -> None:
        validate(self)
