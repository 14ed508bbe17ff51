"""The names that seed the random draws of rungs: made from a model's weights, so that its folder may be renamed.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
The ladder is the list of rungs, cheapest first.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import content_key, sha256
from wordworth.representations.rung import Rung
from wordworth.sources import catalogue, resolve


def seed_names(rungs: Iterable[Rung]) -> dict[str, str]:
    """Return name of a rung -> name that seeds its random draws, for each rung whose model is a folder or a file.

    The seeding name is the rung's family with a hash of the model's weights, so that a renamed, moved or copied folder
    gives the same results. All other rungs are seeded by their own names.

    Args:
        rungs: the rungs of a ladder; one whose model is not on this machine is left out.
    """

    @cache
    def key(model: Path) -> str:
        hashes = resolve(str(model), hash_whole=True).sha256.values() if model.is_dir() else [sha256(model)]
        return content_key(*sorted(hashes))

    names = dict[str, str]()
    for rung in rungs:
        model = _own_model(rung)
        if model is not None:
            with suppress(BadInput):  # a damaged model is reported where the rung is prepared
                names[rung.name] = f"{rung.family} {key(model)}"
    return names


def _own_model(rung: Rung) -> Path | None:
    """Return the folder or file of the model that a rung reads; None for names of the catalogue and of the hub."""
    model = getattr(rung, "model", getattr(rung, "source", getattr(rung, "path", None)))
    if not isinstance(model, str | Path) or str(model) in {entry.name for entry in catalogue()}:
        return None
    path = Path(model).expanduser()
    return path if path.exists() else None
