"""Fourth stage: the dense and the sparse index, searching them, and releases."""
