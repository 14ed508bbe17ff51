"""Knowledge distillation: a fine-tuned model with fewer layers learns from the answers of the whole one."""
