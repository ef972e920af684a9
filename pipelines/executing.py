"""How a run from the UI, a schedule or a sensor is executed: alone, in one process or in several.

A process costs seconds of importing before a step does anything, and a refresh has some thirty
steps with its checks: one process is by far the quickest for little work, several for much.
"""

from collections.abc import Iterator
from typing import Any

import dagster as dg
from typing_extensions import override

from pipelines.alone import alone, leads_to_release
from pipelines.settings import read_settings
from resources.files import Files

#: Processes of a run that may have much to do.
SEVERAL = 2

#: For `RunConfig(execution=…)`: all steps in the run's own process.
IN_ONE_PROCESS = {"config": {"processes": 1}}

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
            default_value=SEVERAL,
            description=(
                "Steps side by side, each in a process of its own; 1 makes them one after the "
                "other in the run's own process, which is quicker where little is new."
            ),
        )
    },
    requirements=lambda config: _BUILT_IN.get_requirements(_built_in_config(config)),
)
def alone_executor(init_context: dg.InitExecutorContext) -> AloneExecutor:
    """One run at a time; its steps are spawned, never forked: LanceDB is not safe in a fork."""
    inner = init_context._replace(executor_config=_built_in_config(init_context.executor_config))
    create: Any = _BUILT_IN.executor_creation_fn
    return AloneExecutor(create(inner))


def _built_in_config(config: Any) -> dict[str, Any]:
    processes = int(config.get("processes", SEVERAL))
    if processes == 1:
        return {"in_process": _RETRIES}
    return {"multiprocess": {**_RETRIES, "max_concurrent": processes}}
