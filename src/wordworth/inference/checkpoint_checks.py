"""`doctor`: a checkpoint proves that it is what it claims to be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.models.batched_inference import Floats
from wordworth.models.pooling import Dense
from wordworth.models.read_encoder import read_encoder
from wordworth.models.reference_outputs import Golden, goldens
from wordworth.models.sentence_transformers_format import SentenceSettings, read_sentence_settings
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.weight_files import weight_files
from wordworth.sources import digest, resolve
from wordworth.text.tokenizer_protocol import TokenizerProtocol

TOLERANCE = 1e-5
_CASED_SHARE = 1e-3
"""An uncased vocabulary may hold a few odd capitals; a cased one holds thousands."""
_BLANK = "\u0120"  # how byte pairs write a leading space: a capital letter to Unicode
_MARKS = {"gpt2": ("eos",), "elmo": ("bos", "eos")}
_FRAMED = ("unk", "cls", "sep")
"""Of a GPT that reads texts as BERT does, between [CLS] and [SEP]: one of `wordworth pretrain`."""
_BERT_MARKS = ("unk", "cls", "sep", "pad", "mask")
_TEXTS = ("a short one", "The bank by the river was steep.", "", "one, two; three " * 9, "She said: no!")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at, whether it is as it should be, and what was seen."""

    name: str
    passed: bool
    detail: str


def doctor(name_or_folder: str | Path) -> list[Check]:
    """Everything that can be proven of an encoder's checkpoint, one check each.

    A checkpoint too broken to load gives one failed check that says why.

    Raises:
        BadInput: the name stands for nothing, or for something else than an encoder.
    """
    found = resolve(str(name_or_folder))
    if found.kind != "encoder":
        raise BadInput(f"{found.name!r} is no encoder ({found.kind})", mend="doctor proves encoders")
    try:
        encoder = read_encoder(found.folder, name="" if found.place == "folder" else found.name)
    except BadInput as error:
        return [Check("loads", passed=False, detail=str(error))]
    settings = read_sentence_settings(found.folder)
    known = _known("" if found.place == "folder" else found.name, settings.home)
    return [
        _bytes(settings.home),
        Check("loads", passed=True, detail="config, tensors and tokenizer fit; every shape is as the config says"),
        *(check(encoder) for check in (_tensors, _finite_weights, _special_ids, _casing, _window)),
        _pooling(encoder, settings),
        *_answers(encoder, known),
    ]


def _bytes(folder: Path) -> Check:
    seen = ", ".join(f"{path.name} SHA-256 {digest(path)}" for path in weight_files(folder))
    return Check("bytes", passed=True, detail=seen)


def _tensors(encoder: TextEncoder) -> Check:
    """Each tensor of the files is used once, is a head's, or is a known buffer; none is left over."""
    names = encoder.checkpoint.names
    parts = [f"{len(names.loaded)} used once"]
    parts += [f"{len(names.heads)} of heads left aside"] if names.heads else []
    parts += [f"buffer left aside: {', '.join(names.ignored)}"] if names.ignored else []
    parts += [f"not understood: {', '.join(names.unexpected[:5])}"] if names.unexpected else []
    return Check("tensors", passed=not names.unexpected, detail="; ".join(parts))


def _finite_weights(encoder: TextEncoder) -> Check:
    bad = [name for name, tensor in encoder.model.state_dict().items() if not tensor.isfinite().all()]
    return Check("weights are numbers", passed=not bad, detail=f"NaN or infinity in {bad[:3]}" if bad else "all finite")


def _special_ids(encoder: TextEncoder) -> Check:
    """Every mark that the family needs is in the vocabulary."""
    ids = encoder.tokenizer.special_ids
    family = encoder.checkpoint.family.model_types[0]
    needed = _FRAMED if family == "gpt2" and "sep" in ids else _MARKS.get(family, _BERT_MARKS)
    missing = [role for role in needed if role not in ids]
    detail = f"missing: {', '.join(missing)}" if missing else ", ".join(f"{role} {ids[role]}" for role in needed)
    return Check("special ids", passed=not missing, detail=detail)


