"""Read folders of tokenizer files in all common formats, and write them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tokenizers
from tokenizers import AddedToken, models, normalizers, pre_tokenizers, processors

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.files import require_regular, write_text
from wordworth.json_file import read_object, read_text
from wordworth.text.hide_panic_messages import hide_panic_messages
from wordworth.text.subwords.pre_tokenization import has_foreign_patterns
from wordworth.text.tokenizer_limits import check_growth, translate_panics
from wordworth.text.tokenizer_protocol import TokenizerProtocol

ROLES = ("unk", "cls", "sep", "pad", "mask", "bos", "eos")
_BERT = {"unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "pad": "[PAD]", "mask": "[MASK]"}
_ROBERTA = {
    "unk": "<unk>",
    "cls": "<s>",
    "sep": "</s>",
    "pad": "<pad>",
    "mask": "<mask>",
    "bos": "<s>",
    "eos": "</s>",
}
_GPT2 = {"unk": "<|endoftext|>", "bos": "<|endoftext|>", "eos": "<|endoftext|>"}
_FLAGS = ("do_lower_case", "strip_accents", "tokenize_chinese_chars", "add_prefix_space")
_LONGEST_WORD = 100


@dataclass(frozen=True, slots=True)
class LoadedTokenizer:
    """A tokenizer of the `tokenizers` library, and the special tokens that its files name.

    Attributes:
        library: the tokenizer.
        special_tokens: the special tokens by their roles (unk, cls, sep, ...).
        where: the tokenizer's file or folder, for errors.
        has_foreign_patterns: whether the files hold regular expressions that are not Wordworth's own, which may never
            finish on some texts.
    """

    library: tokenizers.Tokenizer
    special_tokens: Mapping[str, str]
    where: str = "this tokenizer"
    has_foreign_patterns: bool = False


def require_tokenizer(path: Path) -> None:
    """Check that the folder or file of a tokenizer exists, without reading it.

    Raises:
        BadInput: there is no such folder or file, or it is not a regular file.
    """
    if not path.is_dir():
        require_regular(path)
        if not path.is_file():
            raise BadInput("no such folder", where=str(path), mend="name a folder with a tokenizer.json or a vocab.txt")


def open_folder(path: Path) -> LoadedTokenizer:
    """Open the tokenizer of a checkpoint folder, or of a file in the format of `tokenizer.json`, whatever its name.

    Raises:
        BadInput: there is no tokenizer at this path, or a damaged one.
    """
    require_tokenizer(path)
    if path.is_file():
        return _from_json(path, {})
    settings = _settings(path)
    if (path / "tokenizer.json").exists():
        return _from_json(path / "tokenizer.json", settings)
    if (path / "vocab.txt").exists():
        return open_wordpiece(path / "vocab.txt", settings)
    if (path / "vocab.json").exists() and (path / "merges.txt").exists():
        return _from_merges(path, settings)
    present = ", ".join(sorted(entry.name for entry in path.iterdir())[:8]) or "nothing"
    mend = "it needs tokenizer.json, vocab.txt, or vocab.json with merges.txt"
    if any(path.glob("*.model")):
        mend = "save the SentencePiece model as a tokenizer.json first (transformers' save_pretrained does)"
    raise BadInput(f"no tokenizer here (there is {present})", where=str(path), mend=mend)


def open_wordpiece(path: Path, settings: Mapping[str, Any]) -> LoadedTokenizer:
    """Open BERT's tokenizer of a bare `vocab.txt`.

    If no setting states the casing, the tokenizer is cased if a piece has a capital.

    Args:
        path: the `vocab.txt`.
        settings: the content of a `tokenizer_config.json`.

    Raises:
        BadInput: the file is not a vocabulary, or lacks [UNK], [CLS] or [SEP].
    """
    return wordpiece(read_vocabulary(path), settings, str(path))


def wordpiece(
    vocabulary: Mapping[str, int], settings: Mapping[str, Any], where: str = "this vocabulary"
) -> LoadedTokenizer:
    """Return BERT's tokenizer for a vocabulary.

    If the settings do not state the casing, the tokenizer is cased if a piece has a capital.

    Args:
        vocabulary: piece -> id.
        settings: the content of a `tokenizer_config.json`.
        where: the vocabulary's file, for errors.

    Raises:
        BadInput: the vocabulary lacks [UNK], [CLS] or [SEP].
    """
    names = {**_BERT, **_special_token_names(settings)}
    for role in ("unk", "cls", "sep"):
        if names[role] not in vocabulary:
            what = f"the vocabulary has no {names[role]}"
            raise BadInput(what, where=where, mend="is this the vocab.txt of a BERT model?")
    library = tokenizers.Tokenizer(
        models.WordPiece(dict(vocabulary), unk_token=names["unk"], max_input_chars_per_word=_LONGEST_WORD)
    )
    library.normalizer = normalizers.BertNormalizer(
        clean_text=True,
        handle_chinese_chars=settings.get("tokenize_chinese_chars", True),
        strip_accents=settings.get("strip_accents"),
        lowercase=settings.get("do_lower_case", not has_capitals(vocabulary)),
    )
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    library.post_processor = bert_template(vocabulary, names["cls"], names["sep"])
    library.add_special_tokens([name for name in names.values() if name in vocabulary])
    return LoadedTokenizer(library, names)


def bert_template(vocabulary: Mapping[str, int], cls: str, sep: str) -> processors.TemplateProcessing:
    """Return BERT's template of the special tokens around a text and around a pair of texts.

    Args:
        vocabulary: piece -> id.
        cls: the token before a text.
        sep: the token after each text.
    """
    return processors.TemplateProcessing(
        single=[cls, "$A", sep],
        pair=[cls, "$A", sep, "$B:1", f"{sep}:1"],
        special_tokens=[(cls, vocabulary[cls]), (sep, vocabulary[sep])],
    )


def _from_json(path: Path, settings: Mapping[str, Any]) -> LoadedTokenizer:
    text, rules = read_text(path), read_object(path)
    check_growth(rules, str(path))
    foreign_patterns = has_foreign_patterns([rules.get("normalizer"), rules.get("pre_tokenizer")])
    with translate_panics(str(path)), hide_panic_messages():
        try:
            library = tokenizers.Tokenizer.from_str(text)
        except Exception as error:  # the library raises bare Exception for every malformed file
            what = f"not a tokenizer of the tokenizers library: {error}"
            raise BadInput(what, where=str(path), mend=FETCH_AGAIN) from error
    library.no_truncation()
    library.no_padding()
    normalizer = library.normalizer
    if isinstance(normalizer, normalizers.BertNormalizer) and "do_lower_case" in settings:
        normalizer.lowercase = settings["do_lower_case"]  # transformers lets the settings win over tokenizer.json
        library.normalizer = normalizer
    needs_unknown = isinstance(library.model, models.WordPiece | models.WordLevel)
    if needs_unknown and library.model.token_to_id(library.model.unk_token) is None:
        raise BadInput(
            f"the vocabulary has no {library.model.unk_token}",
            where=str(path),
            mend=FETCH_AGAIN,
        )
    if not foreign_patterns:  # a regular expression may run for ever
        with translate_panics(str(path)), hide_panic_messages():
            library.encode_batch(["a", ("a", "b")])  # rules that crash the library on any text do so here
    family = next((known for known in (_BERT, _ROBERTA, _GPT2) if _contains(library, known)), {})
    return LoadedTokenizer(library, {**family, **_special_token_names(settings)}, str(path), foreign_patterns)


def _from_merges(folder: Path, settings: Mapping[str, Any]) -> LoadedTokenizer:
    """Open a byte-pair tokenizer: RoBERTa's if the vocabulary has its special tokens, else GPT-2's."""
    vocabulary = read_object(folder / "vocab.json")
    lines = [line for line in read_text(folder / "merges.txt").split("\n") if line and not line.startswith("#version")]
    try:
        library = tokenizers.Tokenizer(models.BPE(vocabulary, [_pair(line) for line in lines]))
    except Exception as error:  # the library raises bare Exception or TypeError
        what = f"vocab.json and merges.txt do not fit: {' '.join(str(error).split())}"
        raise BadInput(what, where=str(folder), mend="fetch both files again") from error
    space = settings.get("add_prefix_space", False)
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=space)
    family = _ROBERTA if _contains(library, _ROBERTA) else _GPT2
    names = {**family, **_special_token_names(settings)}
    cls, sep = vocabulary.get(names.get("cls", "")), vocabulary.get(names.get("sep", ""))
    if family is _ROBERTA and cls is not None and sep is not None:
        library.post_processor = processors.RobertaProcessing(
            (names["sep"], sep), (names["cls"], cls), add_prefix_space=space
        )
    else:
        library.post_processor = processors.ByteLevel(
            trim_offsets=False
        )  # the space belongs to the piece, as published
    library.add_special_tokens([_special_token(name) for name in names.values() if name in vocabulary])
    return LoadedTokenizer(library, names)


def _pair(line: str) -> tuple[str, str]:
    first, second = line.rstrip("\r").split(" ")
    return first, second


def _special_token(name: str) -> AddedToken:
    """Return a special token; RoBERTa's `<mask>` includes the space before it, as the masked word would."""
    return AddedToken(name, lstrip=name == "<mask>", normalized=False, special=True)


