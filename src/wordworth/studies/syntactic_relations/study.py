"""The study `relations`: attention heads as parsers, from a treebank to a `Record` (Clark et al. 2019, section 4.2)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.bootstrap import Resamples
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.pruning import heads_of, load_with_heads
from wordworth.models.random_weights_copy import random_twin
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.studies.study import Study, file_name, make_record, timed
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.studies.syntactic_relations.attention_head_selection import Counts, selected_maps
from wordworth.studies.syntactic_relations.coreference import PronounInputs, coreference_method, coreference_table
from wordworth.studies.syntactic_relations.correct_attachment_counts import Relations, attachment_counts, offset_counts
from wordworth.studies.syntactic_relations.dependency_probe_inputs import ProbeInputs
from wordworth.studies.syntactic_relations.findings import method, verdict, warnings
from wordworth.studies.syntactic_relations.probe_findings import probe_method
from wordworth.studies.syntactic_relations.probe_scores import probe_scores
from wordworth.studies.syntactic_relations.probe_tables import probe_tables
from wordworth.studies.syntactic_relations.pronoun_sentences import read_pronouns
from wordworth.studies.syntactic_relations.settings import RelationsSettings
from wordworth.studies.syntactic_relations.tables import tables_of
from wordworth.studies.treebank_sample import FEW_DOCUMENTS, drawn_sentences, probe_split, treebank_path
from wordworth.studies.word_vectors_by_layer import unknown_pieces
from wordworth.tasks.formats.pronoun_rows import pronoun_path
from wordworth.text.treebank import read_treebank


def study(settings: RelationsSettings, progress: Progress) -> Record:
    """Find the attention heads that follow syntactic relations.

    Raises:
        BadInput: there is no treebank, it is damaged or too small, or the model has no attention.
    """
    treebank = read_treebank(treebank_path(settings.treebank))
    files: list[dict[str, Any]] = [{"path": treebank.name, "sha256": treebank.sha256, "rows": len(treebank.sentences)}]
    pronouns = None if settings.coreference is None else read_pronouns(pronoun_path(settings.coreference))
    encoder = load_with_heads(settings.model)
    drawn = drawn_sentences(encoder, treebank, settings.limit, settings.seed)
    sentences, tokens = drawn.sentences, drawn.tokens
    relations = Relations.of(sentences, subtypes=settings.subtypes, possessives=settings.possessives)
    documents = drawn.documents
    split = probe_split(documents, drawn.word_counts, settings.seed, treebank.name) if settings.probes else None
    number = len(np.unique(documents))
    if number < FEW_DOCUMENTS:  # two halves of so few would have no interval
        documents = np.arange(len(sentences))
    seconds: dict[str, float] = {}
    models = (encoder.model, random_twin(encoder.model, seeds.child_seed(settings.seed, "relations", "random")))
    with timed(seconds, "attention"), progress.step("reading attention", 2 * len(sentences)) as step:
        own, random = (attachment_counts(model, tokens, sentences, relations, step) for model in models)
    counts = Counts(own, random, offset_counts(sentences, relations), relations.totals, documents)
    with timed(seconds, "intervals"), progress.step("computing intervals"):
        selected = selected_maps(counts, settings.words, settings.draws, settings.seed)
    if not selected:
        what = f"no relation has {settings.words} words in both halves of {len(sentences)} sentences"
        raise BadInput(what, where=treebank.name, mend="give more sentences, or fewer --words")
    heads, resamples = heads_of(encoder.model), Resamples(settings.draws, settings.seed)
    tables = tables_of(relations.names, counts, selected, heads)
    facts = {"sentences": len(sentences), "documents": number, "too_long": drawn.too_long}
    how = list(method(facts, relations.names, settings.words))
    if split is not None:
        finished = FinishedParts.of(STUDY.kind, progress, vectors_key(encoder), treebank.sha256, settings.limit)
        with finished.timed(seconds, "probes"):
            inputs = ProbeInputs.of(encoder.model, tokens, sentences)
            scores = probe_scores(inputs, models, counts, split, resamples, finished)
        tables |= probe_tables(scores)
        how += probe_method(split.facts | {"width": inputs.width})
    if pronouns is not None:
        of_pronouns = PronounInputs.of(encoder, pronouns)
        with timed(seconds, "coreference"):
            tables["coreference"] = coreference_table(of_pronouns, models, heads, resamples, progress)
        how += coreference_method(of_pronouns)
        files.append({"path": pronouns.name, "sha256": pronouns.sha256, "rows": pronouns.rows})
    texts = [" ".join(sentence.words) for sentence in sentences]
    return make_record(
        STUDY.kind,
        asdict(settings) | {"treebank": treebank.name, "coreference": file_name(settings.coreference)},
        {"name": treebank.name, "model": encoder.name, **facts, "sources": files},
        tables=tables,
        findings=[verdict(tables, settings.words), *warnings(tables, facts), *unknown_pieces(encoder, texts), *how],
        seconds=seconds,
    )


STUDY = Study(
    "relations",
    "Find the attention heads that follow syntactic relations.",
    RelationsSettings,
    study,
    inputs={},
)
