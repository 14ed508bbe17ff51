"""Python and the command line offer the same: a function for each command, a parameter for each option.

Name, type and default of every option are compared with those of the function's parameter, both of which are made once
in the settings classes. What one of them has alone stands in a list here, with its reason.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path

import click
import pytest
from tests.public_functions import FUNCTIONS, hints

import wordworth as ww
from wordworth import errors
from wordworth.cli.app import COMMANDS
from wordworth.cli.study import OURS
from wordworth.text.file_formats.in_memory import TableSource

TWINS = {
    **{name: name.replace("-", "_") for name in COMMANDS if name not in {"study", "search", "kg", "symbols"}},
    **{f"study {name}": f"study_{name}" for name in OURS},
    "search build": "build_index",
    "search ask": "search",
    "search add": "add_to_index",
    "search delete": "delete_from_index",
    "search export": "export_index",
    "search hnsw": "build_hnsw",
    "search map": "map_index",
    "search mine": "mine_paraphrases",
    "search tune": "tune_search",
    "kg train": "train_knowledge_graph",
    "symbols learn": "learn_symbols",
    "symbols encode": "encode_symbols",
    "kg fuse": "fuse_entities",
    "kg link": "link_entities",
}
"""Each command -> the name of its function."""
SETTINGS = {
    "worth": [
        "studies.worth.settings:WorthReadSettings",
        "studies.worth.settings:WorthSettings",
        "studies.worth.planning.settings:PlanSettings",
    ],
    "finetune": ["tasks.reading.settings:ReadSettings", "training.finetuning.settings:FinetuneSettings"],
    "distill": ["studies.distill.settings:DistillSettings"],
    "evaluate": ["studies.evaluate.settings:EvaluateSettings"],
    "fill": ["inference.fill_settings:FillSettings"],
    "predict": ["inference.predict_settings:PredictSettings"],
    "probe": ["studies.layers.settings:ProbeSettings"],
    "cascade": ["studies.cascade.settings:CascadeSettings"],
    "prune": ["studies.prune.settings:PruneSettings"],
    "train-sentences": ["training.sentences.settings:SentenceTrainingSettings"],
    "kg fuse": ["inference.entity_settings:FuseSettings"],
    "kg link": ["inference.entity_settings:LinkSettings"],
    "kg train": ["training.knowledge_graph.settings:GraphTrainingSettings"],
    "symbols learn": ["training.codebook.settings:CodebookSettings"],
    "symbols encode": ["inference.encode_with_codebook:EncodeSymbolsSettings"],
    "embed": ["inference.embed_settings:EmbedSettings"],
    "export": ["inference.export.settings:ExportSettings"],
    "search add": ["retrieval.settings:AddSettings"],
    "search build": ["retrieval.settings:IndexSettings"],
    "search tune": ["retrieval.hybrid_weight_tuning:TuneSettings"],
    "search export": ["retrieval.export_index:ExportIndexSettings"],
    "search hnsw": ["retrieval.build_hnsw:HnswSettings"],
    "search map": ["studies.corpus_map.settings:MapSettings"],
    "search mine": ["retrieval.paraphrase_mining:MineSettings"],
    "search ask": ["retrieval.settings:SearchSettings"],
    "serve": ["serving.settings:ServeSettings"],
    "tokenizer": ["text.subwords.settings:TokenizerSettings", "text.corpus.read_documents:CorpusSettings"],
    "phrases": [
        "training.objectives.masking.phrase_settings:PhraseSettings",
        "text.corpus.read_documents:CorpusSettings",
    ],
    "pretrain": ["training.pretraining.settings:PretrainSettings", "text.corpus.read_documents:CorpusSettings"],
    "adapt": ["training.pretraining.settings:AdaptSettings", "text.corpus.read_documents:CorpusSettings"],
    "to-static": ["models.static.distillation.settings:DistilSettings", "text.corpus.read_documents:CorpusSettings"],
    "study context": ["studies.contextuality.settings:ContextSettings"],
    "study attention": ["studies.attention.settings:AttentionSettings"],
    "study neighbours": ["studies.neighbours.settings:NeighboursSettings"],
    "study patterns": ["studies.attention_patterns.settings:PatternsSettings"],
    "study heads": ["studies.heads.settings:HeadsSettings"],
    "study finetuning": ["studies.finetuning_changes.settings:FinetuningChangesSettings"],
    "study commonsense": ["studies.commonsense.settings:CommonsenseSettings"],
    "study shrink": ["studies.shrink.settings:ShrinkSettings"],
    "study languages": ["studies.languages.settings:LanguagesSettings"],
    "study layers": ["studies.layers.settings:LayersSettings"],
    "study relations": ["studies.syntactic_relations.settings:RelationsSettings"],
    "study senses": ["studies.senses.settings:SensesSettings"],
    "study codes": ["studies.medical_codes.settings:CodesSettings"],
    "study crossmodal": ["studies.crossmodal.settings:CrossmodalSettings"],
    "study entities": ["studies.entities.settings:EntitiesSettings"],
    "study sentences": ["studies.sentences.settings:SentencesSettings"],
    "study similarity": ["studies.similarity.settings:SimilaritySettings"],
    "study syntax": ["studies.syntax.settings:SyntaxSettings"],
    "study words": ["studies.word_benchmarks.settings:WordsSettings"],
}
"""Each command with settings classes -> where they are."""
ONLY_PYTHON = {"load", "load_index", "load_probes", "load_run", "named_task", "page_from_attention", "read_record"}
"""What is loaded to be used in Python, where a command would end before it is used, and arrays that are there alone."""
OF_OPTIONS = {"plan_adaptation"}
"""What a command does by an option: `adapt --plan`."""
ONLY_OPTIONS = {
    ("adapt", "plan"): "plan_adaptation in Python",
    ("adapt", "task"): "of plan_adaptation",
    ("adapt", "control"): "of plan_adaptation",
    ("evaluate", "as_json"): "the record that Python returns has to_json",
    ("search ask", "as_json"): "the table that Python returns has to_json",
}
ONLY_PARAMETERS = {"progress"}
"""The command line draws bars itself."""
ONLY_FIELDS = {
    "nfc": "texts of a corpus are always normalised, in Python too",
    "deduplicate": "documents of a corpus are read once, in Python too",
    "processes": "a corpus is read by a process per core",
    "corpus": "made of text and layout",
    "read_as": "made of text and layout",
    "test_weight": "only `worth` weighs test rows",
    "categories": "only `worth` scores by category",
    "folds": "as many as `seeds`, where no test part is named",
}
"""Fields of settings classes that neither surface offers."""
OTHER_DEFAULTS = {
    "out": "a command has to write somewhere; Python returns what it computed, or needs the folder to be named",
}
KINDS: Mapping[type, set[object]] = {str: {str}, int: {int}, float: {float, int}, bool: {bool}, Path: {Path, str}}


def command_of(name: str) -> click.Command:
    return import_module("wordworth.cli." + name.replace(" ", "_").replace("-", "_")).command


def function_of(name: str) -> typing.Callable[..., object]:
    return FUNCTIONS[TWINS[name]]


def members(hint: object) -> Iterator[object]:
    """The members of a type: a union has several, a `Literal` its values, a sequence of X is X."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        for argument in arguments:
            yield from members(argument)
    elif origin is typing.Literal:
        yield from arguments
    elif origin in (tuple, Sequence, list):
        for argument in arguments:
            yield from members(argument) if argument is not Ellipsis else ()
    else:
        yield hint


