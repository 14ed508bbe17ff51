"""The study `relations`: attention heads as parsers, from a treebank to a `Record` (Clark et al. 2019, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Integers
from wordworth.models.pruning import load_with_heads
from wordworth.models.random_twin import random_twin
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.records import Finding, Record
from wordworth.studies.layer_reader import unknown_pieces
from wordworth.studies.relations.coreference import PronounInputs, coreference_method, coreference_table
from wordworth.studies.relations.head_counts import Relations, head_counts, offset_counts
from wordworth.studies.relations.probe_inputs import ProbeInputs, is_counted
from wordworth.studies.relations.probe_scores import probe_scores
from wordworth.studies.relations.probe_tables import probe_tables
from wordworth.studies.relations.probe_training import ProbeSplit, probe_split
from wordworth.studies.relations.probe_verdict import probe_method
from wordworth.studies.relations.pronouns import pronoun_path, read_pronouns
from wordworth.studies.relations.selection import Counts, selected_maps
from wordworth.studies.relations.settings import RelationsSettings
from wordworth.studies.relations.tables import tables_of
from wordworth.studies.relations.verdict import FEW_DOCUMENTS, method, verdict, warnings
from wordworth.studies.study import Study, file_name, make_record, timed
from wordworth.tasks.formats.data_folders import named_file
from wordworth.text.encoding import Tokens
from wordworth.text.treebank import DependencySentence, Treebank, read_treebank

_FOLDER, _PART = Path("syntax", "ud"), "dev"


def study(settings: RelationsSettings, progress: Progress) -> Record:
    """Find the attention heads that follow syntactic relations.

    Raises:
        BadInput: there is no treebank, it is damaged or too small, or the model has no attention.
    """
    treebank = read_treebank(treebank_path(settings.treebank))
    files: list[dict[str, Any]] = [{"path": treebank.name, "sha256": treebank.sha256, "rows": len(treebank.sentences)}]
    pronouns = None if settings.coreference is None else read_pronouns(pronoun_path(settings.coreference))
    encoder = load_with_heads(settings.model)
    sentences, tokens, too_long = _read(encoder, treebank, settings)
    relations = Relations.of(sentences, subtypes=settings.subtypes, possessives=settings.possessives)
    documents = np.array([sentence.document for sentence in sentences])
    split = _split(sentences, documents, settings, treebank.name) if settings.probes else None
    number = len(np.unique(documents))
    if number < FEW_DOCUMENTS:  # two halves of so few would have no interval
        documents = np.arange(len(sentences))
    seconds: dict[str, float] = {}
    models = (encoder.model, random_twin(encoder.model, seeds.child_seed(settings.seed, "relations", "random")))
    with timed(seconds, "attention"), progress.step("reading attention", 2 * len(sentences)) as step:
        own, random = (head_counts(model, tokens, sentences, relations, step) for model in models)
    counts = Counts(own, random, offset_counts(sentences, relations), relations.totals, documents)
    with timed(seconds, "intervals"), progress.step("computing intervals"):
        selected = selected_maps(counts, settings.words, settings.draws, settings.seed)
    if not selected:
        what = f"no relation has {settings.words} words in both halves of {len(sentences)} sentences"
        raise BadInput(what, where=treebank.name, mend="give more sentences, or fewer --words")
    heads = own.shape[1] // (2 * encoder.depth)
    tables = tables_of(relations.names, counts, selected, heads)
    facts = {"sentences": len(sentences), "documents": number, "too_long": too_long}
    how = list(method(facts, relations.names, settings.words))
    if split is not None:
        with timed(seconds, "probes"):
            inputs = ProbeInputs.of(encoder.model, tokens, sentences)
            scores = probe_scores(inputs, models, counts, split, (settings.draws, settings.seed), progress)
        tables |= probe_tables(scores)
        how += probe_method(split.facts | {"width": inputs.width})
    if pronouns is not None:
        of_pronouns = PronounInputs.of(encoder, pronouns)
        with timed(seconds, "coreference"):
            plan = (settings.draws, settings.seed)
            tables["coreference"] = coreference_table(of_pronouns, models, heads, plan, progress)
        how += coreference_method(of_pronouns)
        files.append({"path": pronouns.name, "sha256": pronouns.sha256, "rows": pronouns.rows})
    return make_record(
        STUDY.kind,
        asdict(settings) | {"treebank": treebank.name, "coreference": file_name(settings.coreference)},
        {"name": treebank.name, "model": encoder.name, **facts, "sources": files},
        tables=tables,
        findings=[verdict(tables, settings.words), *warnings(tables, facts), *_unknown(encoder, sentences), *how],
        seconds=seconds,
    )


def _unknown(encoder: TextEncoder, sentences: Sequence[DependencySentence]) -> Iterator[Finding]:
    """Yield a warning if the model does not know many pieces of the sentences."""
    yield from unknown_pieces(encoder, [" ".join(sentence.words) for sentence in sentences])


STUDY = Study(
    "relations",
    "Find the attention heads that follow syntactic relations.",
    RelationsSettings,
    study,
    inputs={},
)


def treebank_path(treebank: Path | str | None) -> Path:
    """Return the path of a treebank: a file, or of a name such as `en_ewt` its dev part in `$WORDWORTH_DATA/syntax/ud`.

    Raises:
        BadInput: none is named, or there is no such file and no such name.
    """
    if treebank is None:
        raise BadInput("no treebank is given", mend="give a file with --treebank, such as one in CoNLL-U")
    return named_file(treebank, _FOLDER / f"{treebank}-ud-{_PART}.conllu", "treebank")


def _split(
    sentences: Sequence[DependencySentence], documents: Integers, settings: RelationsSettings, name: str
) -> ProbeSplit:
    words = np.array([is_counted(sentence).sum() for sentence in sentences])
    return probe_split(documents, words, settings.seed, name)


def _read(
    encoder: TextEncoder, treebank: Treebank, settings: RelationsSettings
) -> tuple[Sequence[DependencySentence], Sequence[Tokens], int]:
    """Return the sentences that are drawn and fit into the encoder, their tokens, and how many do not fit."""
    order = seeds.child(settings.seed, "relations", "sentences").permutation(len(treebank.sentences))
    drawn = [treebank.sentences[row] for row in np.sort(order[: settings.limit])]
    read = encoder.tokenizer.encode_words([sentence.words for sentence in drawn])
    fitting = [row for row, tokens in enumerate(read) if len(tokens) <= encoder.max_length]
    return [drawn[row] for row in fitting], [read[row] for row in fitting], len(drawn) - len(fitting)
