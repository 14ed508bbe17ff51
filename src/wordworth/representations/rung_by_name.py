"""Make a rung from its name, and identify the files of the pretrained model that it reads.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
The ladder is the list of rungs, cheapest first.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput, NotFound, nearest
from wordworth.files import content_key, sha256
from wordworth.representations.distilled_vectors import DistilledRung
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.ladder import DISTILLED, FEW_SHOT, HYBRID, INT8, default_ladder, model_in
from wordworth.representations.random_vectors import RandomRung
from wordworth.representations.rung import Rung
from wordworth.representations.static_vectors import StaticRung
from wordworth.sources import FINETUNED_SUFFIX, catalogue, kind_of, require, resolve, short_name
from wordworth.tasks.task import Kind

_TEXT_FILES = frozenset({".json", ".txt"})


def rung_of(name: str, kind: Kind, finetuning: FineTuning | None = None) -> Rung:
    """Return the rung with this name, for a kind of task about texts.

    Args:
        name: the name, folder or file of an encoder or a static table; or a rung as the ladder names it, where any
            model can stand for `minilm`: `tfidf`, `random`, `glove`, `wordllama`, `minilm`, `tfidf+minilm`,
            `minilm-static`, `minilm-int8`, `minilm-fewshot`, `minilm-finetuned`.
        kind: the kind of task.
        finetuning: settings of a fine-tuned rung; None for the default settings.

    Raises:
        BadInput: there is no such rung, and no such model on this machine.
    """
    if not isinstance(name, str) or not name:
        raise BadInput(f"rung={name!r} is no name of a rung", mend="give a name such as 'tfidf' or 'minilm'")
    without_model = {rung.name: rung for rung in default_ladder(kind, models=(), finetune=None)}
    if name in without_model:
        return without_model[name]
    if not _is_here(name):
        rung = _over_encoder(name, finetuning or FineTuning())
        if rung is not None:
            return rung
        _require_name(name, kind)
    return _of_model(absolute(name))


def _over_encoder(name: str, finetuning: FineTuning) -> Rung | None:
    """Return the rung whose name is that of an encoder with a prefix or suffix for its use, such as `tfidf+minilm`.

    The result is None if the name has no such form.

    Raises:
        BadInput: the model in the name is a static table and not an encoder.
    """
    for prefix, suffix, make in (
        (HYBRID, "", _hybrid),
        ("", FINETUNED_SUFFIX, lambda model: _finetuned(model, finetuning)),
        ("", FEW_SHOT, _few_shot),
        ("", INT8, _int8),
        ("", DISTILLED, lambda model: DistilledRung(model, LinearHead())),
    ):
        model = name.removeprefix(prefix).removesuffix(suffix)
        if name != f"{prefix}{model}{suffix}" or not _is_model(model):
            continue
        if kind_of(model) == "static":
            what = f"{model!r} is a table of word vectors, and {name!r} needs a contextual encoder"
            raise BadInput(what, where="rung", mend=f"name an encoder, such as 'minilm', or {model!r} alone")
        return make(absolute(model))
    return None


def _is_model(name: str) -> bool:
    """Return whether a name is the name of a model in the catalogue, or of a model on this machine."""
    return bool(name) and (name in _catalogue("encoder", "static") or _is_here(name))


def _require_name(name: str, kind: Kind) -> None:
    """Check that a name can be the name of a model; a model of the catalogue need not be on this machine.

    Raises:
        BadInput: the name is a path or a name of the hub, and no such model is on this machine.
        NotFound: the name is nothing of this kind; it may be the misspelt name of a rung.
    """
    if name in _catalogue("encoder", "static"):
        return
    if "/" in name or Path(name).suffix or name.startswith("~"):
        require(name)
    ladder = [rung.name for rung in default_ladder(kind, models=_catalogue("encoder"))]
    prefix, model = HYBRID if name.startswith(HYBRID) else "", model_in(name) or name
    in_folder = f"{prefix}FOLDER/{name.removeprefix(prefix)}"
    others = f"of a model in a folder: {in_folder!r}; of the hub: wordworth models --download {model}"
    raise NotFound(f"no rung is called {name!r}", where="rung", mend=f"{nearest(name, ladder)} ({others})")


def _catalogue(*kinds: str) -> list[str]:
    return [entry.name for entry in catalogue() if entry.kind in kinds]


def absolute(model: Any) -> Any:  # noqa: ANN401 - a parameter of an estimator, which is checked where it is read
    """Return a name of a model or rung in which a relative path to a model is made absolute.

    A `model` that is not a name is returned unchanged.
    """
    if not isinstance(model, str | Path) or not model:
        return model
    name = str(model)
    for inner in (name, model_in(name)):
        path = Path(inner).expanduser()
        if inner and path.exists():
            before, _, after = name.rpartition(inner)
            return f"{before}{path.resolve()}{after}"
    return name


def full_name(rung: Rung) -> str:
    """Return the name from which `rung_of` makes the same rung, with the whole path of its model."""
    model = getattr(rung, "model", getattr(rung, "source", None))
    return rung.name if model is None else rung.name.replace(short_name(model), absolute(model), 1)


def files_key(rung: Rung) -> str:
    """Return a hash of the files of the model that a rung reads; "" for a rung without a model.

    The hash is the same on every machine; it changes with the model's weights, tokenizer or settings.

    Raises:
        BadInput: the model is not on this machine, or its files are damaged.
    """
    model = _model_of(rung)
    if model is None:
        return ""
    resolved = resolve(model, hash_whole=True)
    hashes = dict(resolved.sha256)
    for path, file in resolved.files.items():
        if file.suffix in _TEXT_FILES and path not in hashes:
            hashes[path] = sha256(file)
    return content_key(*(part for path in sorted(hashes) for part in (path, hashes[path])))


def _model_of(rung: Rung) -> str | None:
    """Return the name of the model that a rung reads, if any; random vectors take their words from GloVe."""
    if isinstance(rung, RandomRung):
        return "glove" if _is_here("glove") else None
    model = getattr(rung, "model", getattr(rung, "source", None))
    return model if isinstance(model, str) else None


def _is_here(name: str) -> bool:
    """Return whether a model of this name, folder or file is on this machine."""
    with suppress(BadInput):
        require(name)
        return True
    return False


def _of_model(name: str) -> Rung:
    if kind_of(name) == "static":
        return StaticRung(name, short_name(name), short_name(name))
    from wordworth.representations.frozen_encoder import Frozen

    return Frozen(name)


def _hybrid(model: str) -> Rung:
    from wordworth.representations.tfidf_with_encoder import Hybrid

    return Hybrid(model)


def _finetuned(model: str, settings: FineTuning) -> Rung:
    from wordworth.representations.finetuned_encoder import FineTuned

    return FineTuned(model, settings)


def _int8(model: str) -> Rung:
    from wordworth.representations.frozen_encoder import FrozenInt8

    return FrozenInt8(model)


def _few_shot(model: str) -> Rung:
    from wordworth.representations.few_shot import FewShot

    return FewShot(model)
