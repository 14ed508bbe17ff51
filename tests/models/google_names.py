"""Names of the original TensorFlow checkpoints of BERT: slashes, gamma and beta, kernels [in, out]."""

from __future__ import annotations

from wordworth.models.weight_mapping import Row, WeightMap


def _linear(ours: str, *theirs: str) -> tuple[Row, Row]:
    kernel = Row(f"{ours}.weight", tuple(f"{name}/kernel" for name in theirs), transposed=True)
    return kernel, Row(f"{ours}.bias", tuple(f"{name}/bias" for name in theirs))


def _norm(ours: str, theirs: str) -> tuple[Row, Row]:
    return Row(f"{ours}.weight", (f"{theirs}/gamma",)), Row(f"{ours}.bias", (f"{theirs}/beta",))


_LAYER = "encoder/layer_{}"
GOOGLE_BERT = WeightMap(
    rows=(
        Row("embedding.word.weight", ("embeddings/word_embeddings",)),
        Row("embedding.position.weight", ("embeddings/position_embeddings",)),
        Row("embedding.segment.weight", ("embeddings/token_type_embeddings",)),
        *_norm("embedding.norm", "embeddings/LayerNorm"),
        *_linear("pooler", "pooler/dense"),
    ),
    layer_rows=(
        *_linear(
            "body.layers.{}.attention.qkv",
            *(f"{_LAYER}/attention/self/{part}" for part in ("query", "key", "value")),
        ),
        *_linear("body.layers.{}.attention.output", f"{_LAYER}/attention/output/dense"),
        *_norm("body.layers.{}.attention_norm", f"{_LAYER}/attention/output/LayerNorm"),
        *_linear("body.layers.{}.mlp.up", f"{_LAYER}/intermediate/dense"),
        *_linear("body.layers.{}.mlp.down", f"{_LAYER}/output/dense"),
        *_norm("body.layers.{}.mlp_norm", f"{_LAYER}/output/LayerNorm"),
    ),
    head_rows=(
        *_linear("heads.mlm.dense", "cls/predictions/transform/dense"),
        *_norm("heads.mlm.norm", "cls/predictions/transform/LayerNorm"),
        Row("heads.mlm.bias", ("cls/predictions/output_bias",)),
        Row("heads.nsp.weight", ("cls/seq_relationship/output_weights",)),
        Row("heads.nsp.bias", ("cls/seq_relationship/output_bias",)),
        Row("heads.classifier.weight", ("output_weights",)),
        Row("heads.classifier.bias", ("output_bias",)),
        Row("heads.span.weight", ("cls/squad/output_weights",)),
        Row("heads.span.bias", ("cls/squad/output_bias",)),
    ),
    prefix="bert/",
    ignored=("adam_m", "adam_v", "global_step"),
)
"""`kernel` is transposed, `output_weights` is not; the optimizer's state is ignored."""
