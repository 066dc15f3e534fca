import { createLoop, WorkflowError } from '@millrace/engine'
import { type FailedTrigger, pauseTriggers } from '#modules/triggers/firing/firing-store.ts'
import { failuresMax, type Trigger } from '#modules/triggers/model.ts'
import { lockTrigger } from '#modules/triggers/trigger-store.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import type { LookAt } from './look.ts'
import type { Looked, WatchItem, WatchSettings } from './model.ts'
import { everyMsOf } from './read-watch.ts'
import { digestOf } from './seen.ts'
import {
  type ClaimedWatch,
  claimWatches,
  countPending,
  hasDueWatches,
  insertItemFirings,
  postponeLook,
  recordFailedLook,
  recordLook,
} from './watch-store.ts'

export interface WatchLoopDeps {
  readonly database: Pick<Database, 'system'>
  readonly now: () => number
  readonly newId: () => string
  readonly look: LookAt
  /** Called after items were recorded. */
  readonly onFirings: () => void
  /** Called in the transaction that pauses a trigger. */
  readonly onPaused: (tx: Tx, trigger: FailedTrigger) => Promise<void>
  readonly onError: (error: unknown) => void
}

const idleMs = 500
const looksMax = 8
const perAccountMax = 2
const lookMsMax = 60_000
/** Longer than a look and its record. */
const leaseMs = 2 * lookMsMax
const backOffMsMax = 60 * 60 * 1000
/** Items of one trigger that wait for their start; it looks again when there is room. */
const pendingMax = 100
const noRoomMs = 5_000
const itemBytesMax = 512 * 1024
const problemMax = 500
/** Characters of the id of an item that is too large. */
const itemIdMax = 200

/** Looks at what triggers watch, in the background. Any number of processes do so at the same time; each item starts once. */
export function createWatchLoop(deps: WatchLoopDeps) {
  const running = new Map<ClaimedWatch, Promise<void>>()
  const closing = new AbortController()
  const loop = createLoop(idleMs, async () => {
    try {
      const claimed = await claim(deps, [...running.keys()])
      for (const watch of claimed) running.set(watch, supervised(watch))
      return false
    } catch (error) {
      deps.onError(error)
      return false
    }
  })

  async function supervised(watch: ClaimedWatch): Promise<void> {
    try {
      await lookOnce(deps, watch, closing.signal)
    } catch (error) {
      // The lease ends, and the look is repeated.
      deps.onError(error)
    } finally {
      running.delete(watch)
      if (!closing.signal.aborted) loop.wake()
    }
  }

  return {
    start: () => loop.start(),
    async stop() {
      closing.abort(new Error('the server closes'))
      await loop.stop()
      await Promise.all(running.values())
    },
  }
}

async function claim({ database, now }: WatchLoopDeps, running: readonly ClaimedWatch[]): Promise<readonly ClaimedWatch[]> {
  const room = looksMax - running.length
  if (room <= 0) return []
  const at = now()
  if (!(await hasDueWatches(database.system, new Date(at)))) return []
  const accounts = running.map(({ trigger }) => trigger.accountId)
  const busyAccounts = [...new Set(accounts)].filter((id) => accounts.filter((other) => other === id).length >= perAccountMax)
  const options = { now: new Date(at), leaseUntil: new Date(at + leaseMs), limit: room, perAccount: perAccountMax, busyAccounts }
  return database.system.transaction().execute((tx) => claimWatches(tx, options))
}

async function lookOnce(deps: WatchLoopDeps, watch: ClaimedWatch, closing: AbortSignal): Promise<void> {
  const { trigger, claim: number, position } = watch
  const { watch: settings, accountId } = trigger
  if (settings === undefined) return
  const { system } = deps.database
  const postpone = (ms: number) => postponeLook(system, trigger, { claim: number, lookAt: new Date(deps.now() + ms) })
  if ((await countPending(system, accountId, trigger.id)) >= pendingMax) return postpone(noRoomMs)
  const signal = AbortSignal.any([closing, AbortSignal.timeout(lookMsMax)])
  try {
    const looked = await deps.look({ accountId, settings, position, signal })
    await record(deps, watch, settings, looked)
  } catch (error) {
    if (closing.aborted) return postpone(0)
    const problem = problemOf(error)
    if (problem === undefined) deps.onError(error)
    await recordFailure(deps, watch, settings, problem ?? 'The server could not look. Its log says why.')
  }
}

/** Why a look failed, if its owner can mend that. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof WorkflowError) return (error.data.detail ?? error.data.title).slice(0, problemMax)
  return error instanceof Error && error.name === 'TimeoutError' ? `The look took longer than ${lookMsMax / 1_000} seconds.` : undefined
}

/** The position and the firings of what is new commit together: an item is neither lost nor started twice when a process dies. */
async function record(deps: WatchLoopDeps, watch: ClaimedWatch, settings: WatchSettings, looked: Looked): Promise<void> {
  const { trigger, claim: number } = watch
  const firings = looked.items.map((item) => ({ id: deps.newId(), cause: `item:${digestOf(item.id)}`, data: textOf(settings, item) }))
  const at = deps.now()
  const result = {
    claim: number,
    at: new Date(at),
    lookAt: new Date(looked.more ? at : at + everyMsOf(settings)),
    position: JSON.stringify(looked.position) === JSON.stringify(watch.position) ? undefined : looked.position,
  }
  await deps.database.system.transaction().execute(async (tx) => {
    const locked = await lockTrigger(tx, trigger.accountId, trigger.id)
    if (locked?.enabled !== true || !(await recordLook(tx, trigger, result))) return
    await insertItemFirings(tx, trigger, { now: new Date(at), firings })
  })
  if (firings.length > 0) deps.onFirings()
}

/** An item that no execution should carry starts with its id and what is wrong, and does not stop those behind it. */
function textOf({ source }: WatchSettings, { id, data }: WatchItem): string {
  const text = JSON.stringify({ watch: source, item: data })
  if (Buffer.byteLength(text) <= itemBytesMax) return text
  const word = { feed: 'entry', mailbox: 'mail', rows: 'row', objects: 'object' }[source]
  const problem = `The ${word} has more than ${itemBytesMax / 1024} KiB.`
  return JSON.stringify({ watch: source, item: { id: id.slice(0, itemIdMax), problem } })
}

async function recordFailure(deps: WatchLoopDeps, watch: ClaimedWatch, settings: WatchSettings, problem: string): Promise<void> {
  const { trigger, claim: number, failures } = watch
  const everyMs = everyMsOf(settings)
  const backOffMs = Math.min(everyMs * 2 ** Math.min(failures, failuresMax), Math.max(everyMs, backOffMsMax))
  const at = deps.now()
  await deps.database.system.transaction().execute(async (tx) => {
    const locked = await lockTrigger(tx, trigger.accountId, trigger.id)
    if (locked?.enabled !== true) return
    const count = await recordFailedLook(tx, trigger, { claim: number, lookAt: new Date(at + backOffMs), problem })
    if (count !== undefined && count >= failuresMax) await pause(deps, tx, { trigger, at, problem })
  })
}

async function pause(
  { onPaused }: WatchLoopDeps,
  tx: Tx,
  { trigger, at, problem }: { readonly trigger: Trigger; readonly at: number; readonly problem: string },
): Promise<void> {
  const { id, accountId, workflowId, name } = trigger
  const paused = { id, accountId, workflowId, name, reason: `${failuresMax} looks in a row failed. The last reason: ${problem}` }
  await pauseTriggers(tx, new Date(at), [paused])
  await onPaused(tx, paused)
}
