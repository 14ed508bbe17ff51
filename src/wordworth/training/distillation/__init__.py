"""Knowledge distillation: a student with fewer layers learns from the outputs of a fine-tuned teacher."""
