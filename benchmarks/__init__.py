"""What is measured: each module prints its figures, and anyone can run it."""
