"""Bodies of requests as structs, with strict JSON decoding, and JSON encoding of answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeGuard, TypeVar, get_args, get_type_hints

import msgspec

from wordworth.json_file import HALF_A_PAIR, parse_json
from wordworth.serving.request_errors import Refusal

Body = TypeVar("Body", bound=msgspec.Struct)
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT, "minItems": 1}
Texts = Annotated[Any, msgspec.Meta(extra_json_schema={"anyOf": [_TEXT, _TEXTS]})]
"""A text or a list of texts; `require_texts` checks the value, with a clearer error than a type here would give."""
Rows = Annotated[Any, msgspec.Meta(extra_json_schema={"type": ["string", "object", "array"]})]
"""A text, a pair or an object with a file's columns, or a list of these."""
SeveralTexts = Annotated[list[str], msgspec.Meta(extra_json_schema={"minItems": 1})]
Dimensions = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 1})]
FromTheRight = Literal["Right", "right"]
"""The end at which a text is cut; the value `Left` of text-embeddings-inference is refused, not ignored."""
Unsupported = Annotated[bool, msgspec.Meta(extra_json_schema={"enum": [False]})]


class EmbeddingsBody(msgspec.Struct):
    """Body of a request to `/v1/embeddings`, a route of OpenAI's API."""

    input: Texts
    model: str | None = None
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: Dimensions | None = None
    user: str | None = None


class EmbedBody(msgspec.Struct):
    """Body of a request to `/embed`; `prompt_name` names the model's prompt that is put before each text."""

    inputs: Texts
    normalize: bool = True
    truncate: bool | None = None
    truncation_direction: FromTheRight = "Right"
    dimensions: Dimensions | None = None
    prompt_name: str | None = None


class EmbedAllBody(msgspec.Struct):
    """Body of a request to `/embed_all`; the states of tokens are scaled to length 1 only if `normalize` is true."""

    inputs: Texts
    normalize: bool = False
    truncate: bool | None = None
    truncation_direction: FromTheRight = "Right"
    dimensions: Dimensions | None = None
    prompt_name: str | None = None


class PredictBody(msgspec.Struct):
    """Body of a request to `/predict`, whose `inputs` have the shape of text-embeddings-inference.

    The inputs are a text, a pair of texts, or an object with a file's columns; or a list of these.
    """

    inputs: Rows
    raw_scores: Unsupported = False


class RerankBody(msgspec.Struct):
    """Body of a request to `/rerank`; `relevant` is the class of pairs in which the text is relevant to the query."""

    query: str
    texts: SeveralTexts
    raw_scores: Unsupported = False
    return_text: bool = False
    relevant: str | None = None


class TokenizeBody(msgspec.Struct):
    """Body of a request to `/tokenize`, a route of text-embeddings-inference."""

    inputs: Texts
    add_special_tokens: bool = True
    prompt_name: str | None = None


class SimilarityInputs(msgspec.Struct):
    """The inputs of a request to `/similarity`: a text, and the texts to compare it with."""

    source_sentence: str
    sentences: SeveralTexts


class SimilarityParameters(msgspec.Struct):
    """How the texts of a request to `/similarity` are read, as the same fields of `/embed` say."""

    truncate: bool | None = None
    truncation_direction: FromTheRight = "Right"
    prompt_name: str | None = None


class SimilarityBody(msgspec.Struct):
    """Body of a request to `/similarity`, a route of text-embeddings-inference."""

    inputs: SimilarityInputs
    parameters: SimilarityParameters | None = None


def decode(body: bytes, kind: type[Body]) -> Body:
    """Decode the JSON body of a request.

    Args:
        body: the body as UTF-8 bytes.
        kind: the class of the body, to which it is decoded.

    Raises:
        Refusal: the body is not JSON, or a field is missing or of another type.
    """
    if not body.strip():
        raise Refusal("malformed", "the body is empty: it must be JSON in UTF-8")
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at ")
        field = path.strip("`$.") or _named(what)
        choices = _choices(kind, field) if "enum value" in what and field else ()
        hint = f"; give {' or '.join(choices)}" if choices else ""
        raise Refusal("invalid", f"{error}{hint}", param=field) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        why = HALF_A_PAIR if _holds_half_a_pair(body) else error  # msgspec calls that truncated
        raise Refusal("malformed", f"the body is no valid JSON in UTF-8: {why}") from error


def _choices(kind: type[msgspec.Struct], field: str) -> tuple[str, ...]:
    """Return the values that a field may have; `field` is its path, such as `parameters.truncation_direction`."""
    name, _, inner = field.partition(".")
    hint = get_type_hints(kind).get(name)
    if not inner:
        return get_args(hint)
    return next((_choices(each, inner) for each in (hint, *get_args(hint)) if _is_body(each)), ())


def _is_body(hint: object) -> TypeGuard[type[msgspec.Struct]]:
    return isinstance(hint, type) and issubclass(hint, msgspec.Struct)


def _holds_half_a_pair(body: bytes) -> bool:
    try:
        parse_json(body)
    except UnicodeEncodeError:
        return True
    except ValueError:
        return False
    return False


def _named(message: str) -> str | None:
    """Return the field that a message of msgspec names, as in "missing required field `input`"; None without one."""
    _, field, name = message.partition("field `")
    return name.rstrip("`") if field else None


def encode(value: object) -> bytes:
    """Return a value as JSON in UTF-8 bytes."""
    return msgspec.json.encode(value)


def require_texts(value: object, field: str) -> tuple[list[str], bool]:
    """Return the texts of a field that holds a text or a list of texts, and whether it is a list.

    Args:
        value: the value of the field.
        field: name of the field, for the error message.

    Raises:
        Refusal: the field is empty or holds something else, such as token ids, which may be of another vocabulary than
            the model's.
    """
    if isinstance(value, str):
        return [value], False
    if not isinstance(value, list):
        raise Refusal("invalid", f"{field} is neither a text nor a list of texts", param=field)
    if not value:
        raise Refusal("empty", f"{field} is empty", param=field)
    for number, each in enumerate(value):
        if _holds_ids(each):
            what = (
                f"{field} holds token ids, and those of another model's vocabulary would give vectors of other texts: "
                "send the texts (LangChain: OpenAIEmbeddings(check_embedding_ctx_length=False))"
            )
            raise Refusal("invalid", what, param=field)
        if not isinstance(each, str):
            raise Refusal("invalid", f"{field}[{number}] is not a text", param=field)
    return value, True


def _holds_ids(value: object) -> bool:
    """Return whether an item of a list of texts is a token id instead, or a list of these."""
    if isinstance(value, list):
        return all(_holds_ids(each) for each in value)
    return isinstance(value, int) and not isinstance(value, bool)


def require_dimensions(dimensions: int | None, width: int) -> int:
    """Return the number of dimensions of the vectors to answer with.

    Args:
        dimensions: the number that the request asks for; None for all dimensions.
        width: width of the model's vectors.

    Raises:
        Refusal: `dimensions` is less than 1 or more than `width`.
    """
    if dimensions is None:
        return width
    if not 1 <= dimensions <= width:
        what = f"dimensions is {dimensions}; this model's vectors have {width} numbers"
        raise Refusal("invalid", what, param="dimensions")
    return dimensions
