"""Save and read a trained parser: a folder with weights in float16 and the identity of the encoder that it reads."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import replacing_folder, write_text
from wordworth.json_file import parse_json
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.weight_files import read_safetensors, write_safetensors
from wordworth.training.probes.biaffine_parser import BiaffineParser

_WEIGHTS, _FACTS = "parser.safetensors", "parser.json"


@dataclass(frozen=True, slots=True)
class SavedParser:
    """A trained parser that reads the lowest layers of an encoder.

    Attributes:
        parser: the network.
        relations: the names of the relations, in the order of their indices.
        model: the name of the encoder.
        fingerprint: the encoder's fingerprint, so that the parser is never used with another encoder.
    """

    parser: BiaffineParser
    relations: tuple[str, ...]
    model: str
    fingerprint: str

    @classmethod
    def of(cls, parser: BiaffineParser, relations: list[str], encoder: TextEncoder) -> SavedParser:
        """Return a trained parser in the form that is saved, with the name and fingerprint of its encoder.

        Args:
            parser: the parser.
            relations: the names of the relations.
            encoder: the encoder.
        """
        return cls(parser, tuple(relations), encoder.name, fingerprint(encoder))

    def write(self, folder: Path) -> None:
        """Write the parser into a folder, which is replaced if it exists.

        Raises:
            BadInput: the disk is full or the folder cannot be written.
        """
        facts = {"relations": list(self.relations), "model": self.model, "fingerprint": self.fingerprint}
        with replacing_folder(folder) as neighbour:
            weights = {name: value.half() for name, value in self.parser.state_dict().items()}
            write_safetensors(weights, neighbour / _WEIGHTS)
            write_text(neighbour / _FACTS, json.dumps(facts, indent=1) + "\n")

    @classmethod
    def read(cls, folder: Path) -> SavedParser:
        """Read a parser from its folder.

        Raises:
            BadInput: a file is missing or damaged.
        """
        weights = {name: value.float() for name, value in read_safetensors(folder / _WEIGHTS).items()}
        try:
            facts = parse_json((folder / _FACTS).read_text(encoding="utf-8"))
            relations, width = tuple(facts["relations"]), weights["roles.weight"].shape[1]
            parser = BiaffineParser(len(weights["mix.logits"]), width, len(relations))
            parser.load_state_dict(weights)
            return cls(parser, relations, facts["model"], facts["fingerprint"])
        except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
            raise BadInput("this is no folder of a parser", where=str(folder), mend="copy it again") from error
