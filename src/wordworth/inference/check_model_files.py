"""`check_checkpoint`: check that the files of an encoder's checkpoint are complete and consistent with each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.files import as_path
from wordworth.models.batched_inference import Floats
from wordworth.models.pooling import Dense
from wordworth.models.read_encoder import read_encoder
from wordworth.models.reference_outputs import Reference, references
from wordworth.models.sentence_transformers_format import SentenceSettings, read_sentence_settings
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.weight_files import weight_files
from wordworth.sources import digest, resolve
from wordworth.text.tokenizer_protocol import TokenizerProtocol

TOLERANCE = 1e-5
_CASED_SHARE = 1e-3
"""Share of pieces with capital letters above which a vocabulary is cased; an uncased one may hold a few odd capitals.
"""
_SPACE_PREFIX = "\u0120"  # how byte-level BPE writes a leading space; Unicode counts it as a capital letter
_TEXTS = ("a short one", "The bank by the river was steep.", "", "one, two; three " * 9, "She said: no!")


@dataclass(frozen=True, slots=True)
class Check:
    """Result of one check of a checkpoint.

    Attributes:
        name: name of the check.
        passed: whether the checkpoint passed the check.
        detail: a sentence on the values that the check compared.
    """

    name: str
    passed: bool
    detail: str


def check_checkpoint(model: str | Path) -> list[Check]:
    """Run every check of the checkpoint of an encoder, and return the result of each.

    If the checkpoint cannot be loaded, the list has a single failed check that says why.

    Args:
        model: name or folder of the encoder.

    Raises:
        BadInput: there is no model of that name, or it is not an encoder.
    """
    as_path(model, "model")
    resolved = resolve(str(model))
    if resolved.kind != "encoder":
        raise BadInput(f"{resolved.name!r} is not an encoder ({resolved.kind})", mend="doctor checks encoders only")
    try:
        encoder = read_encoder(resolved.folder, name="" if resolved.location == "folder" else resolved.name)
    except BadInput as error:
        return [Check("loads", passed=False, detail=str(error))]
    settings = read_sentence_settings(resolved.folder)
    reference = _reference_of("" if resolved.location == "folder" else resolved.name, settings.home)
    return [
        _weight_hashes(settings.home),
        Check("loads", passed=True, detail="config, tensors and tokenizer fit; every shape is that of the config"),
        *(check(encoder) for check in (_tensors, _finite_weights, _special_ids, _casing, _window)),
        _pooling(encoder, settings),
        *_vector_checks(encoder, reference),
    ]


def _weight_hashes(folder: Path) -> Check:
    seen = ", ".join(f"{path.name} SHA-256 {digest(path)}" for path in weight_files(folder))
    return Check("bytes", passed=True, detail=seen)


def _tensors(encoder: TextEncoder) -> Check:
    """Check that each tensor of the files is used once, belongs to a head, or is a known buffer; none is left over."""
    names = encoder.checkpoint.names
    parts = [f"{len(names.loaded)} used once"]
    parts += [f"{len(names.heads)} head tensors ignored"] if names.heads else []
    parts += [f"buffers ignored: {', '.join(names.ignored)}"] if names.ignored else []
    parts += [f"unknown: {', '.join(names.unexpected[:5])}"] if names.unexpected else []
    return Check("tensors", passed=not names.unexpected, detail="; ".join(parts))


def _finite_weights(encoder: TextEncoder) -> Check:
    bad = [name for name, tensor in encoder.model.state_dict().items() if not tensor.isfinite().all()]
    return Check("weights are numbers", passed=not bad, detail=f"NaN or infinity in {bad[:3]}" if bad else "all finite")


def _special_ids(encoder: TextEncoder) -> Check:
    """Check that the vocabulary has every special token that the family needs."""
    ids = encoder.tokenizer.special_ids
    needed = encoder.checkpoint.family.special_roles(ids)
    missing = [role for role in needed if role not in ids]
    detail = f"missing: {', '.join(missing)}" if missing else ", ".join(f"{role} {ids[role]}" for role in needed)
    return Check("special ids", passed=not missing, detail=detail)


def _casing(encoder: TextEncoder) -> Check:
    """Check that the vocabulary has capitals if, and only if, the tokenizer keeps them."""
    capitals, pieces = _pieces_with_capitals(encoder.tokenizer), encoder.tokenizer.vocab_size
    casing = "uncased" if encoder.tokenizer.lowercase else "cased"
    detail = f"the tokenizer is {casing}, {capitals} of {pieces} pieces have capitals"
    return Check("casing", passed=encoder.tokenizer.lowercase == (capitals < _CASED_SHARE * pieces), detail=detail)


def _pieces_with_capitals(tokenizer: TokenizerProtocol) -> int:
    special_tokens = set(tokenizer.special_tokens.values())
    pieces = (tokenizer.token(piece_id) for piece_id in range(tokenizer.vocab_size))
    ordinary = (
        piece.lstrip(_SPACE_PREFIX)
        for piece in pieces
        if piece not in special_tokens and not piece.startswith("[unused")
    )
    return sum(piece != piece.lower() for piece in ordinary)


def _window(encoder: TextEncoder) -> Check:
    possible = encoder.model.config.max_length
    detail = f"{encoder.max_length} tokens are read at once, {possible} are possible; longer texts are windowed"
    return Check("window", passed=encoder.window.capacity > 0, detail=detail)


def _pooling(encoder: TextEncoder, settings: SentenceSettings) -> Check:
    """Check that the pooling which the folder specifies is known, and that the shapes of its dense layers fit.

    The folder of a language model specifies none, which is no fault.
    """
    if not settings.exists:
        return Check("pooling", passed=True, detail="no modules.json; the mean over tokens is taken")
    modes = " beside ".join(encoder.head.modes)
    steps = [type(step).__name__.lower() for step in encoder.head.steps]
    width = encoder.model.width * len(encoder.head.modes)
    for step in encoder.head.steps:
        if isinstance(step, Dense):
            if step.weight.shape[1] != width:
                detail = f"a dense layer expects {step.weight.shape[1]} inputs, but gets {width}"
                return Check("pooling", passed=False, detail=detail)
            width = len(step.weight)
    return Check("pooling", passed=True, detail=" then ".join([modes, *steps]) + f", {width} numbers")


def _reference_of(name: str, folder: Path) -> Reference | None:
    """Return the stored reference of the checkpoint with this catalogue name or weights; None if there is none."""
    hashes = {digest(path) for path in weight_files(folder)}
    return next(
        (reference for reference in references() if reference.name == name or reference.weights in hashes), None
    )


def _vector_checks(encoder: TextEncoder, reference: Reference | None) -> Iterator[Check]:
    """Check the vectors of texts; if they are not finite, yield only that failure."""
    try:
        vectors = encoder.encode(_TEXTS, long_texts="window")
    except BadInput as error:
        yield Check("vectors", passed=False, detail=error.what)
        return
    yield from _reference_checks(encoder, reference)
    yield _batch_invariance(encoder, vectors)
    yield _distinct_vectors(vectors)


def _reference_checks(encoder: TextEncoder, reference: Reference | None) -> Iterator[Check]:
    """Compare with the stored reference: ids exactly, vectors within the tolerance of float32."""
    if reference is None:
        return
    texts = [entry.text for entry in reference.texts]
    ids = [tokens.ids.tolist() for tokens in encoder.tokenizer.encode(texts)]
    mismatches = [entry.text for entry, actual_ids in zip(reference.texts, ids, strict=True) if entry.ids != actual_ids]
    detail = (
        f"different ids for {mismatches[0]!r}" if mismatches else f"the ids of {reference.name} for {len(texts)} texts"
    )
    yield Check("token ids", passed=not mismatches, detail=detail)
    vectors = encoder.encode(texts, long_texts="window")
    difference = max(
        abs(value - float(vector[position]))
        for entry, vector in zip(reference.texts, vectors, strict=True)
        for position, value in entry.vector.items()
    )
    versions = ", ".join(f"{package} {version}" for package, version in reference.made_with.items())
    detail = f"within {difference:.1e} of those of {reference.name} by {versions}"
    yield Check("reference vectors", passed=difference <= TOLERANCE, detail=detail)


def _batch_invariance(encoder: TextEncoder, together: Floats) -> Check:
    """Check that a text's vector is the same alone and in a batch with others."""
    alone = np.concatenate([encoder.encode([text], long_texts="window") for text in _TEXTS])
    difference = float(np.abs(together - alone).max()) / max(1.0, float(np.abs(together).max()))
    return Check(
        "company", passed=difference <= TOLERANCE, detail=f"alone and in a batch they differ by {difference:.1e}"
    )


def _distinct_vectors(vectors: Floats) -> Check:
    """Check that different texts give different vectors."""
    difference = float(np.abs(vectors[0] - vectors[1]).max())
    return Check(
        "vectors", passed=difference > TOLERANCE, detail=f"those of different texts differ by {difference:.2g}"
    )
