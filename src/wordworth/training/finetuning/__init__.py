"""Fine-tuning: an encoder under a task head learns from labelled text and is saved as a model folder."""
