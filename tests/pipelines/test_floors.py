"""The house stands: imports only go down, and a stage knows none of those after it."""

import ast
from functools import cache
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
FLOORS = ["resources", "assets", "pipelines"]
STAGES = ["corpus", "parsing", "factuality", "retrieval", "answering", "evaluation"]

#: The modules that are Dagster's view of the middle floor.
DAGSTERS = {"assets/reporting.py"} | {
    f"assets/{stage}/{name}.py" for stage in STAGES for name in ("assets", "audits", "checks")
}

MODULES = [
    path.relative_to(CHECKOUT) for floor in FLOORS for path in (CHECKOUT / floor).rglob("*.py")
]
MIDDLE = [path for path in MODULES if path.parts[0] == "assets"]


@cache
def nodes(module: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse((CHECKOUT / module).read_text(encoding="utf-8"))))


@cache
def imported(module: Path) -> set[str]:
    """Dotted names of everything that a module imports, also inside its functions."""
    found = set()
    for node in nodes(module):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            found |= {f"{node.module}.{name.name}" for name in node.names}
    return found


def floor_of(name: str) -> str:
    return name.partition(".")[0]


def test_the_floors_are_found() -> None:
    assert {path.parts[0] for path in MODULES} == set(FLOORS)
    assert {path.parts[1] for path in MIDDLE if len(path.parts) == 3} == set(STAGES)


def test_imports_only_go_down() -> None:
    for module in MODULES:
        above = FLOORS[FLOORS.index(module.parts[0]) + 1 :]
        assert not {name for name in imported(module) if floor_of(name) in above}, module


def test_a_stage_imports_none_after_it() -> None:
    for module in MIDDLE:
        # What all stages share stands beside them and imports none.
        own = STAGES.index(module.parts[1]) if len(module.parts) == 3 else -1
        later = {f"assets.{stage}" for stage in STAGES[own + 1 :]}
        stages = {".".join(name.split(".")[:2]) for name in imported(module)}
        assert not stages & later, module


def test_only_dagsters_own_modules_know_dagster() -> None:
    for module in MODULES:
        if module.parts[0] != "pipelines" and module.as_posix() not in DAGSTERS:
            assert "dagster" not in {floor_of(name) for name in imported(module)}, module


def test_only_dagsters_own_modules_read_the_clock_or_the_network() -> None:
    outside = {"time", "random", "socket", "httpx", "requests", "urllib", "subprocess", "os"}
    for module in MIDDLE:
        if module.as_posix() not in DAGSTERS:
            assert not outside & {floor_of(name) for name in imported(module)}, module


def test_annotations_are_evaluated_where_dagster_reads_them() -> None:
    for module in MODULES:
        tree = ast.parse((CHECKOUT / module).read_text(encoding="utf-8"))
        context = any(
            isinstance(node, ast.arg) and node.arg == "context" for node in ast.walk(tree)
        )
        assert not context or "__future__.annotations" not in set(imported(module)), module
