"""Training of knowledge graph models, and the ranks by which they are judged."""
