"""Write a fitted rung into a folder, and read it: settings and n-grams in JSON, weights in safetensors.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

The folder holds what the rung learned from texts and labels: n-grams with their frequencies, a distilled table, a
few-shot rung's encoder, the head. Any other pretrained model that the rung reads is loaded by its name, and refused if
its files have changed since the rung was written. No file is a pickle, and no code in the folder is run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.json_file import read_object
from wordworth.models.cpu_inference import DtypeOption
from wordworth.models.load import load
from wordworth.models.static.array_files import tensors
from wordworth.models.static.read_static_table import read_static
from wordworth.models.static.save_static_table import save_table
from wordworth.models.static_embeddings import StaticTable
from wordworth.representations.feature_rung import NoCache, RepresentationPredictor
from wordworth.representations.few_shot import FewShotPredictor
from wordworth.representations.frozen_encoder import Contextual
from wordworth.representations.heads.base import FittedHead, sentence_lengths
from wordworth.representations.heads.temperature_scaling import Calibration, calibration_of
from wordworth.representations.pretrained_rung import learns, pretrained
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Predictions, Predictor, RunContext, Rung
from wordworth.representations.rung_by_name import files_key, full_name
from wordworth.representations.saved_head import Arrays, head_from, head_state, scaling_arrays, scaling_from
from wordworth.representations.static_vectors import Static
from wordworth.representations.tagging_features import TagFeatures
from wordworth.representations.tfidf import Tfidf
from wordworth.representations.tfidf_with_encoder import ConcatenatedFeatures
from wordworth.tasks import task_types
from wordworth.tasks.task import Examples, Kind
from wordworth.tasks.task_types.classification import are_class_indices
from wordworth.text.windows import LongTexts
from wordworth.training.finetuning.checkpoint_metadata import RUNG

HEAD, NGRAMS, TABLE, ENCODER = "head.safetensors", "ngrams.json", "table", "encoder"
SPELLING = "spelling"
"""The field of a rung's facts that is true where a tagger reads the spelling of words alone."""
_READABLE = (Static, Tfidf, Contextual, ConcatenatedFeatures, TagFeatures)
AGAIN = "run wordworth worth again, or copy the folder again"


@dataclass(frozen=True, slots=True)
class SavedRung:
    """A fitted representation with a fitted head, read from a folder, that predicts new texts.

    Attributes:
        run_context: the settings by which an encoder reads texts.
        kind: the kind of task.
    """

    representation: Representation
    head: FittedHead
    run_context: RunContext
    kind: Kind

    @property
    def dtype(self) -> str:
        """The dtype in which the encoder computes."""
        dense = getattr(self.representation, "dense", self.representation)
        return dense.encoder.dtype if isinstance(dense, Contextual) else "float32"

    @property
    def calibration(self) -> Calibration:
        """The temperature and shift by which scores become probabilities."""
        return calibration_of(self.head)

    def predict(self, examples: Examples) -> Predictions:
        """Return the predictions of the rung for new texts."""
        features = self.representation.views(examples, self.run_context)[self.head.view]
        return self.head.predict(features, sentence_lengths(examples, self.kind, np.arange(len(examples))))


def write_rung(folder: Path, rung: Rung, predictor: Predictor) -> dict[str, Any]:
    """Write what a rung learned into an existing folder; return the values that `read_rung` needs, for JSON.

    Args:
        folder: the folder.
        rung: the rung.
        predictor: the predictor that the fit of the rung's learner returned.

    Raises:
        BadInput: the rung is neither a representation under one of this package's heads nor a few-shot rung.
    """
    if isinstance(predictor, FewShotPredictor):
        return _write_few_shot(folder, rung, predictor)
    if not isinstance(predictor, RepresentationPredictor):
        raise BadInput(f"{rung.name!r} is no representation under a head", mend="name another rung")
    learner = predictor.learner
    if not isinstance(learner.representation, _READABLE):
        raise BadInput(f"{rung.name!r} cannot read new texts", mend="name another rung")
    facts, arrays = head_state(predictor.head)
    if isinstance(learner.representation, TagFeatures):
        facts[SPELLING] = True
    elif learns(learner):
        arrays |= _write_learned(learner.representation, folder)
    _write_arrays(arrays, folder)
    facts |= {"name": full_name(rung), "title": rung.title, "contextual": rung.contextual, "key": files_key(rung)}
    return facts | {name: getattr(learner.run_context, name) for name in ("seed", "long_texts")}


def _write_few_shot(folder: Path, rung: Rung, predictor: FewShotPredictor) -> dict[str, Any]:
    """Write the encoder that a few-shot rung trained and its head; return the facts that `read_rung` needs."""
    from wordworth.models.save_encoder import save as save_encoder

    facts, arrays = head_state(predictor.head)
    save_encoder(predictor.encoder, folder / ENCODER)
    _write_arrays(arrays, folder)
    facts |= {"name": full_name(rung), "title": rung.title, "contextual": True}
    return facts | {"long_texts": predictor.learner.long_texts}


def _write_arrays(arrays: Arrays, folder: Path) -> None:
    (folder / HEAD).write_bytes(save({name: np.ascontiguousarray(values) for name, values in arrays.items()}))


