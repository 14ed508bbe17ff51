"""Convert a fitted head to named arrays and to values for JSON, and convert these back to a head."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.representations.feature_blocks import Scaling
from wordworth.representations.heads.base import FittedHead
from wordworth.representations.heads.crf_head import FittedCrf
from wordworth.representations.heads.linear_head import FittedLinear, Linear
from wordworth.representations.heads.scalar_mix import FittedScalarMix
from wordworth.representations.heads.temperature_scaling import Calibration
from wordworth.tasks.task import Kind
from wordworth.training.finetuning.checkpoint_metadata import TAGGER

if TYPE_CHECKING:
    from wordworth.representations.heads.bilstm_crf import FittedTagger

Arrays: TypeAlias = dict[str, NDArray[Any]]


@runtime_checkable
class _Tagger(FittedHead, Protocol):
    """A fitted tagger that gives its weights as arrays."""

    form: ClassVar[str]

    def arrays(self) -> Arrays: ...


def _tagger_class(form: str) -> type[FittedCrf | FittedTagger]:
    """Return the class of a fitted tagger; torch is imported for a BiLSTM only."""
    if form == FittedCrf.form:
        return FittedCrf
    from wordworth.representations.heads.bilstm_crf import FittedTagger

    if form != FittedTagger.form:
        raise ValueError(f"no tagger is called {form!r}")
    return FittedTagger


def head_state(head: FittedHead) -> tuple[dict[str, Any], Arrays]:
    """Return (facts for JSON, arrays by name), from which `head_from` rebuilds the head.

    Raises:
        BadInput: the head is neither linear nor one of this package's taggers.
    """
    facts, arrays = dict[str, Any](), Arrays()
    if isinstance(head, _Tagger):
        named = {"view": head.view, "chosen": dict(head.chosen), "parameters": head.parameters}
        return {TAGGER: head.form, **named}, head.arrays()
    if isinstance(head, FittedScalarMix):
        if head.layer_weights is not None:
            arrays["layer_weights"] = head.layer_weights
        facts["shape"], head = list(head.shape), head.inner
    if not isinstance(head, FittedLinear):
        raise BadInput("its head is neither linear nor a tagger", mend="name another rung")
    facts |= {"view": head.view, "chosen": dict(head.chosen), "calibration": asdict(head.calibration)}
    arrays["weights"], arrays["offsets"] = head.model.weights, head.model.offsets
    return facts, arrays | scaling_arrays("", head.scaling)


def head_from(facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], kind: Kind) -> FittedHead:
    """Rebuild a head from the facts and arrays into which `head_state` turned it.

    Args:
        facts: name -> value that is not an array.
        arrays: name -> array of weights.
        kind: the kind of task.

    Raises:
        KeyError, TypeError, ValueError: facts or arrays are damaged.
    """
    if TAGGER in facts:
        return _tagger_class(facts[TAGGER]).from_arrays(facts, arrays)
    calibration = facts["calibration"]
    linear = FittedLinear(
        str(facts["view"]),
        facts["chosen"],
        scaling_from("", arrays),
        Linear(arrays["weights"], arrays["offsets"], bool(facts["chosen"]["converged"])),
        kind,
        Calibration(**{**calibration, "shift": tuple(calibration["shift"])}),
    )
    if "shape" not in facts:
        return linear
    layers, width = facts["shape"]
    return FittedScalarMix(linear, (int(layers), int(width)), arrays.get("layer_weights"))


def scaling_arrays(name: str, scaling: Scaling) -> Arrays:
    """Return name -> array of a scaling; all names begin with the prefix `name`."""
    mean = Arrays() if scaling.mean is None else {f"{name}mean": scaling.mean}
    return {f"{name}factor": scaling.factor, **mean}


def scaling_from(name: str, arrays: Mapping[str, NDArray[np.float32]]) -> Scaling:
    """Rebuild a scaling from the arrays of `scaling_arrays`.

    Args:
        name: prefix of the names of the scaling's arrays.
        arrays: name -> array, among them the mean and the factor of each feature.

    Raises:
        KeyError: there is no scaling with this prefix.
    """
    return Scaling(arrays.get(f"{name}mean"), arrays[f"{name}factor"])
