"""How a run from the UI, a schedule or a sensor is executed: alone, in one process or in several.

A process imports for seconds before a step does anything, and a refresh has some thirty steps with
its checks: where little is new, one process is an order of magnitude quicker than one a step.
"""

from collections.abc import Iterator
from typing import Any

import dagster as dg
from typing_extensions import override

from assets.retrieval.release import current_release
from pipelines.alone import alone, leads_to_release
from pipelines.settings import read_settings
from resources.files import Files

#: Processes of a run that has much to do.
SEVERAL = 2

_RETRIES: dict[str, Any] = {"retries": {"enabled": {}}}
_BUILT_IN = dg.multi_or_in_process_executor


class AloneExecutor(dg.Executor):
    """Another executor, for one run at a time where the run leads to a release."""

    def __init__(self, inner: dg.Executor) -> None:
        self._inner = inner

    @property
    @override
    def retries(self) -> Any:
        return self._inner.retries

    @property
    @override
    def step_dependency_config(self) -> Any:
        return self._inner.step_dependency_config

    @override
    def execute(self, plan_context: Any, execution_plan: Any) -> Iterator[Any]:
        if not leads_to_release(execution_plan.step_keys_to_execute):
            yield from self._inner.execute(plan_context, execution_plan)
            return
        with alone(Files(read_settings().location), plan_context.run_id):
            yield from self._inner.execute(plan_context, execution_plan)


@dg.executor(
    name="alone",
    config_schema={
        "processes": dg.Field(
            dg.IntSource,
            is_required=False,
            description=(
                "Steps side by side, each in a process of its own; 1 makes them one after the "
                f"other in the run's own process. Unless set, {SEVERAL} before the first release, "
                "which has everything to make, and 1 from then on."
            ),
        )
    },
    requirements=_BUILT_IN.get_requirements({"multiprocess": {}}),
)
def alone_executor(init_context: dg.InitExecutorContext) -> AloneExecutor:
    """One run at a time; its steps are spawned, never forked: LanceDB is not safe in a fork."""
    processes = init_context.executor_config.get("processes") or _enough_processes()
    inner = (
        {"in_process": _RETRIES}
        if processes == 1
        else {"multiprocess": {**_RETRIES, "max_concurrent": processes}}
    )
    create: Any = _BUILT_IN.executor_creation_fn
    return AloneExecutor(create(init_context._replace(executor_config=inner)))


def _enough_processes() -> int:
    released = current_release(Files(read_settings().location))
    return SEVERAL if released is None else 1