def _contains(library: tokenizers.Tokenizer, names: Mapping[str, str]) -> bool:
    essential = [names[role] for role in ("cls", "sep", "bos") if role in names]
    return all(library.token_to_id(name) is not None for name in essential)


def _settings(folder: Path) -> dict[str, Any]:
    """Return the settings in the JSON files beside a vocabulary; tokenizer_config.json overrides the others."""
    files = [folder / name for name in ("config.json", "special_tokens_map.json", "tokenizer_config.json")]
    contents = [read_object(path) for path in files if path.exists()]
    merged = {key: value for settings in contents for key, value in settings.items() if value is not None}
    for key in _FLAGS:
        if not isinstance(merged.get(key, False), bool):
            raise BadInput(f"{key} is {merged[key]!r}; expected true or false", where=str(files[-1]))
    return merged


def _special_token_names(settings: Mapping[str, Any]) -> dict[str, str]:
    stated = {role: settings.get(f"{role}_token") for role in ROLES}
    contents = {role: value.get("content") if isinstance(value, dict) else value for role, value in stated.items()}
    return {role: content for role, content in contents.items() if isinstance(content, str)}


def read_vocabulary(path: Path) -> dict[str, int]:
    """Return the pieces of a `vocab.txt`, one on each line; a piece's id is its line number from 0.

    Only line feeds end a line: a vocabulary may hold U+2028 and other separators as pieces.

    Raises:
        BadInput: the file is empty or not UTF-8, or two lines hold the same piece.
    """
    lines = read_text(path).removesuffix("\n").split("\n")
    if lines == [""]:
        raise BadInput("the vocabulary is empty", where=str(path), mend="a vocab.txt holds one piece on each line")
    vocabulary: dict[str, int] = {}
    for number, line in enumerate(lines):
        piece = line.rstrip("\r")
        if piece in vocabulary:
            what = f"lines {vocabulary[piece] + 1} and {number + 1} hold the same piece {piece!r}"
            raise BadInput(
                what,
                where=str(path),
                mend=f"every piece needs an id of its own; {FETCH_AGAIN}",
            )
        vocabulary[piece] = number
    return vocabulary


