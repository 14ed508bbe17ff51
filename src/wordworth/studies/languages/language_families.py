"""Families and genera of languages, by the codes that data sets name them with, and which languages are related."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wordworth.measures.weighted_sums import Flags


class Descent(NamedTuple):
    """The family of a language, such as Indo-European, and its genus within it, such as Romance."""

    family: str
    genus: str


_CODES = {
    Descent("Afro-Asiatic", "Semitic"): "am amh ar ara arb arz he heb mt mlt ti tir",
    Descent("Afro-Asiatic", "Lowland East Cushitic"): "om orm so som",
    Descent("Afro-Asiatic", "West Chadic"): "ha hau",
    Descent("Austro-Asiatic", "Khmer"): "km khm",
    Descent("Austro-Asiatic", "Viet-Muong"): "vi vie",
    Descent("Austronesian", "Barito"): "mg mlg plt",
    Descent("Austronesian", "Greater Central Philippine"): "ceb ilo tl tgl",
    Descent("Austronesian", "Javanese"): "jv jav",
    Descent("Austronesian", "Malayo-Sumbawan"): "id ind ms msa zsm su sun",
    Descent("Austronesian", "Oceanic"): "haw mi mri sm smo",
    Descent("Aymaran", "Aymaran"): "ay aym ayr",
    Descent("Basque", "Basque"): "eu eus",
    Descent("Dravidian", "Southern Dravidian"): "kn kan ml mal ta tam",
    Descent("Dravidian", "South-Central Dravidian"): "te tel",
    Descent("Indo-European", "Albanian"): "sq sqi als",
    Descent("Indo-European", "Armenian"): "hy hye",
    Descent("Indo-European", "Baltic"): "lt lit lv lav lvs",
    Descent("Indo-European", "Celtic"): "br bre cy cym ga gle gd gla",
    Descent("Indo-European", "Germanic"): (
        "af afr da dan de deu en eng fo fao is isl lb ltz nb nob nl nld nn nno no nor sv swe yi yid ydd"
    ),
    Descent("Indo-European", "Greek"): "el ell",
    Descent(
        "Indo-European", "Indic"
    ): "as asm bn ben gu guj hi hin mr mar ne nep npi or ory pa pan sd snd si sin ur urd",
    Descent("Indo-European", "Iranian"): "ckb fa fas pes prs kmr ku kur ps pus tg tgk",
    Descent("Indo-European", "Romance"): "ast ca cat es spa fr fra gl glg it ita oc oci pt por ro ron sc srd",
    Descent("Indo-European", "Slavic"): (
        "be bel bg bul bs bos cs ces hr hrv mk mkd pl pol ru rus sk slk sl slv sr srp uk ukr"
    ),
    Descent("Japanese", "Japanese"): "ja jpn",
    Descent("Kartvelian", "Kartvelian"): "ka kat",
    Descent("Korean", "Korean"): "ko kor",
    Descent("Mongolic", "Mongolic"): "mn mon khk",
    Descent("Niger-Congo", "Bantu"): (
        "lg lug ln lin ny nya rw kin rn run sn sna ss ssw st sot sw swa swh tn tsn ts tso xh xho zu zul"
    ),
    Descent("Niger-Congo", "Defoid"): "yo yor",
    Descent("Niger-Congo", "Igboid"): "ig ibo",
    Descent("Niger-Congo", "Northern Atlantic"): "ff ful fuv wo wol",
    Descent("Quechuan", "Quechuan"): "qu que quy quz",
    Descent("Sino-Tibetan", "Bodic"): "bo bod",
    Descent("Sino-Tibetan", "Burmese-Lolo"): "my mya",
    Descent("Sino-Tibetan", "Chinese"): "cmn yue zh zho",
    Descent("Tai-Kadai", "Kam-Tai"): "lo lao th tha",
    Descent("Tupian", "Tupi-Guarani"): "gn grn gug",
    Descent("Turkic", "Turkic"): "az aze azj kk kaz ky kir tk tuk tr tur tt tat ug uig uz uzb uzn",
    Descent("Uralic", "Finnic"): "et est ekk fi fin",
    Descent("Uralic", "Ugric"): "hu hun",
}
"""Family and genus, by the World Atlas of Language Structures (Dryer and Haspelmath 2013) -> codes of its languages.

The codes are those of ISO 639-1 and 639-3."""
_DESCENT = {code: descent for descent, codes in _CODES.items() for code in codes.split()}


def descent_of(language: str) -> Descent | None:
    """Return the family and genus of a language; None if its code is not in the list.

    Args:
        language: its code, alone or followed by a script, a country or a corpus: `de`, `deu_Latn`, `de_pud`.
    """
    return _DESCENT.get(re.split(r"[-_.]", language.lower())[0])


@dataclass(frozen=True)
class Relations:
    """Which pairs of languages are related and which are distant; languages of unknown descent are neither.

    Attributes:
        descents: family and genus of each language; None if unknown.
        related: bool [languages, languages], whether two different languages are of the same genus.
        distant: bool [languages, languages], whether two languages are of different families.
    """

    descents: tuple[Descent | None, ...]
    related: Flags
    distant: Flags

    @classmethod
    def of(cls, languages: Sequence[str]) -> Relations:
        """Look up the family and genus of languages by their codes, and return which are related and which distant.

        Args:
            languages: codes of the languages, such as `deu_Latn`.
        """
        descents = tuple(map(descent_of, languages))
        same_genus = np.array([[a is not None and a == b for b in descents] for a in descents])
        distant = np.array([[a is not None and b is not None and a[0] != b[0] for b in descents] for a in descents])
        return cls(descents, same_genus & ~np.eye(len(descents), dtype=bool), distant)

    @property
    def compared(self) -> list[int]:
        """The indices of the languages to which at least one language is related and at least one is distant."""
        indices: list[int] = np.flatnonzero(self.related.any(0) & self.distant.any(0)).tolist()
        return indices
