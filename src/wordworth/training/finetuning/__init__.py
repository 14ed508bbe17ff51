"""Fine-tuning: an encoder under a task head learns from labelled text, and becomes a model folder."""
