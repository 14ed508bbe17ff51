"""`Refusal`: the error of a request, with the HTTP status and body that clients of OpenAI and of TEI expect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "malformed", "invalid", "empty", "key", "unknown_model", "unknown_route", "wrong_method",
    "too_large", "wrong_model", "overloaded", "unhealthy", "late", "failed",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Forms:
    """The HTTP status of a kind of refusal, its `type` and `code` in OpenAI's errors, its `error_type` in TEI's."""

    status: int
    openai: str
    code: str
    tei: str


_FORMS: dict[Kind, _Forms] = {
    "malformed": _Forms(400, "invalid_request_error", "malformed_json", "Validation"),
    "invalid": _Forms(422, "invalid_request_error", "invalid_value", "Validation"),
    "empty": _Forms(422, "invalid_request_error", "empty_input", "Empty"),
    "key": _Forms(401, "invalid_request_error", "invalid_api_key", "Unauthorized"),
    "unknown_model": _Forms(404, "invalid_request_error", "model_not_found", "Validation"),
    "unknown_route": _Forms(404, "invalid_request_error", "unknown_url", "Validation"),
    "wrong_method": _Forms(405, "invalid_request_error", "method_not_allowed", "Validation"),
    "too_large": _Forms(413, "invalid_request_error", "request_too_large", "Validation"),
    "wrong_model": _Forms(424, "invalid_request_error", "wrong_model_type", "Backend"),
    "overloaded": _Forms(429, "rate_limit_error", "queue_full", "Overloaded"),
    "unhealthy": _Forms(503, "server_error", "not_ready", "Unhealthy"),
    "late": _Forms(504, "server_error", "deadline_passed", "Overloaded"),
    "failed": _Forms(500, "server_error", "internal_error", "Backend"),
}


def status_of(kind: Kind) -> int:
    """Return the HTTP status of a kind of refusal."""
    return _FORMS[kind].status


class Refusal(Exception):
    """The error with which a request is answered.

    Args:
        kind: kind of error, which decides the HTTP status and the clients' error types.
        message: the error in words for the caller.
        param: name of the wrong field of the request; None if it is not about a field.
        retry_after: seconds after which the same request may succeed; None if it will not.
    """

    def __init__(self, kind: Kind, message: str, *, param: str | None = None, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.kind, self.message, self.param, self.retry_after = kind, message, param, retry_after

    @property
    def status(self) -> int:
        """The HTTP status."""
        return status_of(self.kind)

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the answer: when to try again, and how to authenticate."""
        headers = {} if self.retry_after is None else {"retry-after": str(self.retry_after)}
        if self.kind == "key":
            headers["www-authenticate"] = "Bearer"
        return headers

    def as_openai(self) -> dict[str, object]:
        """Return the body of the error in the form of OpenAI's API."""
        form = _FORMS[self.kind]
        return {"error": {"message": self.message, "type": form.openai, "param": self.param, "code": form.code}}

    def as_tei(self) -> dict[str, object]:
        """Return the body of the error in the form of text-embeddings-inference."""
        return {"error": self.message, "error_type": _FORMS[self.kind].tei}
