"""Training objectives of language models, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wordworth.registry import Registry

if TYPE_CHECKING:
    from wordworth.training.objectives.objective import Objective

_HOME = "wordworth.training.objectives"
OBJECTIVES: Registry[type[Objective]] = Registry(
    "objective",
    group="wordworth.objectives",
    builtin={
        "mlm": f"{_HOME}.mlm:MaskedLanguageModel",
        "nsp": f"{_HOME}.sentence_pairs:NextSentence",
        "sop": f"{_HOME}.sentence_pairs:SentenceOrder",
        "dialogue": f"{_HOME}.dialogue_consistency:RealDialogue",
        "clm": f"{_HOME}.next_token:CausalLanguageModel",
        "bilm": f"{_HOME}.next_token:ForwardBackward",
        "completion_first": f"{_HOME}.two_sided_masked_completion:FirstSideCompletion",
        "completion_second": f"{_HOME}.two_sided_masked_completion:SecondSideCompletion",
        "alignment": f"{_HOME}.linguistic_visual_alignment:Alignment",
        "dea": f"{_HOME}.entity_denoising:EntityDenoising",
        "anisotropy": f"{_HOME}.anisotropy:AnisotropyPenalty",
    },
)