def read_rung(
    folder: Path, metadata: Mapping[str, Any], *, dtype: DtypeOption = "auto", device: str = "cpu"
) -> SavedRung:
    """Read the rung in a folder, and check with one prediction that its parts fit together.

    Args:
        folder: the folder.
        metadata: a mapping with `kind`, `classes`, `second` (whether examples have two texts) and `rung` (the facts
            that `write_rung` returned).
        dtype: dtype of an encoder's computation.
        device: where an encoder computes.

    Raises:
        BadInput: a file is missing or damaged, or the model that the rung reads is not on this machine or has changed.
    """
    facts, arrays = metadata[RUNG], tensors(folder / HEAD)
    long_texts: LongTexts = "cut" if facts.get("long_texts") == "cut" else "window"
    run_context = RunContext(cache=NoCache(), long_texts=long_texts, dtype=dtype, device=device)
    try:
        representation = _learned(folder, facts, arrays, dtype, device)
        rung = SavedRung(representation, head_from(facts, arrays, metadata["kind"]), run_context, metadata["kind"])
        _require_classes(rung, metadata)
    except BadInput:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"this rung is damaged: {error}", where=str(folder), mend=AGAIN) from error
    return rung


def _require_classes(rung: SavedRung, metadata: Mapping[str, Any]) -> None:
    """Check by a prediction that a rung returns a score for each class; that a tagger returns indices of classes.

    Args:
        rung: the rung that was read.
        metadata: the mapping that `read_rung` gets.

    Raises:
        ValueError: the prediction has another form, or the arrays of the rung do not fit each other.
    """
    classes = len(metadata["classes"])
    if task_types.get(metadata["kind"]).labels_words:
        (tags,) = rung.predict(Examples(("a",), words=(("a",),)))
        if not are_class_indices(tags, classes):
            raise ValueError(f"tags beyond {classes} classes")
        return
    scores = np.asarray(rung.predict(Examples(("a",), ("a",) if metadata["second"] else None)))
    if scores.shape[1:] != ((classes,) if classes else ()):
        raise ValueError(f"scores of shape {scores.shape} for {classes} classes")


def _write_learned(representation: Representation, folder: Path) -> Arrays:
    """Write a distilled table, or n-grams, into a folder; return the learned arrays, for the file of the head."""
    if isinstance(representation, Static):
        save_table(representation.table, folder / TABLE)
        return {}
    arrays = Arrays()
    if isinstance(representation, ConcatenatedFeatures):
        for view in representation.dense_names():
            arrays |= scaling_arrays(f"{view}.", representation.scalings[view])
        representation = representation.sparse
    assert isinstance(representation, Tfidf)  # noqa: S101 - by `_READABLE`
    ngrams = representation.learned_ngrams()
    write_text(folder / NGRAMS, json.dumps({part: names for part, (names, _) in ngrams.items()}, ensure_ascii=False))
    return arrays | {f"{part}.idf": idf for part, (_, idf) in ngrams.items()}


def _learned(
    folder: Path, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], dtype: DtypeOption, device: str
) -> Representation:
    """Read the representation in a folder, and load the pretrained model that it needs.

    Args:
        folder: the folder.
        facts: the values that `write_rung` returned.
        arrays: the arrays in the file of the head.
        dtype: dtype of an encoder's computation.
        device: where an encoder computes.

    Raises:
        BadInput: the pretrained model is not on this machine, or has changed.
        ValueError: the folder has a static table in place of the encoder that the rung trained.
    """
    if facts.get(SPELLING):
        return TagFeatures()
    if (folder / TABLE).is_dir():
        return Static(read_static(str(folder / TABLE)), str(facts["name"]), str(facts["title"]))
    if (folder / ENCODER).is_dir():
        # Not by `load_encoder`, which remembers folders by name: another study may have replaced this one.
        encoder = load(str(folder / ENCODER), dtype=dtype, hash_whole=True, device=device)
        if isinstance(encoder, StaticTable):
            raise ValueError("its encoder is a table")
        return Contextual(encoder, str(facts["name"]), str(facts["title"]), key="")
    sparse = _tfidf(folder, arrays) if (folder / NGRAMS).is_file() else None
    if sparse is not None and not facts["contextual"]:
        return sparse
    name, seed = str(facts["name"]), int(facts["seed"])
    loaded = pretrained(name, seed, dtype, device)
    if loaded.key != facts["key"]:
        what = f"the files of {name!r} are not those that this was fitted with"
        raise BadInput(what, where=str(folder), mend="fit it again, or restore the files")
    whole = loaded.learner.representation
    if sparse is None or not isinstance(whole, ConcatenatedFeatures):
        return whole
    scalings = {view: scaling_from(f"{view}.", arrays) for view in whole.dense_names()}
    return replace(whole, sparse=sparse, scalings=scalings)


def _tfidf(folder: Path, arrays: Mapping[str, NDArray[Any]]) -> Tfidf:
    ngrams = read_object(folder / NGRAMS, AGAIN)
    return Tfidf().of_ngrams({part: (ngrams[part], arrays[f"{part}.idf"]) for part in ("words", "characters")})