def options(name: str) -> dict[str, click.Parameter]:
    return {option.name or "": option for option in command_of(name).params}


def settings_classes(name: str) -> list[type]:
    places = [place.split(":") for place in SETTINGS.get(name, ())]
    return [getattr(import_module(f"wordworth.{module}"), kind) for module, kind in places]


def fields(name: str) -> list[dataclasses.Field]:
    return [field for settings in settings_classes(name) for field in dataclasses.fields(settings)]


TABLE = set(members(TableSource))
"""What a parameter takes where an option takes a path to a table."""


def test_every_command_has_a_function_and_every_function_a_command():
    functions = {name for name in ww.__all__ if name.islower()}
    assert functions == set(TWINS.values()) | ONLY_PYTHON | OF_OPTIONS


@pytest.mark.parametrize("name", TWINS)
def test_a_command_and_its_function_take_the_same(name):
    parameters = inspect.signature(function_of(name)).parameters
    assert not any(each.kind in {each.VAR_KEYWORD, each.VAR_POSITIONAL} for each in parameters.values())
    mine = {option for option in options(name) if (name, option) not in ONLY_OPTIONS}
    hidden = {field.name for field in fields(name) if not field.metadata.get("option", True)} - set(ONLY_FIELDS)
    assert mine | hidden == set(parameters) - ONLY_PARAMETERS


@pytest.mark.parametrize("name", TWINS)
def test_defaults_are_the_same(name):
    of_settings = {field.name: field.default for field in fields(name) if field.name not in ONLY_FIELDS}
    for parameter in inspect.signature(function_of(name)).parameters.values():
        option = options(name).get(parameter.name)
        if parameter.name in OTHER_DEFAULTS or parameter.name in ONLY_PARAMETERS:
            continue
        if parameter.name in of_settings:
            usual = of_settings[parameter.name]
            expected = inspect.Parameter.empty if usual is dataclasses.MISSING else usual
            assert parameter.default == expected, parameter.name
        elif isinstance(option, click.Option):
            usual = None if option.multiple or option.required else option.to_info_dict()["default"]
            given = None if parameter.default in ((), inspect.Parameter.empty) else parameter.default
            assert given == usual, parameter.name
        else:
            assert isinstance(option, click.Argument)
            assert (parameter.default is inspect.Parameter.empty) == option.required, parameter.name


