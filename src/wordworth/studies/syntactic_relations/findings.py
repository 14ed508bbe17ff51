"""The findings of the study `relations`: relations that have an attention head, warnings and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, join_words, passing_by_chance, percent
from wordworth.studies.syntactic_relations.coreference import coreference_sentence
from wordworth.studies.syntactic_relations.correct_attachment_counts import ALL
from wordworth.studies.syntactic_relations.probe_findings import probe_warnings, published_order
from wordworth.studies.treebank_sample import FEW_DOCUMENTS, sample_warnings

Row = Mapping[str, Any]
_MOST_NAMED = 3


def verdict(tables: Mapping[str, Table], fewest: int) -> Finding:
    """Return the finding `verdict`: the number of relations for which an attention head beats a fixed offset.

    Args:
        tables: tables of the study.
        fewest: least number of words that a relation needs in each half of the documents.
    """
    every = tables["relations"].rows()
    rows = [row for row in every if row["relation"] != ALL]
    leading = [row for row in rows if row["ahead"]]
    named = f"{len(leading)} of {count_of(len(rows), 'relation')}" if leading else "No relation"
    headline = f"{named} {'have a head of their' if len(leading) > 1 else 'has a head of its'} own."
    if not rows:
        headline = f"No relation has {fewest} words in both halves, so that none was measured."
    explanation = (
        "A relation has one where its best attention head, chosen on the other half of the text, finds more syntactic "
        "heads than the best fixed offset, beyond what so many relations would show by luck."
    )
    sentences = [explanation]
    if best := sorted(leading, key=lambda row: -row["gap"])[:_MOST_NAMED]:
        sentences.append(f"The largest leads: {join_words([_leading(row) for row in best])}.")
    sentences += [_whole(row) for row in every if row["relation"] == ALL]
    random = sum(row["random_ahead"] for row in rows)
    if rows:
        sentences.append(
            f"With random weights {random} of {len(rows)} are ahead; were no head better than the offset, "
            f"{passing_by_chance(len(rows), 0.025)}."
        )
    numbers: dict[str, Any] = {"headline": headline, "ahead": len(leading), "relations": len(rows)}
    if "probes" in tables:
        order = published_order(tables)
        sentences.append(order.sentence)
        numbers |= {"probe_steps": order.steps, "probe_steps_held": order.steps_above}
    if "coreference" in tables:
        sentences += [coreference_sentence(row) for row in tables["coreference"].rows()]
    return Finding("verdict", "\n".join(sentences), numbers)


def _leading(row: Row) -> str:
    where = f"layer {row['layer']}, head {row['head']}"
    return f"{row['relation']} {percent(row['accuracy'])} ({where}; offset {percent(row['offset_accuracy'])})"


def _whole(row: Row) -> str:
    return (
        f"Of all words but punctuation the best single head finds {percent(row['accuracy'])} of the syntactic heads, "
        f"the best offset {percent(row['offset_accuracy'])}."
    )


def warnings(tables: Mapping[str, Table], facts: Mapping[str, int]) -> Iterator[Finding]:
    """Yield the warnings: sentences left out, relations that random weights find too, what attention does not show.

    Args:
        tables: the tables of the record.
        facts: the description of the sample of sentences.
    """
    yield from sample_warnings(facts)
    random = [row["relation"] for row in tables["relations"].rows() if row["random_ahead"]]
    if random:
        text = (
            f"An encoder with random weights is ahead of the offset too on {join_words(random)}: what is found there "
            "need not have been learned."
        )
        yield Finding("warning.random", text, {"relations": random})
    if "probes" in tables:
        yield from probe_warnings(tables)
    text = (
        "A head that points along a relation need not be what the model uses: attention shows where it reads, not why."
    )
    yield Finding("warning.attention", text)


def method(facts: Mapping[str, int], relations: Sequence[str], fewest: int) -> Iterator[Finding]:
    """Yield the findings that say how each kind of number of a `relations` record was computed.

    Args:
        facts: the description of the sample of sentences.
        relations: names of the relations.
        fewest: least number of words that a relation needs in each half of the documents.
    """
    yield Finding(
        "method.maps",
        "Each attention head is read in two directions: for each word the word that it attends to most, or the word "
        "that attends most to it. Attention to a split word is the sum over its pieces, attention from it the mean; "
        "special tokens and the word itself are left out (Clark et al. 2019).",
    )
    over = "sentence" if facts["documents"] < FEW_DOCUMENTS else "document"
    yield Finding(
        "method.halves",
        f"Heads and offsets are chosen on half of the {count_of(facts[over + 's'], over)} and measured on the "
        f"other. Intervals are 95 % bootstrap intervals over {over}s; a head counts as ahead where the interval of "
        "the difference, at a level corrected for the number of relations, lies above 0.",
    )
    counted = f"{len(relations) - 1} relations are in the sentences"
    text = f"{counted}; those with fewer than {fewest} words in either half are left out."
    yield Finding("method.relations", text)
