"""Sixth stage: how good retrieval, answers and factual density are, by benchmark."""
