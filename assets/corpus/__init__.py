"""First stage: which papers there are, and their PDFs."""
