import { randomBytes, sign } from 'node:crypto'
import {
  appendLeaf,
  type AuditEntry,
  checkpointText,
  emptyTree,
  hashEntry,
  hashFirstLeaf,
  rootOf,
  signedNote,
  type TreeState,
} from '@millrace/contract/transparency'
import { createLoop } from '@millrace/engine'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { toTypeId } from '#platform/ids.ts'
import { type EvidenceKeys, noteKeyOf, sha256, type SigningEvidenceKey } from './evidence-keys.ts'
import { blockMax, fitsBlock, insertBlock } from './block-store.ts'
import {
  entryOfExecution,
  type ExecutionEvent,
  type ExecutionEventDeps,
  insertExecutionEvents,
  takeExecutionEvents,
} from './execution-events.ts'
import {
  closeDay,
  type DayRow,
  type DayState,
  findDay,
  hasWork,
  insertCheckpoint,
  insertLeaves,
  installationLog,
  latestDay,
  latestDays,
  listUnsigned,
  lockLog,
  type NewLeaf,
  saveDays,
  takePending,
} from './log-store.ts'

/** Appends events to the logs. */
export interface Sequencer {
  /** Appends what waits now, and signs the log of the account; afterwards a committed event has a leaf and a checkpoint. */
  settle(accountId: string): Promise<void>
  /** One pass. @returns whether more waits. */
  pass(): Promise<boolean>
  loop(): ReturnType<typeof createLoop>
}

