"""From a token store to a language model: recipe, plan, loop, checkpoints, and the folder that comes out."""
