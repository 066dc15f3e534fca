import type { Foretelling } from './generate-workflows.ts'
import { msWithout, type ObservedExecution, type Observations, withoutProcess } from './observations.ts'

/** What must come of a version that is given a number. */
export type Foretell = (versionId: string, n: number) => Foretelling

/** What a run must hold to. Each gives what breaks it, in words. */
export const invariants: readonly {
  readonly name: string
  readonly broken: (seen: Observations, foretell: Foretell, limits: Limits) => readonly string[]
}[] = [
  { name: 'every acknowledged execution has ended', broken: unended },
  { name: 'each ended as was foretold, and did what was foretold', broken: endedWrong },
  { name: 'none was started twice', broken: startedTwice },
  { name: 'each started its children once', broken: childrenWrong },
  { name: 'nothing is left claimed, waited for or on its way', broken: leftOver },
  { name: 'no effect was done again once its outcome was in the journal', broken: doneAgain },
  { name: 'no effect was done under two keys', broken: underTwoKeys },
  { name: 'all that a killed process held went on in time', broken: recoveredLate },
  { name: 'no timer fired early, none too late', broken: timersWrong },
  { name: 'every journal leads to the end on record', broken: ({ differences }) => differences },
  { name: 'no process ended by itself', broken: ({ deaths }) => deaths },
]

/** How long things may take that nobody can make happen at once. */
export interface Limits {
  readonly recoveryMsMax: number
  readonly timerLateMsMax: number
}

/** What is promised. */
export const promised: Limits = { recoveryMsMax: 30_000, timerLateMsMax: 2_000 }

/** Titles of the ends that the engine gives to what it gives up. */
const GIVEN_UP = 'Given up'

const ended = new Set(['completed', 'faulted', 'cancelled'])

/** What was given up goes on as a new execution: the last one of them. */
function lastOf(id: string, successors: ReadonlyMap<string, string>): string {
  let last = id
  for (let next = successors.get(last); next !== undefined; next = successors.get(last)) last = next
  return last
}

function successorsOf(executions: readonly ObservedExecution[]): ReadonlyMap<string, string> {
  return new Map(executions.flatMap(({ id, retryOf }) => (retryOf === undefined ? [] : [[retryOf, id]])))
}

function unended({ starts, executions }: Observations): readonly string[] {
  const byId = new Map(executions.map((execution) => [execution.id, execution]))
  const successors = successorsOf(executions)
  const acknowledged = starts.flatMap(({ token, acknowledged: ids }) => {
    if (ids.size === 0) return [`start ${token} was never acknowledged`]
    return [...ids].flatMap((id) => {
      const last = byId.get(lastOf(id, successors))
      if (last === undefined) return [`${id} was acknowledged and is gone`]
      return isGivenUp(last) ? [`${last.id} was given up and did not go on`] : []
    })
  })
  return [...acknowledged, ...executions.filter(({ state }) => !ended.has(state)).map(({ id, state }) => `${id} is ${state}`)]
}

function isGivenUp({ error }: ObservedExecution): boolean {
  return error?.title === GIVEN_UP
}

/** Of what was given up, and of who waited for it, nothing is foretold; who goes on from it is held to it again. */
function endedWrong({ executions, deadLettered, effects }: Observations, foretell: Foretell): readonly string[] {
  const children = givenUpUnder(executions, deadLettered)
  const done = new Map<string, Map<string, number>>()
  for (const { executionId, label } of effects.values()) {
    const counts = done.get(executionId) ?? new Map<string, number>()
    done.set(executionId, counts.set(label, (counts.get(label) ?? 0) + 1))
  }
  return executions.flatMap((execution) => {
    const { id, versionId, n } = execution
    if (isGivenUp(execution)) return deadLettered.has(id) || children.has(id) ? [] : [`${id} was given up without a dead letter`]
    // Whoever nobody waits for any more is cancelled.
    if (execution.state === 'cancelled' && execution.parentId !== undefined && children.has(execution.parentId)) return []
    const foretold = foretell(versionId, n)
    const wrong =
      endOf(execution) === endForetold(foretold) ? [] : [`${id} ended as ${endOf(execution)}, foretold was ${endForetold(foretold)}`]
    // What was done before it was given up was done under another id.
    if (execution.retryOf !== undefined) return wrong
    const answer = foretold.answer === undefined ? undefined : JSON.stringify({ n: foretold.answer })
    const said = execution.answer === undefined ? undefined : JSON.stringify(execution.answer)
    if (answer !== said) wrong.push(`${id} answered ${said}, foretold was ${answer}`)
    const own = done.get(id) ?? new Map<string, number>()
    for (const [label, count] of foretold.effects)
      if ((own.get(label) ?? 0) < count) wrong.push(`${id} ended without its effect ${label} having been done ${count} times`)
    for (const label of own.keys()) if (!foretold.effects.has(label)) wrong.push(`${id} did ${label}, which was not foretold`)
    return wrong
  })
}

