"""What vectors of single words are asked: similarity, analogy, category, relation."""
