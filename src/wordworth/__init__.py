"""Wordworth: what is a word's context worth, and what is the least model that gives it to me?

Every command of the command line is a function here, with its options as keyword parameters.

>>> import wordworth as ww
>>> {"worth", "finetune", "embed"} <= set(ww.__all__)
True
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wordworth.errors import BadInput, LongTextWarning, ZeroVectorWarning
    from wordworth.inference.embed import embed
    from wordworth.inference.encode_with_codebook import encode_symbols
    from wordworth.inference.export import export
    from wordworth.inference.fill_mask import fill
    from wordworth.inference.frozen_probes import Probes, load_probes
    from wordworth.inference.fuse_entities import fuse_entities
    from wordworth.inference.insert_entity_links import link_entities
    from wordworth.inference.predict import FineTuned, load_run, predict
    from wordworth.models.known_models import models
    from wordworth.models.load import load
    from wordworth.models.static.distillation import to_static
    from wordworth.progress import Progress, Step
    from wordworth.records import Record
    from wordworth.records import read as read_record
    from wordworth.report_page import ReportPage
    from wordworth.retrieval.build_hnsw import build_hnsw
    from wordworth.retrieval.change_index import add_to_index, build_index, delete_from_index
    from wordworth.retrieval.export_index import export_index
    from wordworth.retrieval.hybrid_weight_tuning import tune_search
    from wordworth.retrieval.paraphrase_mining import mine_paraphrases
    from wordworth.retrieval.search import load_index, search
    from wordworth.serving.doctor import doctor
    from wordworth.serving.run_server import serve
    from wordworth.studies.adaptation import plan_adaptation
    from wordworth.studies.attention import attention as study_attention
    from wordworth.studies.attention.page_from_arrays import page_from_attention
    from wordworth.studies.attention_patterns import patterns as study_patterns
    from wordworth.studies.cascade import cascade
    from wordworth.studies.codebook import learn_symbols
    from wordworth.studies.commonsense import commonsense as study_commonsense
    from wordworth.studies.contextuality import context as study_context
    from wordworth.studies.corpus_map import map_index
    from wordworth.studies.crossmodal import crossmodal as study_crossmodal
    from wordworth.studies.distill import distill
    from wordworth.studies.entities import entities as study_entities
    from wordworth.studies.evaluate import evaluate
    from wordworth.studies.finetune import finetune
    from wordworth.studies.finetuning_changes import finetuning_changes as study_finetuning
    from wordworth.studies.heads import heads as study_heads
    from wordworth.studies.knowledge_graph import train_knowledge_graph
    from wordworth.studies.languages import languages as study_languages
    from wordworth.studies.layers import layers as study_layers
    from wordworth.studies.layers import probe
    from wordworth.studies.medical_codes import codes as study_codes
    from wordworth.studies.neighbours import neighbours as study_neighbours
    from wordworth.studies.prune import prune
    from wordworth.studies.report_folder import report
    from wordworth.studies.senses import senses as study_senses
    from wordworth.studies.sentences import sentences as study_sentences
    from wordworth.studies.shrink import shrink as study_shrink
    from wordworth.studies.similarity import similarity as study_similarity
    from wordworth.studies.syntactic_relations import relations as study_relations
    from wordworth.studies.syntax import syntax as study_syntax
    from wordworth.studies.train_sentences import train_sentences
    from wordworth.studies.word_benchmarks import words as study_words
    from wordworth.studies.worth import worth
    from wordworth.tasks.datasets import named_task
    from wordworth.text.train_tokenizer import tokenizer
    from wordworth.training.objectives.masking.find_phrases import phrases
    from wordworth.training.pretraining import adapt, pretrain

__version__ = "0.1.0"
__all__ = [
    "BadInput",
    "FineTuned",
    "LongTextWarning",
    "Probes",
    "Progress",
    "Record",
    "ReportPage",
    "Step",
    "ZeroVectorWarning",
    "adapt",
    "add_to_index",
    "build_hnsw",
    "build_index",
    "cascade",
    "delete_from_index",
    "distill",
    "doctor",
    "embed",
    "encode_symbols",
    "evaluate",
    "export",
    "export_index",
    "fill",
    "finetune",
    "fuse_entities",
    "learn_symbols",
    "link_entities",
    "load",
    "load_index",
    "load_probes",
    "load_run",
    "map_index",
    "mine_paraphrases",
    "models",
    "named_task",
    "page_from_attention",
    "phrases",
    "plan_adaptation",
    "predict",
    "pretrain",
    "probe",
    "prune",
    "read_record",
    "report",
    "search",
    "serve",
    "study_attention",
    "study_codes",
    "study_commonsense",
    "study_context",
    "study_crossmodal",
    "study_entities",
    "study_finetuning",
    "study_heads",
    "study_languages",
    "study_layers",
    "study_neighbours",
    "study_patterns",
    "study_relations",
    "study_senses",
    "study_sentences",
    "study_shrink",
    "study_similarity",
    "study_syntax",
    "study_words",
    "to_static",
    "tokenizer",
    "train_knowledge_graph",
    "train_sentences",
    "tune_search",
    "worth",
]

_HOMES = {
    "BadInput": ("wordworth.errors", "BadInput"),
    "FineTuned": ("wordworth.inference.predict", "FineTuned"),
    "LongTextWarning": ("wordworth.errors", "LongTextWarning"),
    "Probes": ("wordworth.inference.frozen_probes", "Probes"),
    "Progress": ("wordworth.progress", "Progress"),
    "Record": ("wordworth.records", "Record"),
    "ReportPage": ("wordworth.report_page", "ReportPage"),
    "Step": ("wordworth.progress", "Step"),
    "ZeroVectorWarning": ("wordworth.errors", "ZeroVectorWarning"),
    "adapt": ("wordworth.training.pretraining", "adapt"),
    "add_to_index": ("wordworth.retrieval.change_index", "add_to_index"),
    "build_hnsw": ("wordworth.retrieval.build_hnsw", "build_hnsw"),
    "build_index": ("wordworth.retrieval.change_index", "build_index"),
    "delete_from_index": ("wordworth.retrieval.change_index", "delete_from_index"),
    "distill": ("wordworth.studies.distill", "distill"),
    "doctor": ("wordworth.serving.doctor", "doctor"),
    "embed": ("wordworth.inference.embed", "embed"),
    "encode_symbols": ("wordworth.inference.encode_with_codebook", "encode_symbols"),
    "evaluate": ("wordworth.studies.evaluate", "evaluate"),
    "export_index": ("wordworth.retrieval.export_index", "export_index"),
    "export": ("wordworth.inference.export", "export"),
    "fill": ("wordworth.inference.fill_mask", "fill"),
    "finetune": ("wordworth.studies.finetune", "finetune"),
    "fuse_entities": ("wordworth.inference.fuse_entities", "fuse_entities"),
    "learn_symbols": ("wordworth.studies.codebook", "learn_symbols"),
    "link_entities": ("wordworth.inference.insert_entity_links", "link_entities"),
    "load": ("wordworth.models.load", "load"),
    "load_index": ("wordworth.retrieval.search", "load_index"),
    "load_probes": ("wordworth.inference.frozen_probes", "load_probes"),
    "load_run": ("wordworth.inference.predict", "load_run"),
    "map_index": ("wordworth.studies.corpus_map", "map_index"),
    "mine_paraphrases": ("wordworth.retrieval.paraphrase_mining", "mine_paraphrases"),
    "named_task": ("wordworth.tasks.datasets", "named_task"),
    "page_from_attention": ("wordworth.studies.attention.page_from_arrays", "page_from_attention"),
    "phrases": ("wordworth.training.objectives.masking.find_phrases", "phrases"),
    "predict": ("wordworth.inference.predict", "predict"),
    "pretrain": ("wordworth.training.pretraining", "pretrain"),
    "probe": ("wordworth.studies.layers", "probe"),
    "cascade": ("wordworth.studies.cascade", "cascade"),
    "plan_adaptation": ("wordworth.studies.adaptation", "plan_adaptation"),
    "prune": ("wordworth.studies.prune", "prune"),
    "read_record": ("wordworth.records", "read"),
    "report": ("wordworth.studies.report_folder", "report"),
    "search": ("wordworth.retrieval.search", "search"),
    "serve": ("wordworth.serving.run_server", "serve"),
    "study_attention": ("wordworth.studies.attention", "attention"),
    "study_codes": ("wordworth.studies.medical_codes", "codes"),
    "study_commonsense": ("wordworth.studies.commonsense", "commonsense"),
    "study_context": ("wordworth.studies.contextuality", "context"),
    "study_crossmodal": ("wordworth.studies.crossmodal", "crossmodal"),
    "study_entities": ("wordworth.studies.entities", "entities"),
    "study_neighbours": ("wordworth.studies.neighbours", "neighbours"),
    "study_patterns": ("wordworth.studies.attention_patterns", "patterns"),
    "study_finetuning": ("wordworth.studies.finetuning_changes", "finetuning_changes"),
    "study_layers": ("wordworth.studies.layers", "layers"),
    "study_heads": ("wordworth.studies.heads", "heads"),
    "study_relations": ("wordworth.studies.syntactic_relations", "relations"),
    "study_senses": ("wordworth.studies.senses", "senses"),
    "study_languages": ("wordworth.studies.languages", "languages"),
    "study_sentences": ("wordworth.studies.sentences", "sentences"),
    "study_shrink": ("wordworth.studies.shrink", "shrink"),
    "study_similarity": ("wordworth.studies.similarity", "similarity"),
    "study_syntax": ("wordworth.studies.syntax", "syntax"),
    "study_words": ("wordworth.studies.word_benchmarks", "words"),
    "to_static": ("wordworth.models.static.distillation", "to_static"),
    "tokenizer": ("wordworth.text.train_tokenizer", "tokenizer"),
    "train_knowledge_graph": ("wordworth.studies.knowledge_graph", "train_knowledge_graph"),
    "train_sentences": ("wordworth.studies.train_sentences", "train_sentences"),
    "tune_search": ("wordworth.retrieval.hybrid_weight_tuning", "tune_search"),
    "worth": ("wordworth.studies.worth", "worth"),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - PEP 562: names load when first used, so that import stays fast
    if name == "models":  # the package of that name, which is a function too
        return import_module("wordworth.models")
    if name not in _HOMES:
        raise AttributeError(f"module 'wordworth' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    loaded = [name for name, value in globals().items() if name.startswith("__") or isinstance(value, ModuleType)]
    return sorted({*loaded, *__all__})