function givenUpUnder(executions: readonly ObservedExecution[], deadLettered: ReadonlySet<string>): ReadonlySet<string> {
  const parents = new Set<string>()
  const byId = new Map(executions.map((execution) => [execution.id, execution]))
  for (const id of deadLettered) for (let at = byId.get(id)?.parentId; at !== undefined; at = byId.get(at)?.parentId) parents.add(at)
  return parents
}

function endOf({ state, output, error }: ObservedExecution): string {
  return state === 'faulted' ? `faulted ${error?.type}` : `${state} ${JSON.stringify(output)}`
}

function endForetold({ end }: Foretelling): string {
  return end.state === 'faulted' ? `faulted ${end.type}` : `completed ${JSON.stringify({ n: end.n })}`
}

function startedTwice({ starts, executions, keys }: Observations): readonly string[] {
  const known = new Set<string>()
  const wrong = starts.flatMap(({ token, acknowledged }) => {
    const ids = keys.get(`start-${token}`) ?? []
    for (const id of ids) known.add(id)
    if (ids.length !== 1) return [`start ${token} has ${ids.length} executions by its key`]
    return [...acknowledged].filter((id) => id !== ids[0]).map((id) => `start ${token} was acknowledged as ${id} and is ${ids[0]}`)
  })
  const strangers = executions.filter(({ id, actor, retryOf }) => actor === 'system:crash' && retryOf === undefined && !known.has(id))
  return [...wrong, ...strangers.map(({ id }) => `${id} belongs to no start`)]
}

function childrenWrong({ executions, deadLettered }: Observations, foretell: Foretell): readonly string[] {
  const detached = new Map<string, number>()
  for (const { actor, parentId } of executions) {
    const starter = /^execution:(.+)$/.exec(actor)?.[1]
    if (starter !== undefined && parentId === undefined) detached.set(starter, (detached.get(starter) ?? 0) + 1)
  }
  const touched = givenUpUnder(executions, deadLettered)
  return executions.flatMap(({ id, versionId, n, retryOf, ...execution }) => {
    if (retryOf !== undefined || deadLettered.has(id) || touched.has(id) || execution.state === 'cancelled') return []
    const [count, wanted] = [detached.get(id) ?? 0, foretell(versionId, n).detached]
    return count === wanted ? [] : [`${id} started ${count} children and went on, foretold were ${wanted}`]
  })
}

function leftOver({ left }: Observations): readonly string[] {
  return Object.entries(left).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what} are left`]))
}

function doneAgain({ effects, outcomes }: Observations): readonly string[] {
  return [...outcomes].flatMap(([key, writtenAtMs]) => {
    const effect = effects.get(key)
    if (effect === undefined || effect.lastAtMs <= writtenAtMs) return []
    return [`${effect.label} of ${effect.executionId} was asked for ${effect.lastAtMs - writtenAtMs} ms after its outcome was written down`]
  })
}

function underTwoKeys({ effects, executions }: Observations, foretell: Foretell): readonly string[] {
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
    if (execution === undefined) return [`${label} was done for ${executionId}, which there is not`]
    // An execution that goes on from one that was given up begins with a new count.
    const allowed = foretell(execution.versionId, execution.n).effects.get(label) ?? 1
    return count <= allowed ? [] : [`${label} of ${executionId} was done under ${count} keys, foretold were ${allowed}`]
  })
}

function recoveredLate({ recoveries, outages }: Observations, _foretell: Foretell, { recoveryMsMax }: Limits): readonly string[] {
  return recoveries.flatMap(({ executionId, killedAtMs, progressAtMs, pid }) => {
    if (progressAtMs === undefined)
      return [`${executionId} did not go on after ${pid === undefined ? 'it was lost' : `process ${pid} was killed`}`]
    const ms = msWithout(outages, killedAtMs, progressAtMs)
    return ms <= recoveryMsMax
      ? []
      : [`${executionId} went on ${ms} ms after ${pid === undefined ? 'it was lost' : `process ${pid} was killed`}`]
  })
}

/** What its process could not do because it was dead is counted as recovery, and held to the time of that. */
function timersWrong({ timers, recoveries, outages }: Observations, _foretell: Foretell, { timerLateMsMax }: Limits): readonly string[] {
  const dead = Map.groupBy(recoveries, ({ executionId }) => executionId)
  return timers.flatMap(({ executionId, position, dueAtMs, firedAtMs }) => {
    if (firedAtMs < dueAtMs) return [`${position} of ${executionId} fired ${dueAtMs - firedAtMs} ms early`]
    const late = msWithout([...outages, ...(dead.get(executionId) ?? []).map(withoutProcess)], dueAtMs, firedAtMs)
    return late <= timerLateMsMax ? [] : [`${position} of ${executionId} fired ${late} ms late`]
  })
}
