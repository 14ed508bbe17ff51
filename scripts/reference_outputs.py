"""Make the reference token ids and vectors with which `wordworth doctor` compares a known checkpoint.

They come from sentence-transformers, whose version is written beside them.

python scripts/reference_outputs.py minilm
"""

from __future__ import annotations

import argparse
import json
from importlib.metadata import version
from pathlib import Path

from sentence_transformers import SentenceTransformer

from wordworth.sources import resolve

TEXTS = (
    "The bank by the river was steep.",
    "UNwanted, running: flightless birds don't puppeteer!",
    "naïve café Ångström façade 3.14% of $9,999.99",
    "日本語 and שָׁלוֹם and 😀",
    "",
    "A sentence that says one thing, then another; and a third. " * 8,
)
COMPONENTS = 8


def main(name: str) -> None:
    """Write the reference outputs of one catalogue name."""
    resolved = resolve(name)
    peer = SentenceTransformer(str(resolved.folder), device="cpu")
    vectors = peer.encode(list(TEXTS), convert_to_numpy=True)
    components = range(0, vectors.shape[1], vectors.shape[1] // COMPONENTS)
    ids = [peer.tokenizer(text)["input_ids"] for text in TEXTS]
    reference = {
        "weights": resolved.sha256["model.safetensors"],
        "made_with": {package: version(package) for package in ("sentence-transformers", "transformers", "torch")},
        "texts": [
            {"text": text, "ids": row, "vector": {str(i): round(float(vector[i]), 7) for i in components}}
            for text, row, vector in zip(TEXTS, ids, vectors, strict=True)
        ],
    }
    target = Path(__file__).parents[1] / "src" / "wordworth" / "models" / "reference_outputs" / f"{name}.json"
    target.write_text(json.dumps(reference, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(target)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="a name of the catalogue, such as minilm")
    main(parser.parse_args().name)
