"""The settings of `wordworth study crossmodal`."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.settings_validation import at_least, setting
from wordworth.training.crossmodal.settings import CrossmodalTrainingSettings


@dataclass(frozen=True, kw_only=True, slots=True)
class CrossmodalSettings(CrossmodalTrainingSettings):
    """Settings of the study `crossmodal`, which trains a model on words and codes of features."""

    k: int = setting(12, "Clusters that each cluster of features is divided into.", at_least(2))
    depth: int = setting(2, "Levels of clusters.", at_least(1))
    group_folds: int = setting(
        3, "Folds of the groups, each of which is tested once, without a column of parts.", at_least(3)
    )
    runs: int = setting(1, "Trainings of each system in each fold, which differ in their seed.", at_least(1))
    candidates: int = setting(50, "Sequences among which one is searched.", at_least(2))
    examples: int = setting(4, "Captions whose nearest sequences stand on the page.", at_least(0))
    draws: int = setting(1_000, "Bootstrap resamples of groups per interval.", at_least(100))
    seed: int = setting(0, "Random seed; it also decides the folds.")
