"""`Half`: one half of the labelled rows, either the half for choices or the half for measurements."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.inference.labelled_inputs import LabelledInputs
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.measures.weighted_sums import Predicted
from wordworth.studies.heads.ablation import AblatedModel, Ablation, HeadSet


@dataclass(frozen=True, slots=True)
class Half:
    """One half of the labelled rows, on which ablated models are compared with the whole model.

    Attributes:
        examples: the rows of this half.
        comparison: scores predictions for these rows, and compares the scores of two models on the same bootstrap
            resamples.
        whole: predictions of the model without ablation for these rows.
    """

    examples: LabelledInputs
    comparison: PairedChanges
    whole: Predicted

    def change(self, model: AblatedModel, heads: HeadSet, ablation: Ablation = "zero") -> Change:
        """Return the score with these heads ablated minus the whole model's score, both on this half of the rows.

        Args:
            model: the model whose heads are ablated.
            heads: the heads to ablate, each as (layer, head).
            ablation: how a head is ablated: `zero`, `mean` or `uniform`.
        """
        return self.comparison.change(model.predict(self.examples, heads, ablation), self.whole)