@pytest.mark.parametrize("name", TWINS)
def test_types_are_the_same(name):
    annotated = hints(function_of(name))
    of_settings = {key: hint for each in settings_classes(name) for key, hint in typing.get_type_hints(each).items()}
    for parameter in inspect.signature(function_of(name)).parameters:
        taken = set(members(annotated[parameter]))
        if parameter in of_settings and parameter not in ONLY_FIELDS:
            wanted = set(members(of_settings[parameter]))
            assert wanted <= taken, parameter
            assert taken - wanted <= {str, Path, int} | TABLE, parameter
        elif parameter in options(name):
            assert kind_of(options(name)[parameter]) & taken, parameter


def kind_of(option: click.Parameter) -> set[object]:
    """The types of Python that an option's words become."""
    if isinstance(option.type, click.Choice):
        return set(option.type.choices)
    if isinstance(option.type, click.Path):
        return KINDS[Path]
    by_name = {"integer": int, "integer range": int, "float": float, "boolean": bool}
    return KINDS[by_name.get(option.type.name, str)]


BY_HAND = {
    "out": "where the command writes, by default elsewhere than Python",
    "as_json": "how the command prints",
    "download": "what `models` does",
    "override": "changes of a recipe's settings, by their names",
    "plan": "what `adapt` does",
}
"""Options that no settings class has."""
READ = {"data", "task", "then", "control", "corpus", "corpora", "models", "folder", "learn_from", "held_out", "index",
        "vectors", "against", "api_key_file", "where"}  # fmt: skip
"""Options that name what is read, in place of an argument."""


@pytest.mark.parametrize("name", TWINS)
def test_options_are_made_of_the_fields_of_settings_classes(name):
    of_settings = {field.name for field in fields(name)}
    others = {option.name for option in command_of(name).params if isinstance(option, click.Option)} - of_settings
    assert others - {"help"} <= set(BY_HAND) | READ


@pytest.mark.parametrize("name", TWINS)
def test_every_option_says_what_it_is_for(name):
    for option in command_of(name).params:
        if isinstance(option, click.Option) and option.name != "help":
            assert option.help, option.name


@pytest.mark.parametrize("name", TWINS)
def test_every_parameter_is_documented(name):
    function = function_of(name)
    text = inspect.getdoc(function) or ""
    parameters = inspect.signature(function).parameters
    for parameter in parameters:
        assert f"\n    {parameter}: " in text or f"{parameter}, " in text, parameter


SOURCE = Path(ww.__file__).parent


def strings_of(path: Path) -> Iterator[str]:
    """The texts of a module's errors and findings, with what is filled in left out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("BadInput", "NotFound", "WordworthError")):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


def sentences_of(path: Path) -> Iterator[str]:
    """The texts of a module that makes findings, without those of errors and its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if not any(isinstance(node, ast.Name) and node.id == "Finding" for node in ast.walk(tree)):
        return
    apart = [node for node in ast.walk(tree) if is_of_an_error(node)]
    left_out = {id(part) for node in apart for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left_out:
            yield node.value


def is_of_an_error(node: ast.AST) -> bool:
    """Whether a node is an error, a part of one that has a name, or a docstring."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            return name in {"what", "mend"}
        case ast.Call():
            return ast.unparse(node.func).endswith(("BadInput", "NotFound"))
        case _:
            return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_the_sentences_of_records_name_no_flag_since_readers_in_python_and_of_the_command_line_share_them():
    sentences = [(path.name, text) for path in SOURCE.rglob("*.py") for text in sentences_of(path)]
    assert len(sentences) > 1000
    assert [told for told in sentences for match in errors._FLAG.finditer(told[1]) if match[1]] == []


def test_an_error_names_an_option_that_both_surfaces_have():
    flags = {flag for name in TWINS for option in command_of(name).params for flag in option.opts}
    keywords = {key for name in TWINS for key in inspect.signature(function_of(name)).parameters} | {"batch_size"}
    texts = [text for path in SOURCE.rglob("*.py") if path.parent.name != "cli" for text in strings_of(path)]
    found = {match[0] for text in texts for match in errors._FLAG.finditer(text) if match[1]}
    assert len(found) > 30
    assert found <= flags
    assert {errors._FLAG.sub(errors._keyword, flag).strip("`") for flag in found} <= keywords
