"""Ground floor: the outside - one file a thing, knowing nothing of the graph or its stages."""
