import type { ErrorData } from '#core/error.ts'
import { type Json, type JsonObject, parseJson } from '#core/json.ts'
import { raisedBy } from '#core/raising.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { Write } from '#durable/ports/journal.ts'
import { createFilterCache } from '#events/filter-cache.ts'
import { insertEvents } from '#postgres/events/insert-events.ts'
import { createMatching } from '#postgres/events/matcher.ts'
import type { EngineDatabase } from './database.ts'
import { acceptOf, headOf, openParts, type PostgresParts, writeOf } from './postgres-parts.ts'
import { newUuid } from './uuid.ts'

/** What a filter of a wait asks, but for what most tests leave out. */
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

/** The bus of one process, whose passes the test makes. */
export interface TestBus {
  readonly parts: PostgresParts
  /** Looks until nothing is left to look at. @returns the executions that got something, each time that they did. */
  match(): Promise<readonly string[]>
  /** Looks once. @returns whether there was anything to look at. */
  matchOnce(): Promise<boolean>
  publish(...events: readonly JsonObject[]): Promise<number>
  /** Begins to wait in an execution of its own, which is running in this process unless it is `parked`. */
  listen(takes: 'one' | 'each' | 'many', filters: readonly AskedFilter[], options?: ListenOptions): Promise<Waiting>
  end(...waits: readonly Waiting[]): Promise<void>
  /** Journals that messages have been taken. */
  take(waiting: Waiting, ...messageIds: readonly string[]): Promise<void>
  write(head: ExecutionHead, parts: Partial<Write>): Promise<void>
  /** What came to an execution, as `[index of the filter, id of the event]`, in order. */
  got(waiting: Waiting): Promise<readonly (readonly [number, string])[]>
  /** The errors that came to an execution. */
  errors(waiting: Waiting): Promise<readonly ErrorData[]>
}

export interface ListenOptions {
  readonly parked?: boolean
  readonly head?: ExecutionHead
  readonly position?: string
}

let ids = 0

/** An event with all that it needs, of which a test says what it means. */
export function eventOf(type: string, more: JsonObject = {}): JsonObject {
  return { specversion: '1.0', id: `event-${++ids}`, source: '/test', type, ...more }
}

export interface TestBusOptions {
  readonly retentionMs?: number
  /** Steps that the account may take in one look. */
  readonly accountSteps?: number
}

export async function openTestBus(database: EngineDatabase, account = newUuid(), options: TestBusOptions = {}): Promise<TestBus> {
  const { retentionMs = 60_000, ...budget } = options
  const parts = await openParts(database, { onEvents: () => undefined })
  const filters = createFilterCache(100)
  const { pool } = database
  const write = async (head: ExecutionHead, more: Partial<Write>) => void (await parts.journal.write(writeOf(head, more)))
  const waits = (more: Partial<NonNullable<Write['waits']>>) => ({ waits: { opened: [], closed: [], taken: [], ...more } })
  let onReached = (_ids: readonly string[]): void => undefined
  const deps = {
    pool,
    filters,
    jobs: parts.jobs,
    processId: () => parts.identity.id(),
    onReached: (all: readonly string[]) => onReached(all),
  }
  // On a clock that stands still nobody makes way for longer than one look.
  const matching = createMatching(deps, { elapsed: () => 0, ...budget })
  const look = async (reached: typeof onReached) => {
    onReached = reached
    const { found, pauseMs } = await matching.look()
    return found || pauseMs !== undefined
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
      for (let passes = 0; passes < 5_000; passes++) if (!(await look((all) => void reached.push(...all)))) return reached
      throw new Error('there is no end to it')
    },
    matchOnce: () => look(() => undefined),
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
    take: ({ head }, ...taken) => write(head, waits({ taken })),
    write,
    async got(waiting) {
      return (await messages(waiting)).flatMap((message) => {
        if (raisedBy(message) !== undefined) return []
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by the bus.
        const { index, event } = message as { readonly index: number; readonly event: { readonly id: string } }
        return [[index, event.id] as const]
      })
    },
    errors: async (waiting) => (await messages(waiting)).flatMap((message) => raisedBy(message) ?? []),
  }
}

function filterOf({ with: attributes = {}, from = {}, expected = {}, scope, role = 'event' }: AskedFilter, index: number): Json {
  const filter = { with: attributes, from, variables: Object.keys(scope ?? {}) }
  return { role, index, filter, expected, ...(scope === undefined ? {} : { scope }) }
}
