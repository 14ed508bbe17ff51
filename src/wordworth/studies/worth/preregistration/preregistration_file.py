"""`Preregistration`: the file `preregistration.json`, which has what decides a study's verdict, and a hash of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from wordworth.errors import BadInput
from wordworth.files import sha256_of_bytes, sweep_dead, write_text
from wordworth.json_file import read_object, require_fields
from wordworth.studies.worth.preregistration.contents import canonical_json

FILE = "preregistration.json"
VERSION = 1
_HASH = "sha256"
_FIELDS = {
    "version": int,
    "frozen_at": str,
    "wordworth": str,
    "settings": dict,
    "split": dict,
    "rule": dict,
    "rungs": dict,
    "rows": dict,
    _HASH: str,
}
_MEND = "put the file back as it was written, or give another --out"


@dataclass(frozen=True, slots=True)
class Preregistration:
    """The preregistration of a study: what decides its verdict, written down before it ran.

    Attributes:
        fields: the content of the file without its hash: version, date (UTC) and the `contents` of the study.
        stated: the SHA-256 that the file itself states.
    """

    fields: Mapping[str, Any]
    stated: str

    @classmethod
    def of(cls, contents: Mapping[str, Any]) -> Self:
        """Return a preregistration of a study, dated today.

        Args:
            contents: what decides the study's verdict, as the module `contents` returns it.
        """
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        fields = {"version": VERSION, "frozen_at": now, **contents}
        return cls(fields, _sha256(fields))

    @classmethod
    def read(cls, folder: Path | None) -> Self | None:
        """Return the preregistration in a folder; None if the folder has no preregistration.

        Args:
            folder: the folder, or None.

        Raises:
            BadInput: the file is damaged, or was written by a newer version.
        """
        if folder is None or not (folder / FILE).exists():
            return None
        where = str(folder / FILE)
        fields = read_object(folder / FILE, _MEND)
        require_fields(fields, _FIELDS, where, _MEND)
        if fields["version"] > VERSION:
            what = f"this plan has version {fields['version']!s:.20}, newer than {VERSION}"
            raise BadInput(what, where=where, mend="pip install -U wordworth")
        return cls({name: value for name, value in fields.items() if name != _HASH}, fields[_HASH])

    @property
    def sha256(self) -> str:
        """The SHA-256 of the preregistration as it is now; if `stated` differs, the file was edited later."""
        return _sha256(self.fields)

    @property
    def frozen_at(self) -> str:
        """The time at which the preregistration was written, in UTC, as ISO 8601."""
        return str(self.fields["frozen_at"])

    def save(self, path: Path) -> None:
        """Write the preregistration to a file, whole or not at all."""
        sweep_dead(path)
        whole = {**self.fields, _HASH: self.stated}
        write_text(path, json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def _sha256(fields: Mapping[str, Any]) -> str:
    return sha256_of_bytes(canonical_json(fields))
