"""One half of the labelled rows: the one that chooses, or the one that measures."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.inference.labelled_inputs import LabelledInputs
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.measures.weighted_sums import Predicted
from wordworth.studies.heads.ablation import AblatedModel, Ablation, HeadSet


@dataclass(frozen=True, slots=True)
class Half:
    """One half of the rows: the examples, the comparison on them, and what the whole model predicts."""

    examples: LabelledInputs
    comparison: PairedChanges
    whole: Predicted

    def change(self, model: AblatedModel, heads: HeadSet, ablation: Ablation = "zero") -> Change:
        """Return what ablating heads changes in the score."""
        return self.comparison.change(model.predict(self.examples, heads, ablation), self.whole)
