import { faultOf, type JsonObject, workflowEvent } from '@millrace/engine'
import { type EndedExecution, findEnded } from '@millrace/engine/storage'
import { labelsView } from '#modules/executions/index.ts'
import type { ReadyFiring } from '#modules/triggers/firing/firing-store.ts'
import { findVersionNames, type VersionNames } from '#modules/workflows/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'

/** The page of an execution; undefined if the address of the installation is not known. */
export type RunUrl = (executionId: string) => string | undefined

/** Gives firings by ends their events; those of executions that are not kept any more are gone. */
export async function withEndEvents(
  tx: Tx,
  firings: readonly ReadyFiring[],
  urlOf: RunUrl,
): Promise<{ readonly firings: readonly ReadyFiring[]; readonly gone: readonly ReadyFiring[] }> {
  const byEnds = firings.filter(isByEnd)
  if (byEnds.length === 0) return { firings, gone: [] }
  const ended = await findEnded(tx, [...new Set(byEnds.flatMap(({ executionId }) => executionId ?? []))])
  const names = await findVersionNames(tx, [...new Set([...ended.values()].map(({ versionId }) => versionId))])
  const eventOf = ({ executionId }: ReadyFiring) => {
    const execution = executionId === undefined ? undefined : ended.get(executionId)
    const version = execution && names.get(execution.versionId)
    return execution && version && endEvent(execution, version, urlOf)
  }
  return {
    firings: firings.flatMap((firing) => {
      if (!isByEnd(firing)) return [firing]
      const event = eventOf(firing)
      return event === undefined ? [] : [{ ...firing, event }]
    }),
    gone: byEnds.filter((firing) => eventOf(firing) === undefined),
  }
}

/** Not yet complete: the end of an execution is its event. The events of a set are stored with it. */
const isByEnd = ({ executionId, events }: ReadyFiring) => executionId !== undefined && events === undefined

/** The lifecycle event of an end, with what a workflow needs that the end starts. */
export function endEvent(execution: EndedExecution, { number, name, document }: VersionNames, urlOf: RunUrl): JsonObject {
  const { id, workflowId, state, error, trigger, retryOf, createdAt, startedAt, endedAt, labels } = execution
  const url = urlOf(id)
  return workflowEvent({ publicId: toTypeId('exec', id), document }, state, endedAt.getTime(), {
    ...faultOf(error),
    execution: {
      id: toTypeId('exec', id),
      state,
      trigger,
      startedBy: startedBy(execution),
      createdAt: createdAt.toISOString(),
      startedAt: startedAt?.toISOString() ?? null,
      endedAt: endedAt.toISOString(),
      ...labelsView(labels),
      ...(retryOf === undefined ? {} : { retryOf: toTypeId('exec', retryOf) }),
      ...(url === undefined ? {} : { url }),
    },
    workflow: { id: toTypeId('wf', workflowId), name, version: number, document: { ...document } },
  })
}

/** The actor as users see it: that of a workflow which another one started names the other execution. */
function startedBy({ actor }: EndedExecution): string {
  const [kind, id = ''] = actor.split(':')
  return kind === 'execution' && id.includes('-') ? `execution:${toTypeId('exec', id)}` : actor
}
