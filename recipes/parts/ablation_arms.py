"""The arms of the paper's ablations (Devlin et al. 2019, section 5 and appendix C), and what it found of each.

All but one thing is as it is in the arm that an arm is held against: data, order, seeds, and tokens read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from parts.effects import Effect
from parts.matched import Variant
from wordworth.models.model_sizes import shape

TASKS, SIZES, STEPS, MASKS = "tasks", "sizes", "steps", "masks"
FAMILIES = {
    TASKS: "what is pretrained on (table 5)",
    SIZES: "layers and width (table 6)",
    STEPS: "how long, from both sides and from left to right (figure 5)",
    MASKS: "what masked pieces become (table 8)",
}
TAGGED, FEATURES = "conll2003", "conll2003 features"
"""Entities by a BiLSTM over frozen states, as in the last column of table 8."""
_PAIRS = ("sequences=pairs", "init_neighbour_heads=yes")
_ALONE = (*_PAIRS, "pair_objective=no")
_BASE, _NO_NSP, _LEFT, _BILSTM = "base", "no-nsp", "left-to-right", "left-to-right-bilstm"
_MIXES = {
    "100-0-0": (1.0, 0.0, 0.005, 0.009),
    "80-0-20": (0.8, 0.2, 0.002, 0.003),
    "80-20-0": (0.8, 0.0, 0.002, 0.002),
    "0-20-80": (0.0, 0.8, 0.006, 0.003),
    "0-0-100": (0.0, 1.0, 0.005, 0.003),
}
"""Mix of [MASK], the same piece and a random piece -> the shares of [MASK] and random, and the paper's gain of 80-10-10
over this mix in F1 on CoNLL-2003, fine-tuned and with frozen features."""


@dataclass(frozen=True)
class Arm:
    """An arm of the ablations: one kind of pretrained model, and how it is fine-tuned.

    Attributes:
        name: name of the arm in results.
        variant: how the model is pretrained.
        share: share of the pretraining run, from 0 to 1, after which the model is taken.
        bilstm: whether the model is fine-tuned under a fresh BiLSTM.
    """

    name: str
    variant: Variant
    share: float = 1.0
    bilstm: bool = False


def arms(base_shape: str, milestones: Sequence[float]) -> dict[str, Arm]:
    """Return name -> arm of all arms, for a base model of this shape and models taken at these shares of its run."""
    kept = tuple(milestones)
    base = Variant(_BASE, "bert", _PAIRS)
    no_nsp = Variant(_NO_NSP, "bert", _ALONE, milestones=kept)
    left = Variant(_LEFT, "causal-bert", _ALONE, milestones=kept)
    sized = [replace(base, name=name, shape=of) for name, of in sizes(base_shape).items()]
    mixed = [replace(base, name=mix, changes=(*_PAIRS, *_mix(mix))) for mix in _MIXES]
    ends = [Arm(each.name, each) for each in (base, no_nsp, left, *sized, *mixed)]
    early = [Arm(at(each.name, share), each, share) for share in kept for each in (no_nsp, left)]
    return {arm.name: arm for arm in (*ends, Arm(_BILSTM, left, bilstm=True), *early)}


def effects(milestones: Sequence[float]) -> list[Effect]:
    """Return the effects that Devlin et al. (2019) report, table by table, with their gains on a scale of 0 to 1."""
    return [
        Effect(
            TASKS,
            "next sentence prediction",
            _BASE,
            _NO_NSP,
            {"mrpc": 0.002, "sst2": 0.001, "squad1": 0.006},
            nats=True,
        ),
        Effect(TASKS, "seeing both sides", _NO_NSP, _LEFT, {"mrpc": 0.09, "sst2": 0.005, "squad1": 0.101}),
        Effect(TASKS, "a BiLSTM over left to right", _BILSTM, _LEFT, {"mrpc": -0.018, "sst2": -0.005, "squad1": 0.071}),
        Effect(TASKS, "both sides, not a BiLSTM", _NO_NSP, _BILSTM, {"mrpc": 0.108, "sst2": 0.01, "squad1": 0.03}),
        Effect(SIZES, "layers, from a half", _BASE, "half-the-layers", {"mrpc": 0.019, "sst2": 0.016}, nats=True),
        Effect(SIZES, "layers, to the double", "twice-the-layers", _BASE, {"mrpc": 0.009, "sst2": 0.004}, nats=True),
        Effect(SIZES, "width, from a half", _BASE, "half-the-width", nats=True),
        Effect(SIZES, "width, to the double", "twice-the-width", _BASE, nats=True),
        *(Effect(STEPS, f"the run after {share:.0%}", _NO_NSP, at(_NO_NSP, share), nats=True) for share in milestones),
        *(
            Effect(STEPS, f"seeing both sides, after {share:.0%}", at(_NO_NSP, share), at(_LEFT, share))
            for share in milestones
        ),
        *(
            Effect(MASKS, f"80-10-10, not {mix}", _BASE, mix, {TAGGED: tuned, FEATURES: frozen}, features=True)
            for mix, (_, _, tuned, frozen) in _MIXES.items()
        ),
    ]


def sizes(base: str) -> dict[str, str]:
    """Return name -> shape (layers x width) of the arms that differ from the base in size."""
    of = shape(base)
    return {
        "half-the-layers": f"{max(1, of.layers // 2)}x{of.width}",
        "twice-the-layers": f"{2 * of.layers}x{of.width}",
        "half-the-width": f"{of.layers}x{of.width // 2}",
        "twice-the-width": f"{of.layers}x{2 * of.width}",
    }


def at(name: str, share: float) -> str:
    """Return the name of an arm whose model is taken before the end of its run, at a share of it."""
    return f"{name}-at-{share:g}"


def _mix(name: str) -> tuple[str, str]:
    mask, random, *_ = _MIXES[name]
    return f"mask_replace_prob={mask}", f"random_replace_prob={random}"