def _casing(encoder: TextEncoder) -> Check:
    """A tokenizer that keeps capitals needs a vocabulary that has some, and the reverse."""
    capitals, pieces = _pieces_with_capitals(encoder.tokenizer), encoder.tokenizer.vocab_size
    said = "uncased" if encoder.tokenizer.lowercase else "cased"
    detail = f"the tokenizer is {said}, {capitals} of {pieces} pieces have capitals"
    return Check("casing", passed=encoder.tokenizer.lowercase == (capitals < _CASED_SHARE * pieces), detail=detail)


def _pieces_with_capitals(tokenizer: TokenizerProtocol) -> int:
    marks = set(tokenizer.special_tokens.values())
    found = (tokenizer.token(number) for number in range(tokenizer.vocab_size))
    plain = (piece.lstrip(_BLANK) for piece in found if piece not in marks and not piece.startswith("[unused"))
    return sum(piece != piece.lower() for piece in plain)


def _window(encoder: TextEncoder) -> Check:
    possible = encoder.model.config.max_length
    detail = f"{encoder.max_length} tokens are read at once, {possible} are possible; longer texts are windowed"
    return Check("window", passed=encoder.frame.capacity > 0, detail=detail)


def _pooling(encoder: TextEncoder, settings: SentenceSettings) -> Check:
    """How tokens become a sentence vector: what the folder says, and whether its maps fit.

    A language model's folder says nothing and lacks nothing.
    """
    if not settings.found:
        return Check("pooling", passed=True, detail="no modules.json says; the mean over tokens is taken")
    modes = " beside ".join(encoder.head.modes)
    steps = [type(step).__name__.lower() for step in encoder.head.steps]
    width = encoder.model.width * len(encoder.head.modes)
    for step in encoder.head.steps:
        if isinstance(step, Dense):
            if step.weight.shape[1] != width:
                detail = f"a dense map takes {step.weight.shape[1]} numbers, {width} come"
                return Check("pooling", passed=False, detail=detail)
            width = len(step.weight)
    return Check("pooling", passed=True, detail=" then ".join([modes, *steps]) + f", {width} numbers")


def _known(name: str, folder: Path) -> Golden | None:
    """The stored vectors for a checkpoint of this name in the catalogue, or these bytes."""
    hashes = {digest(path) for path in weight_files(folder)}
    return next((golden for golden in goldens() if golden.name == name or golden.weights in hashes), None)


def _answers(encoder: TextEncoder, golden: Golden | None) -> Iterator[Check]:
    """What it says of texts; of vectors that are no numbers, that alone."""
    try:
        vectors = encoder.encode(_TEXTS, long_texts="window")
    except BadInput as error:
        yield Check("vectors", passed=False, detail=error.what)
        return
    yield from _golden(encoder, golden)
    yield _company(encoder, vectors)
    yield _different(vectors)


def _golden(encoder: TextEncoder, golden: Golden | None) -> Iterator[Check]:
    """Ids exactly, vectors within the tolerance of float32."""
    if golden is None:
        return
    texts = [entry.text for entry in golden.texts]
    ids = [tokens.ids.tolist() for tokens in encoder.tokenizer.encode(texts)]
    wrong = [entry.text for entry, found in zip(golden.texts, ids, strict=True) if entry.ids != found]
    detail = f"other ids for {wrong[0]!r}" if wrong else f"the ids of {golden.name} for {len(texts)} texts"
    yield Check("token ids", passed=not wrong, detail=detail)
    vectors = encoder.encode(texts, long_texts="window")
    apart = max(
        abs(value - float(vector[place]))
        for entry, vector in zip(golden.texts, vectors, strict=True)
        for place, value in entry.vector.items()
    )
    made = ", ".join(f"{package} {version}" for package, version in golden.made_with.items())
    detail = f"at most {apart:.1e} from those of {golden.name} by {made}"
    yield Check("golden vectors", passed=apart <= TOLERANCE, detail=detail)


def _company(encoder: TextEncoder, together: Floats) -> Check:
    """A text's vector is the same alone and beside others."""
    alone = np.concatenate([encoder.encode([text], long_texts="window") for text in _TEXTS])
    apart = float(np.abs(together - alone).max()) / max(1.0, float(np.abs(together).max()))
    return Check("company", passed=apart <= TOLERANCE, detail=f"alone and together {apart:.1e} apart")


def _different(vectors: Floats) -> Check:
    """Different texts give different vectors."""
    apart = float(np.abs(vectors[0] - vectors[1]).max())
    return Check("vectors", passed=apart > TOLERANCE, detail=f"different texts are {apart:.2g} apart")
