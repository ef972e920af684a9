"""Fifth stage: answers in which every sentence points to a page."""
