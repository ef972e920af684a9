"""Second stage: PDFs to documents of typed blocks, documents to chunks."""
