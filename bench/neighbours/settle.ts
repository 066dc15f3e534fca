import { setTimeout as pause } from 'node:timers/promises'
import { type Api, read } from './api.ts'

/** The ends of an attack's executions. */
export interface Settled {
  /** Not ended when the attack was over; these were cancelled. */
  readonly open: number
  /** Of those, not ended at the deadline; undefined if the server did not respond. */
  readonly left: number | undefined
  readonly faulted: number
  /** Kinds of errors of the faulted ones. */
  readonly faults: readonly string[]
}

interface Summary {
  readonly id: string
  readonly error?: { readonly type: string; readonly title?: string; readonly detail?: string }
}

const pageMax = 100
const cancelsAtOnce = 8
const lookEveryMs = 100
const faultsMs = 3_000

/** Cancels all executions of these workflows, until none runs or the time is over. */
export async function settle(api: Api, workflows: ReadonlySet<string>, ms: number): Promise<Settled> {
  const signal = AbortSignal.timeout(ms)
  const opened = new Set<string>()
  let left: readonly Summary[] | undefined
  do {
    left = await openOnes(api, workflows, signal)
    const fresh = (left ?? []).filter(({ id }) => !opened.has(id))
    for (const { id } of fresh) opened.add(id)
    await cancel(api, fresh, signal)
    if (left?.length !== 0) await pause(lookEveryMs)
  } while (left?.length !== 0 && !signal.aborted)
  const faulted = (await listed(api, workflows, 'faulted', AbortSignal.timeout(faultsMs))) ?? []
  const faults = new Set(faulted.map(({ error }) => [error?.type.split('/').at(-1), error?.title, error?.detail].join(': ').slice(0, 160)))
  return { open: opened.size, left: left?.length, faulted: faulted.length, faults: [...faults] }
}

async function openOnes(api: Api, workflows: ReadonlySet<string>, signal: AbortSignal): Promise<readonly Summary[] | undefined> {
  const lists = await Promise.all(['pending', 'running', 'waiting', 'suspended'].map((state) => listed(api, workflows, state, signal)))
  return lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? [])
}

/** The first execution of each workflow; undefined if the server did not respond. */
async function listed(
  api: Api,
  workflows: ReadonlySet<string>,
  state: string,
  signal: AbortSignal,
): Promise<readonly Summary[] | undefined> {
  const found: Summary[] = []
  for (const id of workflows) {
    const reply = await api.call({ path: `/workflows/${id}/executions?state=${state}&limit=${pageMax}`, signal })
    const data = read(reply, 'data')
    if (!Array.isArray(data)) return undefined
    found.push(...data)
  }
  return found
}

async function cancel(api: Api, executions: readonly Summary[], signal: AbortSignal): Promise<void> {
  const left = executions.map(({ id }) => id)
  const lane = async () => {
    for (let id = left.pop(); id !== undefined && !signal.aborted; id = left.pop())
      await api.call({ method: 'POST', path: `/workflows/executions/${id}/cancel`, body: {}, signal })
  }
  await Promise.all(Array.from({ length: cancelsAtOnce }, lane))
}
