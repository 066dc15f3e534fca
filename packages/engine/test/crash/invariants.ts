import type { Prediction } from './generate-workflows.ts'
import { msWithout, type ObservedExecution, type Observations, withoutProcess } from './observations.ts'

/** Predicts the end of an execution of a version with an input number. */
export type Predict = (versionId: string, n: number) => Prediction

/** The invariants of a run. Each check returns its violations as text. */
export const invariants: readonly {
  readonly name: string
  readonly broken: (seen: Observations, predict: Predict, limits: Limits) => readonly string[]
}[] = [
  { name: 'every acknowledged execution has ended', broken: unendedExecutions },
  { name: 'every execution has the expected end and the expected effects', broken: unexpectedEnds },
  { name: 'no execution was started twice', broken: repeatedStarts },
  { name: 'every child was started once', broken: unexpectedChildren },
  { name: 'no claim, wait, listener or message remains', broken: leftovers },
  { name: 'no effect was repeated after its outcome was journalled', broken: repeatedEffects },
  { name: 'no effect was performed under two keys', broken: effectsWithTwoKeys },
  { name: 'every execution of a killed process was recovered in time', broken: lateRecoveries },
  { name: 'no timer fired early or too late', broken: mistimedTimers },
  { name: 'every journal leads to the recorded end', broken: ({ differences }) => differences },
  { name: 'usage is metered exactly', broken: wrongUsage },
  { name: 'no process ended by itself', broken: ({ deaths }) => deaths },
]

/** The permitted delays. */
export interface Limits {
  readonly recoveryMsMax: number
  readonly timerLateMsMax: number
}

/** The guarantees of docs/reliability.md. */
export const guaranteedLimits: Limits = { recoveryMsMax: 30_000, timerLateMsMax: 2_000 }

/** The title of the error with which the engine ends a dead letter. */
const DEAD_LETTER_TITLE = 'Dead letter'

const ended = new Set(['completed', 'faulted', 'cancelled'])

/** Follows the retries of an execution to the last one. */
function lastRetryOf(id: string, successors: ReadonlyMap<string, string>): string {
  let last = id
  for (let next = successors.get(last); next !== undefined; next = successors.get(last)) last = next
  return last
}

function successorsOf(executions: readonly ObservedExecution[]): ReadonlyMap<string, string> {
  return new Map(executions.flatMap(({ id, retryOf }) => (retryOf === undefined ? [] : [[retryOf, id]])))
}

function unendedExecutions({ starts, executions }: Observations): readonly string[] {
  const byId = new Map(executions.map((execution) => [execution.id, execution]))
  const successors = successorsOf(executions)
  const acknowledged = starts.flatMap(({ token, acknowledged: ids }) => {
    if (ids.size === 0) return [`start ${token} was never acknowledged`]
    return [...ids].flatMap((id) => {
      const last = byId.get(lastRetryOf(id, successors))
      if (last === undefined) return [`${id} was acknowledged and is gone`]
      return isDeadLetter(last) ? [`${last.id} is a dead letter without a retry`] : []
    })
  })
  return [...acknowledged, ...executions.filter(({ state }) => !ended.has(state)).map(({ id, state }) => `${id} is ${state}`)]
}

function isDeadLetter({ error }: ObservedExecution): boolean {
  return error?.title === DEAD_LETTER_TITLE
}

/** Dead letters and their ancestors have no expected end; retries of dead letters have the expected end of the original. */
function unexpectedEnds({ executions, deadLettered, effects }: Observations, predict: Predict): readonly string[] {
  const children = ancestorsOfDeadLetters(executions, deadLettered)
  const done = new Map<string, Map<string, number>>()
  for (const { executionId, label } of effects.values()) {
    const counts = done.get(executionId) ?? new Map<string, number>()
    done.set(executionId, counts.set(label, (counts.get(label) ?? 0) + 1))
  }
  return executions.flatMap((execution) => {
    const { id, versionId, n } = execution
    if (isDeadLetter(execution)) return deadLettered.has(id) || children.has(id) ? [] : [`${id} ended as a dead letter and has none`]
    // A child is cancelled when its parent ends without it.
    if (execution.state === 'cancelled' && execution.parentId !== undefined && children.has(execution.parentId)) return []
    const expected = predict(versionId, n)
    const wrong =
      endOf(execution) === expectedEndOf(expected) ? [] : [`${id} ended as ${endOf(execution)}, expected was ${expectedEndOf(expected)}`]
    // Effects before the retry belong to the id of the original.
    if (execution.retryOf !== undefined) return wrong
    const answer = expected.answer === undefined ? undefined : JSON.stringify({ n: expected.answer })
    const said = execution.answer === undefined ? undefined : JSON.stringify(execution.answer)
    if (answer !== said) wrong.push(`${id} replied ${said}, expected was ${answer}`)
    const own = done.get(id) ?? new Map<string, number>()
    for (const [label, count] of expected.effects)
      if ((own.get(label) ?? 0) < count) wrong.push(`${id} ended without performing its effect ${label} ${count} times`)
    for (const label of own.keys()) if (!expected.effects.has(label)) wrong.push(`${id} performed the unexpected effect ${label}`)
    return wrong
  })
}

function ancestorsOfDeadLetters(executions: readonly ObservedExecution[], deadLettered: ReadonlySet<string>): ReadonlySet<string> {
  const parents = new Set<string>()
  const byId = new Map(executions.map((execution) => [execution.id, execution]))
  for (const id of deadLettered) for (let at = byId.get(id)?.parentId; at !== undefined; at = byId.get(at)?.parentId) parents.add(at)
  return parents
}

