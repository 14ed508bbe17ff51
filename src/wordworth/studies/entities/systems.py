"""The systems that are compared: a model fine-tuned on the same rows with their links, exchanged links, or no links."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.sentence_formatting import count_of
from wordworth.tasks.task import Task
from wordworth.text.entity_links import Mention, parse_links, write_links

LINKED, SHUFFLED, UNLINKED, CONTROL = "linked", "shuffled", "unlinked", "control"
SYSTEMS: Mapping[str, str] = {
    LINKED: "the model with the links of the texts",
    SHUFFLED: "the model with every entity exchanged for another, the same one everywhere",
    UNLINKED: "the model without entities",
    CONTROL: "the other model without entities",
}
"""Each system, in words; markers of mentions stay in all of them."""


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """The numbers of links in the training or the test rows.

    Attributes:
        part: train or test.
        rows: number of rows.
        linked_rows: number of rows with at least one entity.
        mentions: number of mentions with an entity.
        entities: number of different entities.
        unseen: number of different entities that no training row has; 0 for the training rows.
    """

    part: str
    rows: int
    linked_rows: int
    mentions: int
    entities: int
    unseen: int


def texts_of(task: Task) -> list[tuple[str, ...]]:
    """Return the texts of each row: one, or both of a pair.

    Raises:
        BadInput: the task tags words, chooses among options or answers questions.
    """
    examples = task.examples
    if examples.words is not None or examples.options is not None or task.type.name == "question_answering":
        mend = "give rows of texts or pairs with classes, several labels or numbers"
        raise BadInput(f"entities are measured on texts, and this is {task.type.name.replace('_', ' ')}", mend=mend)
    second = examples.second
    return list(zip(examples.first, strict=True) if second is None else zip(examples.first, second, strict=True))


def entities_of(texts: Sequence[str]) -> list[str]:
    """Return the entities of the mentions in texts, in order; mentions without an entity are left out."""
    return [mention.entity for text in texts for mention in parse_links(text).mentions if mention.entity]


def exchanged(entities: Sequence[str], seed: int) -> dict[str, str]:
    """Return entity -> the other entity that takes its place: the next one in a random cycle through all entities.

    Args:
        entities: the entities; repeated ones are taken once.
        seed: seed of the cycle.

    Raises:
        BadInput: there are fewer than two different entities.
    """
    distinct = sorted(set(entities))
    if len(distinct) < 2:  # noqa: PLR2004 - an exchange takes two
        mend = "put links such as [[entity|mention]] into them by `wordworth kg link`"
        raise BadInput(f"the texts link to {count_of(len(distinct), 'entity', 'entities')}", mend=mend)
    order = seeds.child(seed, "entities", "exchange").permutation(len(distinct))
    return {distinct[each]: distinct[other] for each, other in zip(order, np.roll(order, 1), strict=True)}


def task_of(system: str, task: Task, seed: int) -> Task:
    """Return the task with the entity links that a system reads: the links of the texts, exchanged links, or no links.

    Args:
        system: name of the system, a key of `SYSTEMS`.
        task: the task, with links in its texts.
        seed: seed of the exchange of entities.
    """
    if system == LINKED:
        return task
    every = [text for texts in texts_of(task) for text in texts]
    exchange = exchanged(entities_of(every), seed) if system == SHUFFLED else None
    change = _changing(lambda entity: "" if exchange is None or not entity else exchange[entity])
    second = task.examples.second
    first = tuple(map(change, task.examples.first))
    changed = replace(task.examples, first=first, second=None if second is None else tuple(map(change, second)))
    return replace(task, examples=changed)


def _changing(entity_of: Callable[[str], str]) -> Callable[[str], str]:
    def change(text: str) -> str:
        linked = parse_links(text)
        mentions = [replace(mention, entity=entity_of(mention.entity)) for mention in linked.mentions]
        return write_links(linked.text, [mention for mention in mentions if _says_something(mention)])

    return change


def _says_something(mention: Mention) -> bool:
    return bool(mention.entity or mention.marker)


def link_counts(task: Task) -> list[LinkCounts]:
    """Return the numbers of rows, mentions and entities in the training rows and in the test rows."""
    texts, learned, counts = texts_of(task), set[str](), list[LinkCounts]()
    for part, rows in (("train", task.train), ("test", task.test)):
        by_row = [entities_of(texts[row]) for row in rows]
        distinct = {entity for entities in by_row for entity in entities}
        unseen = 0 if part == "train" else len(distinct - learned)
        numbers = sum(map(bool, by_row)), sum(map(len, by_row)), len(distinct), unseen
        counts.append(LinkCounts(part, len(rows), *numbers))
        learned |= distinct
    return counts
