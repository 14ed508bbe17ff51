"""The identity of a run: written when it begins, so that only the same run resumes in its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import sha256, write_text
from wordworth.json_file import parse_json, read_object
from wordworth.models.weight_files import weight_files
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.objectives.objective import Objective
from wordworth.training.pretraining.config import FORMER_FIELDS, PretrainingConfig
from wordworth.training.pretraining.recipe import FORMER_NAMES

FILE = "run.json"
CHECKPOINTS = "checkpoints"
_MEND = f"put the run's own {FILE} back, or choose another --out"
_SINCE = {
    "anisotropy": 0.0,
    "batch_warmup": 0.0,
    "pair_objective": True,
    "positions": "learned",
    "biases": True,
    "gated_mlp": False,
    "objectives": [],
    "objective_options": [],
}
"""Settings of recipes that the first run files lacked, with the values that those runs had."""
_NOT_OURS = {
    "config.json": "a model", "README.md": "a README.md", "tokenizer.json": "a tokenizer", "vocab.txt": "a tokenizer"
}  # fmt: skip
_DIFFERENCES = {
    "initial_model": "model to start from, or another vocabulary of it, is here",
    "corpus": "corpus, or the same read by another tokenizer, is here",
    "held-out corpus": "held-out corpus, or the same read by another tokenizer, is here",
    "lexicon": "lexicon is here",
    "objectives": "teacher, or whatever else an objective names as its own, is here",
}
"""Wording for what is compared by a fingerprint, which would tell the user nothing."""


def identity(
    settings: PretrainingConfig,
    stores: Sequence[TokenStore],
    held_out: TokenStore | None,
    objectives: Sequence[Objective] = (),
) -> dict[str, Any]:
    """Return everything that decides the results of a run, as JSON values; if a value differs, a run does not resume.

    Args:
        settings: the settings of the run.
        stores: the corpora.
        held_out: the held-out text, if any.
        objectives: the objectives of the run, whose own identities are added.
    """
    facts = {
        **settings.deciding(),
        "initial_model": settings.initial_model and [sha256(path) for path in weight_files(settings.initial_model)],
        "corpus": [store.fingerprint for store in stores],
        "held-out corpus": held_out and held_out.fingerprint,
        "lexicon": settings.lexicon and sha256(settings.lexicon),
    }
    of_objectives = {each.name: each.identity() for each in objectives if each.identity()}
    if of_objectives:
        facts["objectives"] = of_objectives
    plain: dict[str, Any] = parse_json(json.dumps(facts, default=str))
    recipe = plain["recipe"].items()
    deciding = {name: value for name, value in recipe if name not in _SINCE or value != _SINCE[name]}
    return {**plain, "recipe": deciding}


def require_own(folder: Path, own: Mapping[str, Any]) -> None:
    """Check that a run's folder is new, or belongs to the run with this identity.

    Args:
        folder: the folder of the run's log and checkpoints.
        own: the identity of the run.

    Raises:
        BadInput: the folder has another run, checkpoints without an identity, or files that are not from a run.
    """
    if (folder / FILE).exists():
        compare(_recorded(folder / FILE), own, folder)
    elif any((folder / CHECKPOINTS).glob("*.pt")):
        raise BadInput(f"checkpoints of a run without its {FILE}", where=str(folder), mend=_MEND)
    else:
        require_room(folder.parent)


def _recorded(path: Path) -> dict[str, Any]:
    """Return the identity recorded in a file, with former names of settings replaced by their current names."""
    recorded = {FORMER_FIELDS.get(name, name): value for name, value in read_object(path, _MEND).items()}
    if isinstance(recorded.get("recipe"), dict):
        recorded["recipe"] = {FORMER_NAMES.get(name, name): value for name, value in recorded["recipe"].items()}
    return recorded


def claim(folder: Path, own: Mapping[str, Any]) -> None:
    """Check with `require_own` that a folder is new or belongs to a run, then record the run's identity.

    An identity that is recorded there already is kept. From then on only the same run can resume in the folder.

    Args:
        folder: the folder of the run's log and checkpoints.
        own: the identity of the run.

    Raises:
        BadInput: the folder has another run, checkpoints without an identity, or files that are not from a run.
    """
    require_own(folder, own)
    if not (folder / FILE).exists():
        write_text(folder / FILE, json.dumps(own, indent=1) + "\n")


def require_room(out: Path, initial_model: Path | None = None) -> None:
    """Check, before any work, that an output folder holds nothing but files of a run.

    The function does not check which run the files are of; `require_own` does.

    Args:
        out: the output folder.
        initial_model: the model that the run continues.

    Raises:
        BadInput: the folder is the folder of the initial model, or it has a model, a tokenizer or a README.md that are
            not from a run.
    """
    if initial_model is not None and out.resolve() == initial_model.resolve():
        raise BadInput("this is the model to start from", where=str(out), mend="choose another --out")
    if (out / "training" / FILE).exists():
        return
    for name, held in _NOT_OURS.items():
        if (out / name).exists():
            raise BadInput(f"{held} is here already", where=str(out), mend="choose another --out")


def compare(there: Mapping[str, Any], own: Mapping[str, Any], folder: Path) -> None:
    """Check that the identity recorded in a run's folder equals the identity of the requested run.

    Args:
        there: the recorded identity.
        own: the identity of the requested run.
        folder: the folder, for the error.

    Raises:
        BadInput: the identities differ; the error names the setting.
    """
    for name, value in own.items():
        if there.get(name) != value:
            old, new = ("the default" if each is None else each for each in _differing(there.get(name), value))
            message = f"a run with another {_DIFFERENCES.get(name, f'{name} is here: {old}, not {new}')}"
            raise BadInput(message, where=str(folder.parent), mend="choose another --out, or give the same settings")


def _differing(old: Any, new: Any) -> tuple[Any, Any]:  # noqa: ANN401 - any value of JSON
    """Return (old, new); of two dicts, only the entries that differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        return {name: old.get(name) for name in names}, {name: new.get(name) for name in names}
    return old, new
