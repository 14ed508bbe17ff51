"""Links to entities inside a text: `[[entity|mention]]`, as wikis write them, with a marker where a task needs one.

    The [[HD:Q7259|countess]] worked with [[TL:Q46633|Babbage]] in [[Q84|London]].

`HD:` and `TL:` mark the head and the tail of a relation, `ENT:` the mention whose type is asked for; a mention may have
a marker and no entity (`[[ENT:|her]]`). The marks and identifiers are no part of what a model reads as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.sentence_formatting import some_of

ENTITY = "entity"
"""Name of the feature that holds, for each token, the row of its entity in a table of vectors."""
NO_ENTITY = -1
"""Value of the feature `ENTITY` for a token without entity."""
MARKERS = {"HD": "[HD]", "TL": "[TL]", "ENT": "[ENT]"}
"""Marker of a mention -> the special token that is put before and after the mention."""
_LINK = re.compile(rf"\[\[(?:({'|'.join(MARKERS)}):)?([^\[\]|\n]*)\|((?:(?!\[\[|\]\])[^\n])+)\]\]")
_OPENED = re.compile(r"\[\[[^\[\]|\s]+\|")
"""The beginning of a link, whether or not the link ends."""
_RESERVED = re.compile(r"[\[\]|\n]")


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of an entity: the part of a text that a link to the entity marks.

    Attributes:
        start: the first character of the mention in the text without link markup.
        end: the character after the mention's last, in the text without link markup.
        entity: the identifier of the entity; empty if it is unknown.
        marker: a key of `MARKERS`: `HD` or `TL` for the head or the tail of a relation, `ENT` for a mention whose type
            is asked for; empty for none of these.
    """

    start: int
    end: int
    entity: str
    marker: str = ""


@dataclass(frozen=True, slots=True)
class LinkedText:
    """A text without its link markup, and the mentions of entities that the links marked.

    Attributes:
        text: the text without link markup.
        mentions: the mentions in order; they do not overlap.
        source: int64 [characters + 1], the index of each character of `text` in the text with markup; the last entry is
            the length of the text with markup.
    """

    text: str
    mentions: tuple[Mention, ...]
    source: NDArray[np.int64]


def entities_key(entities: Iterable[str]) -> str:
    """Return a hash of a sequence of entity identifiers, 32 hexadecimal digits."""
    return content_key(*entities)


def can_be_linked(entity: str) -> bool:
    """Return whether an identifier has none of the characters [ ] | and line end, so that a link can hold it."""
    return not _RESERVED.search(entity)


def parse_links(text: str) -> LinkedText:
    """Remove the link markup from a text, and return the text with its mentions.

    >>> parse_links("in [[Q84|London]].").mentions
    (Mention(start=3, end=9, entity='Q84', marker=''),)
    """
    parts, sources, mentions, end, length = list[str](), [np.zeros(0, np.int64)], list[Mention](), 0, 0
    for match in _LINK.finditer(text):
        marker, entity, mention = match.groups()
        for begin, stop in ((end, match.start()), match.span(3)):
            parts.append(text[begin:stop])
            sources.append(np.arange(begin, stop))
        length += match.start() - end
        mentions.append(Mention(length, length + len(mention), entity, marker or ""))
        length, end = length + len(mention), match.end()
    sources.append(np.arange(end, len(text) + 1))
    return LinkedText("".join([*parts, text[end:]]), tuple(mentions), np.concatenate(sources))


def links_as_letters(texts: Sequence[str]) -> str:
    """Return a warning for a model without entities if some of its texts have links; "" if no text has a link.

    >>> links_as_letters(["in London.", "in [[Q84|London]]."])[:38]
    '1 of 2 texts has links to entities, su'
    """
    linked = [match[0] for text in texts if (match := _LINK.search(text) or _OPENED.search(text))]
    if not linked:
        return ""
    which = some_of(len(linked), len(texts), "texts has", "texts have")
    return (
        f"{which} links to entities, such as {linked[0]:.60}, whose identifiers this model reads as letters: take a "
        "model of kg fuse, or texts without links"
    )


def unclosed_links(texts: Sequence[str]) -> str:
    """Return a warning if some texts have the beginning of a link that does not end; "" if no text has one.

    >>> unclosed_links(["in [[Q84|London."])[:42]
    '1 of 1 texts has a link that does not end,'
    """
    rests = (_LINK.sub("", text) for text in texts)
    opened = [rest[match.start() :] for rest in rests if (match := _OPENED.search(rest))]
    if not opened:
        return ""
    which = some_of(len(opened), len(texts), "texts has", "texts have")
    return f"{which} a link that does not end, {opened[0]!r:.60}, which is read as letters: close it with ]]"


def write_links(text: str, mentions: Sequence[Mention]) -> str:
    """Return a text with link markup around its mentions: the inverse of `parse_links`.

    Raises:
        BadInput: a mention lies outside the text, is empty, spans lines, overlaps another, or has an identifier that
            cannot be written; or the text already has link markup.

    >>> write_links("in London.", [Mention(3, 9, "Q84")])
    'in [[Q84|London]].'
    """
    if _LINK.search(text):
        raise BadInput(f"this text has links already: {text!r:.60}", mend="give the text without them")
    ordered = sorted(mentions, key=lambda mention: (mention.start, mention.end))
    for mention in ordered:
        _check(text, mention)
    for mention, following in pairwise(ordered):
        if following.start < mention.end:
            both = " and ".join(repr(text[each.start : each.end])[:40] for each in (mention, following))
            what = f"the mentions {both} overlap"
            raise BadInput(what, mend="link one of them")
    parts, end = list[str](), 0
    for mention in ordered:
        marker = f"{mention.marker}:" if mention.marker else ""
        linked = f"[[{marker}{mention.entity}|{text[mention.start : mention.end]}]]"
        parts += [text[end : mention.start], linked]
        end = mention.end
    return "".join([*parts, text[end:]])


def _check(text: str, mention: Mention) -> None:
    start, end = mention.start, mention.end
    if not 0 <= start < end <= len(text):
        what = f"a mention from character {start} to {end} of a text of {len(text):,} characters"
        raise BadInput(what, mend="count characters from 0; the end is the one after the last")
    if mention.marker and mention.marker not in MARKERS:
        raise BadInput(f"unknown marker {mention.marker!r:.20}", mend=f"give {', '.join(MARKERS)} or none")
    if not can_be_linked(mention.entity) or "[[" in (inside := text[start:end]) or "]]" in inside or "\n" in inside:
        what = f"the entity {mention.entity!r:.40} or its mention {text[start:end]!r:.40} has a character of links"
        raise BadInput(what, mend="leave out entities with [ ] | or line ends in their identifier or mention")
