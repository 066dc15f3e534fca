import type { ErrorData } from '#core/error.ts'
import { type Json, type JsonObject, parseJson } from '#core/json.ts'
import { errorFromMessage } from '#core/error-message.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { Write } from '#durable/ports/journal.ts'
import { createFilterCache } from '#events/filter-cache.ts'
import { insertEvents } from '#postgres/events/insert-events.ts'
import { createMatching } from '#postgres/events/matcher.ts'
import type { EngineDatabase } from './database.ts'
import { acceptOf, headOf, openParts, type PostgresParts, writeOf } from './postgres-parts.ts'
import { newUuid } from './uuid.ts'

/** A filter of a wait, with defaults. */
export interface AskedFilter {
  readonly with?: JsonObject
  readonly from?: JsonObject
  readonly expected?: JsonObject
  readonly scope?: JsonObject
  readonly role?: 'event' | 'until'
}

/** An execution that waits for events. */
export interface Waiting {
  readonly head: ExecutionHead
  readonly position: string
}

/** The bus of one process; the test runs its matching slices. */
export interface TestBus {
  readonly parts: PostgresParts
  /** Runs slices until there is no work left. @returns the executions that received messages, once for each slice. */
  match(): Promise<readonly string[]>
  /** Runs one slice. @returns whether there was work. */
  matchOnce(): Promise<boolean>
  publish(...events: readonly JsonObject[]): Promise<number>
  /** Opens a wait in an execution of its own, which runs in this process unless it is `parked`. */
  listen(takes: 'one' | 'each' | 'many', filters: readonly AskedFilter[], options?: ListenOptions): Promise<Waiting>
  end(...waits: readonly Waiting[]): Promise<void>
  /** Journals that messages were consumed. */
  take(waiting: Waiting, ...messageIds: readonly string[]): Promise<void>
  write(head: ExecutionHead, parts: Partial<Write>): Promise<void>
  /** The events that an execution received, as `[index of the filter, id of the event]`, in order. */
  received(waiting: Waiting): Promise<readonly (readonly [number, string])[]>
  /** The errors that an execution received. */
  errors(waiting: Waiting): Promise<readonly ErrorData[]>
}

export interface ListenOptions {
  readonly parked?: boolean
  readonly head?: ExecutionHead
  readonly position?: string
}

let ids = 0

/** A complete event with these attributes. */
export function eventOf(type: string, more: JsonObject = {}): JsonObject {
  return { specversion: '1.0', id: `event-${++ids}`, source: '/test', type, ...more }
}

export interface TestBusOptions {
  readonly retentionMs?: number
  /** Steps that an account may take in one slice. */
  readonly accountSteps?: number
}

export async function openTestBus(database: EngineDatabase, account = newUuid(), options: TestBusOptions = {}): Promise<TestBus> {
  const { retentionMs = 60_000, ...budget } = options
  const parts = await openParts(database, { onEvents: () => undefined })
  const filters = createFilterCache(100)
  const { pool } = database
  const write = async (head: ExecutionHead, more: Partial<Write>) => void (await parts.journal.write(writeOf(head, more)))
  const waits = (more: Partial<NonNullable<Write['waits']>>) => ({ waits: { opened: [], closed: [], consumed: [], ...more } })
  let onReached = (_ids: readonly string[]): void => undefined
  const deps = {
    pool,
    filters,
    jobs: parts.jobs,
    processId: () => parts.identity.id(),
    onMessages: (all: readonly string[]) => onReached(all),
  }
  // On a clock that does not move, an account over its budget gives way for one slice only.
  const matching = createMatching(deps, { elapsed: () => 0, ...budget })
  const runSlice = async (reached: typeof onReached) => {
    onReached = reached
    const { hadWork, pauseMs } = await matching.runSlice()
    return hadWork || pauseMs !== undefined
  }
  const messages = async ({ head, position }: Waiting) => {
    const { rows } = await pool.query<{ value: string }>(
      `select value from messages where execution_id = $1 and position = $2 order by id`,
      [head.id, position],
    )
    return rows.map(({ value }) => parseJson(value))
  }
  return {
    parts,
    async match() {
      const reached: string[] = []
      for (let slices = 0; slices < 5_000; slices++) if (!(await runSlice((all) => void reached.push(...all)))) return reached
      throw new Error('the matcher still has work after 5,000 slices')
    },
    matchOnce: () => runSlice(() => undefined),
    publish: (...events) =>
      insertEvents(
        pool,
        events.map((event) => ({ accountId: account, event })),
        { newId: newUuid, retentionMs },
      ),
    async listen(takes, asked, { parked = false, head = headOf({ accountId: account }), position = '/do/0/listen' } = {}) {
      const opened = [{ position, topic: 'events', arguments: { takes, filters: asked.map(filterOf) } }]
      const known = await pool.query(`select from executions where id = $1`, [head.id])
      if (known.rowCount === 0) await parts.journal.write(acceptOf(head, true))
      await write(head, { ...waits({ opened }), progress: parked ? { state: 'waiting', wakeAtMs: undefined } : undefined })
      return { head, position }
    },
    async end(...ended) {
      await Promise.all(ended.map(({ head, position }) => write(head, waits({ closed: [position] }))))
    },
    take: ({ head }, ...taken) => write(head, waits({ consumed: taken })),
    write,
    async received(waiting) {
      return (await messages(waiting)).flatMap((message) => {
        if (errorFromMessage(message) !== undefined) return []
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by the bus.
        const { index, event } = message as { readonly index: number; readonly event: { readonly id: string } }
        return [[index, event.id] as const]
      })
    },
    errors: async (waiting) => (await messages(waiting)).flatMap((message) => errorFromMessage(message) ?? []),
  }
}

function filterOf({ with: attributes = {}, from = {}, expected = {}, scope, role = 'event' }: AskedFilter, index: number): Json {
  const filter = { with: attributes, from, variables: Object.keys(scope ?? {}) }
  return { role, index, filter, expected, ...(scope === undefined ? {} : { scope }) }
}
