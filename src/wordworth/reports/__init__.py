"""Rendering of a `Record` as one self-contained HTML page, by the page that is registered for its kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jinja2 import UndefinedError

from wordworth.errors import BadInput
from wordworth.records import Record, read
from wordworth.registry import Registry
from wordworth.reports.captions import with_captions

Page = Callable[[Record], str]
"""Turns a record into one HTML document."""
PAGES: Registry[Page] = Registry(
    "page for records of kind",
    group="wordworth.reports",
    builtin={
        "worth": "wordworth.reports.worth:page",
        "finetune": "wordworth.reports.finetune:page",
        "context": "wordworth.reports.contextuality:page",
        "senses": "wordworth.reports.senses:page",
        "words": "wordworth.reports.word_benchmarks:page",
        "similarity": "wordworth.reports.similarity:page",
        "attention": "wordworth.reports.attention:page",
        "neighbours": "wordworth.reports.neighbours:page",
        "relations": "wordworth.reports.syntactic_relations:page",
        "syntax": "wordworth.reports.syntax:page",
        "patterns": "wordworth.reports.attention_patterns:page",
        "heads": "wordworth.reports.heads:page",
        "layers": "wordworth.reports.probed_layers:page",
        "shrink": "wordworth.reports.shrink:page",
        "prune": "wordworth.reports.prune:page",
        "cascade": "wordworth.reports.cascade:page",
        "sentences": "wordworth.reports.sentences:page",
        "languages": "wordworth.reports.languages:page",
        "train_sentences": "wordworth.reports.train_sentences:page",
        "knowledge_graph": "wordworth.reports.knowledge_graph:page",
        "distill": "wordworth.reports.distill:page",
        "finetuning": "wordworth.reports.finetuning_changes:page",
        "codes": "wordworth.reports.medical_codes:page",
        "crossmodal": "wordworth.reports.crossmodal:page",
        "entities": "wordworth.reports.entities:page",
        "commonsense": "wordworth.reports.commonsense:page",
        "plan": "wordworth.reports.labelling_plan:page",
        "adaptation": "wordworth.reports.adaptation:page",
        "corpus_map": "wordworth.reports.corpus_map:page",
        "codebook": "wordworth.reports.generic_page:page",
        "preregistration": "wordworth.reports.generic_page:page",
        "evaluate": "wordworth.reports.generic_page:page",
        "minimal_pairs": "wordworth.reports.generic_page:page",
    },
)
"""The page of each kind of record."""
_RECORD_ERRORS = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    StopIteration,
    RuntimeError,
    UndefinedError,
)
"""What is raised where a value in a record has another type than its page expects."""


def register(kind: str, page: Page) -> None:
    """Register the function that `render` calls to make the page of records of one kind.

    Raises:
        BadInput: another page is registered for the kind.
    """
    PAGES.register(kind, page)


def render(record: Record) -> str:
    """Return the page of a record: one HTML document that opens offline and loads nothing from elsewhere.

    Every string of the record is escaped. The page is the same before and after the record is saved and read; only
    attention maps are missing afterwards, as the file does not hold them. A record of a kind without a registered page
    gets a page with its findings and tables.

    Raises:
        BadInput: the record lacks what its kind must have.
    """
    try:
        return _page(record.kind)(with_captions(record))
    except KeyError as error:
        mend = "run the study again with this version"
        raise BadInput(f"this {record.kind} record lacks {error}", where="record", mend=mend) from error


def _page(kind: str) -> Page:
    if kind in PAGES.names():
        return PAGES.get(kind)
    from wordworth.reports.generic_page import page_of_unknown_kind

    return page_of_unknown_kind


def render_file(path: Path) -> str:
    """Return the page of a record's file.

    Anybody may have edited the file, and an unexpected value can make any part of a page fail. Every such failure is
    therefore reported as a fault of the file, whereas `render`, which studies call, keeps the traceback of a bug.

    Raises:
        BadInput: the file is not a record, is damaged, or has content that a record of its kind never has.
    """
    record = read(path)
    try:
        return render(record)
    except BadInput as error:
        raise BadInput(error.what, where=str(path), mend=error.mend) from error
    except _RECORD_ERRORS as error:
        what = f"no page can be made from the content of this {record.kind:.40} record"
        message = f"{what} ({type(error).__name__}: {error!s:.200})"
        raise BadInput(message, where=str(path), mend="run the study again with this version") from error
