"""Adapters of Wordworth to LangChain, MLflow, MTEB and model cards; a module needs the library it is named after."""
