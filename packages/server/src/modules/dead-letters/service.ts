import { Fault, type JsonValue, replaysMax } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import type { Database } from '#platform/db/database.ts'
import type { Tx } from '#platform/http/index.ts'
import { fromTypeId, toTypeId } from '#platform/ids.ts'
import { mergePatch } from './merge-patch.ts'
import {
  type DeadLetter,
  type DeadLetterFilter,
  findDeadLetter,
  findOldestDeadLetters,
  listDeadLetters,
  markDeadLetterReplayed,
  type WholeDeadLetter,
} from '@millrace/engine/storage'

export interface DeadLettersDeps {
  readonly database: Pick<Database, 'account'>
  readonly now: () => number
  /** Continues an execution in a new one. Fault `execution_retried`, with the new one as `retriedBy`, if it was retried already. */
  readonly retry: (
    accountId: string,
    executionId: string,
    command: { readonly actor: string; readonly input: Json | undefined },
  ) => Promise<{ readonly id: string }>
  /** Makes a delivery pending again. Fault `conflict` when its subscription was deleted or is disabled. */
  readonly redeliver: (
    tx: Tx,
    accountId: string,
    delivery: { readonly id: string; readonly subscriptionId: string; readonly payload: string },
  ) => Promise<void>
  /** Called after the commit: a delivery is due. */
  readonly onRedelivered: () => void
}

export interface ReplayCommand {
  /** As `kind:id`. */
  readonly actor: string
  /** JSON merge patch of the input. */
  readonly patch: Json | undefined
}

/** The result for one of many dead letters. */
export interface Replayed {
  readonly id: string
  readonly letter: DeadLetter | undefined
  /** Why it could not be replayed. */
  readonly fault: Fault | undefined
}

export type DeadLetters = ReturnType<typeof createDeadLetters>

/** Lists, reads and replays dead letters. */
export function createDeadLetters(deps: DeadLettersDeps) {
  const { database } = deps
  const mark = (accountId: string, id: string, actor: string, as: string | undefined) => (tx: Tx) =>
    markDeadLetterReplayed(tx, accountId, id, { at: new Date(deps.now()), by: actor, as })

  async function replayExecution(accountId: string, letter: WholeDeadLetter, executionId: string, { actor, patch }: ReplayCommand) {
    const input = patch === undefined ? undefined : mergePatch(inputOf(letter), patch)
    try {
      const { id } = await deps.retry(accountId, executionId, { actor, input })
      await database.account(accountId, mark(accountId, letter.id, actor, id))
    } catch (error) {
      const other = retriedBy(error)
      if (other === undefined) throw gone(error, letter)
      // A user retried the execution, or an earlier replay stopped before it marked the dead letter.
      await database.account(accountId, mark(accountId, letter.id, actor, other))
      throw replayedBefore(other)
    }
  }

  async function replayDelivery(accountId: string, letter: WholeDeadLetter, { actor, patch }: ReplayCommand) {
    const { id, deliveryId, subscriptionId, payload } = letter
    if (deliveryId === undefined || subscriptionId === undefined) throw new Error(`dead letter ${id} names neither execution nor delivery`)
    if (patch !== undefined)
      throw new Fault('request_invalid', {
        errors: [{ pointer: '/patch', detail: 'Events are delivered as they are; only an input can be patched.' }],
      })
    await database.account(accountId, async (tx) => {
      // Marked first: a concurrent replay waits here, and then finds the dead letter replayed.
      if (!(await mark(accountId, id, actor, undefined)(tx))) throw replayedBefore(undefined)
      await deps.redeliver(tx, accountId, { id: deliveryId, subscriptionId, payload })
    })
    deps.onRedelivered()
  }

  /** Faults: `not_found`, `dead_letter_replayed`, `conflict`, and those of a retry. */
  async function replay(accountId: string, id: string, command: ReplayCommand): Promise<DeadLetter> {
    const letter = await database.account(accountId, (tx) => get(tx, accountId, id))
    if (letter.replayedAt !== undefined) throw replayedBefore(letter.replayedAs)
    if (letter.executionId === undefined) await replayDelivery(accountId, letter, command)
    else await replayExecution(accountId, letter, letter.executionId, command)
    return database.account(accountId, (tx) => get(tx, accountId, id))
  }

  return {
    list: (tx: Tx, accountId: string, filter: DeadLetterFilter, page: { readonly before: string | undefined; readonly limit: number }) =>
      listDeadLetters(tx, accountId, filter, page),

    get,

    replay,

    /** Replays at most `replaysMax` of the matching dead letters, oldest first; one that cannot be replayed does not stop the others. */
    async replayAll(
      accountId: string,
      filter: Omit<DeadLetterFilter, 'replayed'>,
      options: { readonly except: readonly string[]; readonly after: string | undefined; readonly actor: string },
    ): Promise<{ readonly items: readonly Replayed[]; readonly hasMore: boolean }> {
      const { except, after, actor } = options
      const found = await database.account(accountId, (tx) =>
        findOldestDeadLetters(tx, accountId, { ...filter, replayed: false }, { except, after, limit: replaysMax + 1 }),
      )
      const items: Replayed[] = []
      for (const id of found.slice(0, replaysMax)) items.push(await attempt(id, () => replay(accountId, id, { actor, patch: undefined })))
      return { items, hasMore: found.length > replaysMax }
    },
  }
}

async function get(tx: Tx, accountId: string, id: string): Promise<WholeDeadLetter> {
  const letter = await findDeadLetter(tx, accountId, id)
  if (letter === undefined) throw new Fault('not_found', { detail: 'There is no such dead letter.' })
  return letter
}

async function attempt(id: string, run: () => Promise<DeadLetter>): Promise<Replayed> {
  try {
    return { id, letter: await run(), fault: undefined }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { id, letter: undefined, fault: error }
  }
}

function replayedBefore(executionId: string | undefined): Fault {
  if (executionId === undefined) return new Fault('dead_letter_replayed')
  const id = toTypeId('exec', executionId)
  return new Fault('dead_letter_replayed', {
    detail: `The dead letter was replayed already: the execution ${id} continues it.`,
    extensions: { executionId: id },
  })
}

/** The execution that continues this one already. */
function retriedBy(error: unknown): string | undefined {
  if (!(error instanceof Fault) || error.code !== 'execution_retried') return undefined
  const id: JsonValue | undefined = error.details.extensions?.['retriedBy']
  return typeof id === 'string' ? fromTypeId('exec', id) : undefined
}

/** A missing execution is a conflict: `not_found` is about the dead letter. */
function gone(error: unknown, { executionId = '' }: WholeDeadLetter): unknown {
  if (!(error instanceof Fault) || error.code !== 'not_found') return error
  return new Fault('conflict', { detail: `The execution ${toTypeId('exec', executionId)} no longer exists.`, cause: error })
}

function inputOf({ payload }: WholeDeadLetter): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A `json` column that the engine wrote.
  return (JSON.parse(payload) as { readonly input: Json }).input
}
