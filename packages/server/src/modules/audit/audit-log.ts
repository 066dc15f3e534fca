import type { JsonValue } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import { preparedMark } from '#platform/db/database-client.ts'
import { isDataError } from '#platform/db/is-data-error.ts'
import type { Rows } from '#platform/db/rows.ts'
import { actorOf } from '#platform/auth/principal.ts'
import type { AuditPort } from '#platform/http/index.ts'
import { createBatcher } from '#platform/batching/batcher.ts'
import { commitChange } from './changes.ts'
import { toTypeId } from '#platform/ids.ts'

/** One thing that was done. */
export interface AuditEvent {
  readonly accountId: string | undefined
  /** As `kind:id`. */
  readonly actor: string
  readonly event: string
  readonly target: string | undefined
  readonly requestId: string | undefined
  readonly ip: string | undefined
  readonly details: Readonly<Record<string, JsonValue>>
}

export interface AuditLog extends AuditPort {
  /** Writes an event that no operation audits, in a transaction if there is one. */
  write(event: AuditEvent, tx?: Kysely<Rows>): Promise<void>
  /** The same in a transaction. @returns the id of the event, by which it is proved. */
  writeProvable(event: AuditEvent, tx: Kysely<Rows>): Promise<string>
}

export interface AuditLogDeps {
  /** For what is done without a transaction of an account. */
  readonly db: Kysely<Rows>
  readonly now: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
}

interface StoredEvent extends AuditEvent {
  readonly id: string
  readonly at: Date
}

const marks = {
  event: sql.raw(preparedMark('audit_event')),
  events: sql.raw(preparedMark('audit_events')),
  change: sql.raw(preparedMark('audit_change')),
} as const

/** The record of actions with actor and target. Rows are only inserted, never changed. Every operation that writes runs one of these statements. */
export function createAuditLog({ db, now, newId, randomBytes }: AuditLogDeps): AuditLog {
  // Events without a transaction, such as those of sign-ins: those that arrive together share a statement, and each waits until its own is committed.
  const insertAlone = createBatcher<StoredEvent, undefined>({
    load: (events) => insertAll(db, events),
    lanes: 2,
    keysMax: 200,
    isOfKey: isDataError,
  })
  /** Inserts an event in a transaction, or else together with others. */
  async function put(event: AuditEvent, tx: Kysely<Rows> | undefined): Promise<void> {
    if (tx === undefined) await insertAlone({ ...event, id: newId(), at: new Date(now()) })
    else await sql`${marks.event}${insert(newId(), event)}`.execute(tx)
  }

  const insert = (id: string, { accountId, actor, event, target, requestId, ip, details }: AuditEvent) =>
    sql`insert into audit_events (id, account_id, at, actor, event, target, request_id, ip, details)
      values (${id}, ${accountId ?? null}, ${new Date(now())}, ${actor}, ${event}, ${target ?? null}, ${requestId ?? null},
        ${ip ?? null}, ${JSON.stringify(details)})`
  return {
    write: put,
    async writeProvable(event, tx) {
      const id = newId()
      await sql`${marks.event}${insert(id, event)}`.execute(tx)
      return id
    },
    async record(tx, ctx, event, { target, accountId, userId, details = {}, change }) {
      const { principal, requestId, ip } = ctx
      const actor = principal === undefined && userId !== undefined ? `user:${toTypeId('usr', userId)}` : actorOf(principal)
      const account = principal?.accountId ?? accountId
      const committed = change === undefined ? undefined : commitChange(change.before, change.after, randomBytes)
      const written = { accountId: account, actor, event, target, requestId, ip }
      if (account === undefined || committed === undefined) return put({ ...written, details }, tx)
      const changing = insert(newId(), { ...written, details: { ...details, changes: committed.commitments } })
      await sql`${marks.change}
        with written as (${changing} returning id, account_id)
        insert into audit_changes (event_id, account_id, revealed) select id, account_id, ${JSON.stringify(committed.revealed)} from written`.execute(
        tx ?? db,
      )
    },
  }
}

async function insertAll(db: Kysely<Rows>, events: readonly StoredEvent[]): Promise<readonly undefined[]> {
  const column = <V>(of: (event: StoredEvent) => V) => events.map(of)
  await sql`${marks.events}insert into audit_events (id, account_id, at, actor, event, target, request_id, ip, details)
    select * from unnest(${column(({ id }) => id)}::uuid[], ${column(({ accountId }) => accountId ?? null)}::uuid[],
      ${column(({ at }) => at)}::timestamptz[], ${column(({ actor }) => actor)}::text[], ${column(({ event }) => event)}::text[],
      ${column(({ target }) => target ?? null)}::text[], ${column(({ requestId }) => requestId ?? null)}::text[],
      ${column(({ ip }) => ip ?? null)}::inet[], ${column(({ details }) => JSON.stringify(details))}::jsonb[])`.execute(db)
  return events.map(() => undefined)
}
