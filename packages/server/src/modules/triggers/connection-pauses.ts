import { type Kysely, sql } from 'kysely'
import type { Tx } from '#platform/http/index.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Trigger } from './model.ts'
import { nextOf } from './trigger-service.ts'
import { triggerColumns, triggerOf, type TriggerRow } from './trigger-store.ts'

export interface ConnectionPausesDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The subset of the workflows that call a function with a connection of that name. */
  readonly workflowsWithConnection: (
    tx: Kysely<Rows>,
    accountId: string,
    options: { readonly workflowIds: readonly string[]; readonly name: string },
  ) => Promise<readonly string[]>
}

/** A connection that has to be authorized again. */
export interface EndedConnection {
  readonly id: string
  readonly name: string
  readonly problem: string
}

export type ConnectionPauses = ReturnType<typeof createConnectionPauses>

/**
 * Pauses the schedules and watches that need a connection without authorization, until it is authorized. Webhooks and triggers of events continue:
 * what they receive would be lost, and a failed execution can be retried.
 */
export function createConnectionPauses({ now, workflowsWithConnection }: ConnectionPausesDeps) {
  return {
    /** @returns how many triggers were paused. */
    async pause(tx: Tx, accountId: string, { id, name, problem }: EndedConnection): Promise<number> {
      const triggers = await read(tx, accountId, sql`t.enabled and t.kind in ('schedule', 'watch')`)
      const workflowIds = [...new Set(triggers.map(({ workflowId }) => workflowId))]
      const using = new Set(workflowIds.length === 0 ? [] : await workflowsWithConnection(tx, accountId, { workflowIds, name }))
      const paused = triggers.filter((trigger) => using.has(trigger.workflowId) || watchesBy(trigger) === name).map((trigger) => trigger.id)
      const reason = `The connection "${name}" has to be authorized again. ${problem}`
      await sql`
        update triggers set enabled = false, next_at = null, paused_reason = ${reason}, paused_connection_id = ${id}, revision = revision + 1,
          updated_at = ${new Date(now())}, updated_by = 'system:triggers'
        where account_id = ${accountId} and id = any(${paused}::uuid[])`.execute(tx)
      // A look that is in progress is overtaken: its position stays, and with it what is new since.
      await sql`
        update trigger_watches set look_at = null, claim = claim + 1
        where account_id = ${accountId} and trigger_id = any(${paused}::uuid[])`.execute(tx)
      return paused.length
    },

    /** Enables what waits for a connection that is authorized now. @returns how many triggers were enabled. */
    async resume(tx: Tx, accountId: string, connectionId: string): Promise<number> {
      const triggers = await read(tx, accountId, sql`not t.enabled and t.paused_connection_id = ${connectionId}`)
      const at = new Date(now())
      for (const trigger of triggers) {
        await sql`
          update triggers set enabled = true, next_at = ${(await nextOf(trigger, now())) ?? null}, paused_reason = null,
            paused_connection_id = null, failures = 0, revision = revision + 1, updated_at = ${at}, updated_by = 'system:triggers'
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