export interface SequencerDeps extends ExecutionEventDeps {
  readonly db: Kysely<Rows>
  readonly keys: EvidenceKeys
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

const batchMax = 1_000
const idleMs = 500
const checkpointIntervalMs = 10_000
const signaturesMax = 200
const settlePassesMax = 50

export function createSequencer(deps: SequencerDeps): Sequencer {
  const { db, keys, now, onError } = deps

  /** Everything of a pass commits together: a process that dies leaves neither a gap nor a second leaf. */
  async function pass(wait: boolean, signs: readonly string[] = []): Promise<boolean> {
    const key = await keys.signer('checkpoint')
    return db.transaction().execute(async (tx) => {
      if (!(await lockLog(tx, { wait }))) return false
      const executions = await takeExecutionEvents(tx, deps, batchMax)
      const inBlocks = executions.events.filter(fitsBlock)
      await insertExecutionEvents(
        tx,
        executions.events.filter((event) => !fitsBlock(event)),
      )
      const { entries, taken } = await takePending(tx, batchMax)
      const at = new Date(now())
      await appendAll(tx, byAccount(entries, inBlocks), at, key)
      await signDue(tx, at, key)
      for (const accountId of signs) await signLatest(tx, accountId, at, key)
      return executions.taken >= batchMax || taken === batchMax
    })
  }

  async function settleAll(accounts: readonly string[]): Promise<void> {
    for (let passes = 0; passes < settlePassesMax; passes++) if (!(await pass(true, accounts))) return
  }

  let running: Promise<void> = Promise.resolve()
  let next: { readonly accounts: Set<string>; readonly done: Promise<void> } | undefined

  /** Callers that arrive during a pass share the next one, so that they wait without a connection each. */
  function settle(accountId: string): Promise<void> {
    if (next === undefined) {
      const accounts = new Set<string>()
      const done = running
        .catch(() => undefined)
        .then(() => {
          next = undefined
          return settleAll([...accounts])
        })
      running = done
      next = { accounts, done }
    }
    next.accounts.add(accountId)
    return next.done
  }

  return {
    pass: () => pass(false),
    settle,
    loop: () =>
      createLoop(idleMs, async () => {
        try {
          // One statement instead of a transaction of six, as long as nothing happens.
          const at = now()
          if (!(await hasWork(db, dateOf(new Date(at)), new Date(at - checkpointIntervalMs)))) return false
          return await pass(false)
        } catch (error) {
          onError(error)
          return false
        }
      }),
  }
}

/** What is appended to the log of one account. */
interface Batch {
  readonly entries: readonly AuditEntry[]
  readonly executions: readonly ExecutionEvent[]
}

function byAccount(entries: readonly AuditEntry[], executions: readonly ExecutionEvent[]): ReadonlyMap<string, Batch> {
  const entriesOf = Map.groupBy(entries, ({ account }) => account ?? installationLog)
  const executionsOf = Map.groupBy(executions, ({ accountId }) => accountId)
  const accounts = new Set([...entriesOf.keys(), ...executionsOf.keys()])
  return new Map(
    Array.from(accounts, (accountId) => [
      accountId,
      { entries: entriesOf.get(accountId) ?? [], executions: executionsOf.get(accountId) ?? [] },
    ]),
  )
}

async function appendAll(tx: Kysely<Rows>, batches: ReadonlyMap<string, Batch>, at: Date, key: SigningEvidenceKey): Promise<void> {
  if (batches.size === 0) return
  const last = await latestDays(tx, [...batches.keys()])
  const days: DayState[] = []
  for (const [accountId, batch] of batches) days.push(await append(tx, accountId, last.get(accountId), batch, { at, key }))
  await saveDays(tx, days)
}

/** @returns the day as it is afterwards. */
async function append(
  tx: Kysely<Rows>,
  accountId: string,
  last: DayRow | undefined,
  { entries, executions }: Batch,
  { at, key }: { readonly at: Date; readonly key: SigningEvidenceKey },
): Promise<DayState> {
  const today = dateOf(at)
  // A clock that was set back continues the later day.
  const continues = last !== undefined && last.day >= today
  if (last !== undefined && !continues) await close(tx, last, at, key)
  const day = continues ? last.day : today
  const leaves: NewLeaf[] = []
  let tree = continues ? treeOf(last) : emptyTree
  const add = (event: string | null, hash: Uint8Array) => {
    leaves.push({ index: tree.size, event, hash: Buffer.from(hash) })
    tree = appendLeaf(sha256, tree, hash)
  }
  if (!continues) add(null, hashFirstLeaf(sha256, logName(accountId), day, last === undefined ? null : linkTo(last)))
  for (const entry of entries) add(entry.id, hashEntry(sha256, entry, tree.size))
  if (leaves.length > 0) await insertLeaves(tx, accountId, day, leaves)
  tree = await appendBlocks(tx, { accountId, day }, tree, executions)
  const previous = continues || last === undefined ? undefined : { day: last.day, size: last.size, root: last.root }
  return { accountId, day, size: tree.size, peaks: Buffer.concat(tree.peaks), root: Buffer.from(rootOf(sha256, tree)), previous }
}

const saltBytes = 32

async function appendBlocks(
  tx: Kysely<Rows>,
  { accountId, day }: { readonly accountId: string; readonly day: string },
  before: TreeState,
  executions: readonly ExecutionEvent[],
): Promise<TreeState> {
  let tree = before
  for (let from = 0; from < executions.length; from += blockMax) {
    const events = executions.slice(from, from + blockMax)
    const salts = randomBytes(saltBytes * events.length)
    const firstIndex = tree.size
    const logged = events.map((event, place) => {
      const salt = salts.subarray(place * saltBytes, (place + 1) * saltBytes)
      const hash = hashEntry(sha256, entryOfExecution(event, salt.toString('hex')), firstIndex + place)
      tree = appendLeaf(sha256, tree, hash)
      return { event, salt, hash: Buffer.from(hash) }
    })
    await insertBlock(tx, { accountId, day, firstIndex }, logged)
  }
  return tree
}

/** Signs the days that are over, and those whose last checkpoint is older than the interval. */
async function signDue(tx: Kysely<Rows>, at: Date, key: SigningEvidenceKey): Promise<void> {
  const today = dateOf(at)
  for (const day of await listUnsigned(tx, today, new Date(at.getTime() - checkpointIntervalMs), signaturesMax)) {
    if (day.day < today) await close(tx, day, at, key)
    else await signDay(tx, day, at, key, false)
  }
}

async function signLatest(tx: Kysely<Rows>, accountId: string, at: Date, key: SigningEvidenceKey): Promise<void> {
  const last = await latestDay(tx, accountId)
  if (last !== undefined && last.signed_size < last.size) await signDay(tx, last, at, key, false)
}

async function close(tx: Kysely<Rows>, day: DayRow, at: Date, key: SigningEvidenceKey): Promise<void> {
  const current = (await findDay(tx, day.account_id, day.day)) ?? day
  if (current.closed_at !== null) return
  if (current.signed_size < current.size) await signDay(tx, current, at, key, true)
  else await closeDay(tx, current.account_id, current.day, at)
}

async function signDay(
  tx: Kysely<Rows>,
  { account_id: accountId, day, size, root }: DayRow,
  at: Date,
  key: SigningEvidenceKey,
  closes: boolean,
) {
  const text = checkpointText({ origin: originOf(key.name, accountId, day), size, root })
  const note = signedNote(sha256, noteKeyOf(key), text, sign(null, Buffer.from(text), key.privateKey))
  await insertCheckpoint(tx, { accountId, day, size, note, at, closes })
}

/** The first line of a checkpoint. */
function originOf(keyName: string, accountId: string, day: string): string {
  return `${keyName}/audit/${logName(accountId)}/${day}`
}

/** The log of an account in leaves and checkpoints. */
export function logName(accountId: string): string {
  return accountId === installationLog ? 'installation' : toTypeId('acct', accountId)
}

export function linkTo({ day, size, root }: Pick<DayRow, 'day' | 'size' | 'root'>) {
  return { date: day, size, root: root.toString('hex') }
}

function treeOf({ size, peaks }: DayRow): TreeState {
  return { size, peaks: Array.from({ length: peaks.length / 32 }, (_, index) => peaks.subarray(index * 32, index * 32 + 32)) }
}

function dateOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
