"""The settings of `wordworth study codes`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.settings_validation import at_least, setting
from wordworth.training.patient_visits.settings import VisitTrainingSettings


@dataclass(frozen=True, kw_only=True, slots=True)
class CodesSettings(VisitTrainingSettings):
    """Settings of the study `codes`, which predicts medical codes at patients' visits."""

    input_kind: str = setting("condition", "Kind of the codes that are known of a visit.")
    target_kind: str = setting("medication", "Kind of the codes that are predicted.")
    input_ontology: Path | str | None = setting(None, "Table of the known codes and their parents: child, parent.")
    target_ontology: Path | str | None = setting(None, "Table of the predicted codes and their parents.")
    synthetic: bool = setting(False, "Say on the page that the patients are made up.")
    runs: int = setting(3, "Trainings of each system, which differ in their seed.", at_least(1))
    draws: int = setting(1_000, "Bootstrap resamples of test patients per interval.", at_least(100))
    seed: int = setting(0, "Random seed; it also decides which patients train, validate and test.")

    def __post_init__(self) -> None:
        VisitTrainingSettings.__post_init__(self)
        if self.input_ontology is None and self.target_ontology is None:
            mend = "give --target-ontology or --input-ontology, a table of children and parents"
            raise BadInput("there is no ontology whose worth could be measured", mend=mend)
