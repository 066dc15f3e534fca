import { type Kysely, sql } from 'kysely'
import type { Tx } from '#platform/http/index.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Trigger } from './model.ts'
import { nextOf } from './trigger-service.ts'
import { triggerColumns, triggerOf, type TriggerRow } from './trigger-store.ts'

export interface ConnectionPausesDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Ids of the workflows that use a connection of that name, also through workflows that they run. */
  readonly workflowsWithConnection: (tx: Kysely<Rows>, accountId: string, name: string) => Promise<ReadonlySet<string>>
}

/** A connection that cannot be used any more, until one of the same name can. */
export interface LostConnection {
  readonly name: string
  /** Shown to users as the reason of the pause. */
  readonly reason: string
}

export type ConnectionPauses = ReturnType<typeof createConnectionPauses>

/**
 * Pauses the schedules and watches that need a connection which was deleted, renamed or lost its authorization. They continue when a connection of
 * that name works. Webhooks and triggers of events continue: what they receive would be lost, and a failed execution can be retried.
 */
export function createConnectionPauses({ now, workflowsWithConnection }: ConnectionPausesDeps) {
  return {
    /** @returns how many triggers wait for the connection now. */
    async pause(tx: Tx, accountId: string, { name, reason }: LostConnection): Promise<number> {
      const using = await workflowsWithConnection(tx, accountId, name)
      const triggers = await read(tx, accountId, sql`t.enabled and t.kind in ('schedule', 'watch')`)
      const waiting = await sql`
        update triggers set paused_reason = ${reason}, revision = revision + 1, updated_at = ${new Date(now())}, updated_by = 'system:triggers'
        where account_id = ${accountId} and not enabled and paused_connection = ${name}`.execute(tx)
      const paused = triggers.filter((trigger) => using.has(trigger.workflowId) || watchesBy(trigger) === name).map((trigger) => trigger.id)
      await sql`
        update triggers set enabled = false, next_at = null, paused_reason = ${reason}, paused_connection = ${name}, revision = revision + 1,
          updated_at = ${new Date(now())}, updated_by = 'system:triggers'
        where account_id = ${accountId} and id = any(${paused}::uuid[])`.execute(tx)
      // A look that is in progress is overtaken: its position stays, and with it what is new since.
      await sql`
        update trigger_watches set look_at = null, claim = claim + 1
        where account_id = ${accountId} and trigger_id = any(${paused}::uuid[])`.execute(tx)
      return paused.length + Number(waiting.numAffectedRows ?? 0)
    },

    /** Enables what waits for a connection of that name, which works now. @returns how many triggers were enabled. */
    async resume(tx: Tx, accountId: string, name: string): Promise<number> {
      const triggers = await read(tx, accountId, sql`not t.enabled and t.paused_connection = ${name}`)
      const at = new Date(now())
      for (const trigger of triggers) {
        await sql`
          update triggers set enabled = true, next_at = ${(await nextOf(trigger, now())) ?? null}, paused_reason = null,
            paused_connection = null, failures = 0, revision = revision + 1, updated_at = ${at}, updated_by = 'system:triggers'
          where account_id = ${accountId} and id = ${trigger.id}`.execute(tx)
        await sql`
          update trigger_watches set look_at = ${at}, claim = claim + 1, failures = 0, problem = null
          where account_id = ${accountId} and trigger_id = ${trigger.id}`.execute(tx)
      }
      return triggers.length
    },
  }
}

/** Locked until the transaction ends: a start that is in progress ends first. */
async function read(tx: Tx, accountId: string, condition: ReturnType<typeof sql>): Promise<readonly Trigger[]> {
  const { rows } = await sql<TriggerRow>`
    select ${triggerColumns} from triggers t where t.account_id = ${accountId} and ${condition} order by t.id for no key update`.execute(tx)
  return rows.map(triggerOf)
}

function watchesBy({ watch }: Trigger): string | undefined {
  return watch !== undefined && 'connection' in watch ? watch.connection : undefined
}
