"""Named prompts of an encoder: a prompt is put before each text that is embedded, such as `query: ` before queries.

The names are those of sentence-transformers: `encode_query` there takes the prompt `query`, and `encode_document` the
first of `document`, `passage` and `corpus`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Self, TypeVar

from wordworth.errors import BadInput, nearest_of_few

Role = Literal["query", "document"]
"""Role of a text in a search: the query, or a document that may be found."""
NAMES: Mapping[Role, tuple[str, ...]] = {"query": ("query",), "document": ("document", "passage", "corpus")}
"""Role of a text -> the possible names of its prompt, the preferred name first."""
Model = TypeVar("Model")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompted:
    """The prompts of an encoder.

    Attributes:
        prompt: text put before every text that is embedded; it is not put before texts whose word states are computed.
        prompts: name -> prompt, as the folder of the encoder names them.
    """

    prompt: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)

    def with_prompt(self, name: str) -> Self:
        """Return an encoder that puts the prompt called `name` before every text; this encoder is not changed.

        The prompts and their names come from the model's folder.

        Raises:
            BadInput: the folder names no such prompt.

        >>> load("e5/").with_prompt("query").encode("how long is a marathon?")  # doctest: +SKIP
        """
        if name not in self.prompts:
            raise unknown_prompt(name, self.prompts)
        return replace(self, prompt=self.prompts[name])


def unknown_prompt(name: str, prompts: Mapping[str, str]) -> BadInput:
    """Return the error for a prompt name that the model's folder lacks, with a list of the names in the folder."""
    mend = nearest_of_few(name, prompts) if prompts else "leave it out: this model has no named prompts"
    return BadInput(f"no prompt {name!r:.60}", mend=mend)


def with_prompt_called(name: str | None, model: Model) -> Model:
    """Return a model that puts its prompt called `name` before every text; the model itself if `name` is None.

    Args:
        name: name of the prompt.
        model: an encoder, or a static table, which has no prompts.

    Raises:
        BadInput: the model has no prompt of that name.
    """
    if name is None:
        return model
    if not isinstance(model, Prompted):
        raise unknown_prompt(name, {})
    return model.with_prompt(name)


def prompts_by_role(model: object) -> dict[Role, str]:
    """Return role (query or document) -> its prompt; an empty mapping if the model has a prompt for neither role.

    A query's prompt is the one called `query`; a document's is the first of `document`, `passage` and `corpus` that is
    not empty. If only one role has a prompt, the other role's is an empty text. If the mapping is empty, the model puts
    its default prompt before all texts.

    An empty prompt counts as no prompt, since sentence-transformers writes an empty `query` and an empty `document`
    into every folder. sentence-transformers 6 differs in two ways. It prefers an empty `document` to `passage` and
    `corpus`. Its `encode_query` and `encode_document` never put the default prompt before a text.

    Args:
        model: an encoder, or a static table, which has no prompts.
    """
    known = model.prompts if isinstance(model, Prompted) else {}
    by_role = {role: next((known[name] for name in names if known.get(name)), "") for role, names in NAMES.items()}
    return by_role if any(by_role.values()) else {}


def with_prompt_of(role: Role, prompts: Mapping[Role, str], model: Model) -> Model:
    """Return a model that puts the prompt of a role before every text; the model itself if `prompts` is empty.

    Args:
        role: whether the texts are queries or documents.
        prompts: the prompt of each role, as `prompts_by_role` returns them.
        model: an encoder or a static table.
    """
    return with_prompt_text(prompts[role], model) if prompts else model


def with_prompt_text(prompt: str, model: Model) -> Model:
    """Return a model that puts `prompt` before every text; a static table, which has no prompt, is returned as is."""
    return replace(model, prompt=prompt) if isinstance(model, Prompted) else model


def prompt_before(model: object) -> str:
    """Return the prompt that a model puts before every text; empty for a static table."""
    return model.prompt if isinstance(model, Prompted) else ""
