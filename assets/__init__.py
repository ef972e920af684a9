"""Middle floor: what is made - one package a stage, in the order in which data flows."""