function endOf({ state, output, error }: ObservedExecution): string {
  return state === 'faulted' ? `faulted ${error?.type}` : `${state} ${JSON.stringify(output)}`
}

function expectedEndOf({ end }: Prediction): string {
  return end.state === 'faulted' ? `faulted ${end.type}` : `completed ${JSON.stringify({ n: end.n })}`
}

function repeatedStarts({ starts, executions, keys }: Observations): readonly string[] {
  const known = new Set<string>()
  const wrong = starts.flatMap(({ token, acknowledged }) => {
    const ids = keys.get(`start-${token}`) ?? []
    for (const id of ids) known.add(id)
    if (ids.length !== 1) return [`start ${token} has ${ids.length} executions by its key`]
    return [...acknowledged].filter((id) => id !== ids[0]).map((id) => `start ${token} was acknowledged as ${id} and is ${ids[0]}`)
  })
  const unknown = executions.filter(({ id, actor, retryOf }) => actor === 'system:crash' && retryOf === undefined && !known.has(id))
  return [...wrong, ...unknown.map(({ id }) => `${id} belongs to no start`)]
}

function unexpectedChildren({ executions, deadLettered }: Observations, predict: Predict): readonly string[] {
  const detached = new Map<string, number>()
  for (const { actor, parentId } of executions) {
    const starter = /^execution:(.+)$/.exec(actor)?.[1]
    if (starter !== undefined && parentId === undefined) detached.set(starter, (detached.get(starter) ?? 0) + 1)
  }
  const touched = ancestorsOfDeadLetters(executions, deadLettered)
  return executions.flatMap(({ id, versionId, n, retryOf, ...execution }) => {
    if (retryOf !== undefined || deadLettered.has(id) || touched.has(id) || execution.state === 'cancelled') return []
    const [count, wanted] = [detached.get(id) ?? 0, predict(versionId, n).detached]
    return count === wanted ? [] : [`${id} started ${count} detached children, expected were ${wanted}`]
  })
}

function leftovers({ left }: Observations): readonly string[] {
  return Object.entries(left).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what} are left`]))
}

function repeatedEffects({ effects, outcomes }: Observations): readonly string[] {
  return [...outcomes].flatMap(([key, writtenAtMs]) => {
    const effect = effects.get(key)
    if (effect === undefined || effect.lastAtMs <= writtenAtMs) return []
    return [`${effect.label} of ${effect.executionId} was requested ${effect.lastAtMs - writtenAtMs} ms after its outcome was journalled`]
  })
}

function effectsWithTwoKeys({ effects, executions }: Observations, predict: Predict): readonly string[] {
  const byId = new Map(executions.map((execution) => [execution.id, execution]))
  const counts = new Map<string, { readonly executionId: string; readonly label: string; count: number }>()
  for (const { executionId, label } of effects.values()) {
    const name = `${executionId} ${label}`
    const counted = counts.get(name) ?? { executionId, label, count: 0 }
    counted.count += 1
    counts.set(name, counted)
  }
  return [...counts.values()].flatMap(({ executionId, label, count }) => {
    const execution = byId.get(executionId)
    if (execution === undefined) return [`${label} was performed for the unknown execution ${executionId}`]
    // A retry has its own count.
    const allowed = predict(execution.versionId, execution.n).effects.get(label) ?? 1
    return count <= allowed ? [] : [`${label} of ${executionId} was performed under ${count} keys, expected were ${allowed}`]
  })
}

function lateRecoveries({ recoveries, outages }: Observations, _foretell: Predict, { recoveryMsMax }: Limits): readonly string[] {
  return recoveries.flatMap(({ executionId, killedAtMs, progressAtMs, pid }) => {
    if (progressAtMs === undefined)
      return [`${executionId} made no progress after ${pid === undefined ? 'it was lost' : `process ${pid} was killed`}`]
    const ms = msWithout(outages, killedAtMs, progressAtMs)
    return ms <= recoveryMsMax
      ? []
      : [`${executionId} made progress ${ms} ms after ${pid === undefined ? 'it was lost' : `process ${pid} was killed`}`]
  })
}

/** The time without a living process does not count, because the check of recoveries covers it. */
function mistimedTimers({ timers, recoveries, outages }: Observations, _foretell: Predict, { timerLateMsMax }: Limits): readonly string[] {
  const dead = Map.groupBy(recoveries, ({ executionId }) => executionId)
  return timers.flatMap(({ executionId, position, dueAtMs, firedAtMs }) => {
    if (firedAtMs < dueAtMs) return [`${position} of ${executionId} fired ${dueAtMs - firedAtMs} ms early`]
    const late = msWithout([...outages, ...(dead.get(executionId) ?? []).map(withoutProcess)], dueAtMs, firedAtMs)
    return late <= timerLateMsMax ? [] : [`${position} of ${executionId} fired ${late} ms late`]
  })
}

function wrongUsage({ usage }: Observations): readonly string[] {
  return usage.flatMap(({ accountId, metered, counted }) =>
    (['executions', 'tasks'] as const).flatMap((meter) =>
      metered[meter] === counted[meter] ? [] : [`${accountId} has ${counted[meter]} ${meter}, and ${metered[meter]} were metered`],
    ),
  )
}
