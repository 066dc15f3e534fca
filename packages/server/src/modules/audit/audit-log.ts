import type { JsonValue } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { actorOf } from '#platform/auth/principal.ts'
import type { AuditPort } from '#platform/http/index.ts'
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
}

export interface AuditLogDeps {
  /** For what is done without a transaction of an account. */
  readonly db: Kysely<Rows>
  readonly now: () => number
  readonly newId: () => string
}

/** The record of actions with actor and target. Rows are only inserted, never changed. */
export function createAuditLog({ db, now, newId }: AuditLogDeps): AuditLog {
  const insert = (executor: Kysely<Rows>, { accountId, actor, event, target, requestId, ip, details }: AuditEvent) =>
    sql`insert into audit_events (id, account_id, at, actor, event, target, request_id, ip, details)
      values (${newId()}, ${accountId ?? null}, ${new Date(now())}, ${actor}, ${event}, ${target ?? null}, ${requestId ?? null},
        ${ip ?? null}, ${JSON.stringify(details)})`.execute(executor)
  return {
    async write(event, tx = db) {
      await insert(tx, event)
    },
    async record(tx, ctx, event, { target, accountId, userId, details = {} }) {
      const { principal, requestId, ip } = ctx
      const actor = principal === undefined && userId !== undefined ? `user:${toTypeId('usr', userId)}` : actorOf(principal)
      await insert(tx ?? db, { accountId: principal?.accountId ?? accountId, actor, event, target, requestId, ip, details })
    },
  }
}