def has_capitals(pieces: Iterable[str]) -> bool:
    """Return whether a vocabulary was made from cased text: a piece that is not a special token has a capital.

    >>> has_capitals(["[UNK]", "[CLS]", "the", "##ing"]), has_capitals(["[UNK]", "The"])
    (False, True)
    """
    return any(piece != piece.lower() for piece in pieces if not (piece.startswith("[") and piece.endswith("]")))


def save_tokenizer(tokenizer: TokenizerProtocol, folder: Path | str, *, segments: bool = True) -> None:
    """Write `tokenizer.json` and `tokenizer_config.json` into a folder.

    Args:
        tokenizer: the tokenizer to write.
        folder: an existing folder.
        segments: whether the model of that folder distinguishes a first text from a second.

    Raises:
        BadInput: the disk is full or the folder cannot be written.
    """
    settings = tokenizer_settings(tokenizer, inputs_of(segments=segments))
    write_text(Path(folder) / "tokenizer_config.json", json.dumps(settings, indent=1) + "\n")
    write_text(Path(folder) / "tokenizer.json", tokenizer.to_json())


def inputs_of(*, segments: bool) -> list[str]:
    """Return the names of the model inputs that transformers' tokenizer makes.

    `segments` says whether the model distinguishes a first text from a second. If it is False, there is no
    `token_type_ids`, which GPT-2 would add to the token embeddings.
    """
    return ["input_ids", *(["token_type_ids"] if segments else []), "attention_mask"]


def tokenizer_settings(tokenizer: TokenizerProtocol, inputs: Sequence[str]) -> dict[str, Any]:
    """Return the content of a `tokenizer_config.json`, by which transformers loads the tokenizer.

    Args:
        tokenizer: the tokenizer.
        inputs: the names of the model inputs that it makes.
    """
    settings: dict[str, Any] = {f"{role}_token": token for role, token in tokenizer.special_tokens.items()}
    settings |= {"tokenizer_class": "PreTrainedTokenizerFast", "do_lower_case": tokenizer.lowercase}
    return settings | {"model_input_names": list(inputs)}
