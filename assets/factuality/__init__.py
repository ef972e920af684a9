"""Third stage: atomic claims of each chunk, and its factual density."""
