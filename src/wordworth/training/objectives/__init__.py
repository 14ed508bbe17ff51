"""Training objectives of language models, one file per objective."""
