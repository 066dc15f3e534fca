import type { Json } from '@millrace/engine'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { WatchState } from './watching/model.ts'
import type { Trigger, TriggerContent, TriggerKindOf, TriggerSettings } from './model.ts'
import { nameSource } from '#platform/db/name-source.ts'

type Executor = Kysely<Rows>

interface TriggerRow {
  readonly id: string
  readonly account_id: string
  readonly workflow_id: string
  readonly kind: TriggerKindOf
  readonly origin: 'user' | 'definition'
  readonly name: string
  readonly enabled: boolean
  readonly paused_reason: string | null
  readonly paused_connection: string | null
  readonly input: string | null
  readonly mapping: string | null
  readonly settings: string
  readonly event_types: string[] | null
  readonly token: Buffer | null
  readonly secret: Buffer | null
  readonly next_at: Date | null
  readonly test_until: Date | null
  readonly failures: number
  readonly last_fired_at: Date | null
  readonly last_execution_id: string | null
  readonly last_error: string | null
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly watched: string | null
  /** The first due time that is claimed already. */
  readonly claimed_at?: Date | null
}

/** The time and author of a change, the author as `kind:id`. */
export interface Authorship {
  readonly at: Date
  readonly by: string
}

export interface ListFilter {
  readonly workflowId: string | undefined
  readonly kind: TriggerKindOf | undefined
  readonly enabled: boolean | undefined
  readonly before: string | undefined
  readonly limit: number
}

/** Of `t`, a row of triggers. */
const columns = sql`t.id, t.account_id, t.workflow_id, t.kind, t.origin, t.name, t.enabled, t.paused_reason, t.paused_connection, t.input::text as input, t.mapping,
  t.settings::text as settings, t.event_types, t.token, t.secret, t.next_at, t.test_until, t.failures, t.last_fired_at, t.last_execution_id, t.last_error,
  t.revision, t.created_at, t.updated_at,
  (select json_build_object('lookAt', w.look_at, 'lookedAt', w.looked_at, 'failures', w.failures, 'problem', w.problem)::text
    from trigger_watches w where w.trigger_id = t.id) as watched`

const claimedAt = sql`(
  select min(f.due_at) from trigger_firings f where f.trigger_id = t.id and starts_with(f.cause, 'due:') and f.due_at > clock_timestamp()) as claimed_at`

/** Counts an account's triggers and locks its row until the transaction ends, so that two requests cannot both add the last one. */
export async function countTriggers(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('triggers/' || ${accountId}, 0))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from triggers where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Triggers of a kind with a limit of its own. */
export async function countOfKind(tx: Executor, accountId: string, kind: TriggerKindOf): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from triggers where account_id = ${accountId} and kind = ${kind}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function insertTrigger(tx: Executor, accountId: string, content: TriggerContent, { at, by }: Authorship): Promise<void> {
  await sql`
    insert into triggers (id, account_id, workflow_id, kind, origin, name, enabled, input, mapping, settings, event_types, token_hash, token,
      secret, next_at, created_at, created_by, updated_at, updated_by)
    values (${content.id}, ${accountId}, ${content.workflowId}, ${content.kind}, ${content.origin}, ${content.name}, ${content.enabled},
      ${content.input === undefined ? null : JSON.stringify(content.input)}, ${content.mapping ?? null}, ${settingsText(content)},
      ${content.eventTypes ?? null}, ${content.tokenHash ?? null}, ${content.token ?? null}, ${content.secret ?? null},
      ${content.nextAt ?? null}, ${at}, ${by}, ${at}, ${by})`.execute(tx)
  if (content.kind === 'watch')
    await sql`insert into trigger_watches (trigger_id, account_id, look_at) values (${content.id}, ${accountId}, ${content.enabled ? at : null})`.execute(
      tx,
    )
}

export async function listTriggers(tx: Executor, accountId: string, filter: ListFilter): Promise<readonly Trigger[]> {
  const { workflowId, kind, enabled, before, limit } = filter
  const conditions = [
    ...(workflowId === undefined ? [] : [sql`and t.workflow_id = ${workflowId}`]),
    ...(kind === undefined ? [] : [sql`and t.kind = ${kind}`]),
    ...(enabled === undefined ? [] : [sql`and t.enabled = ${enabled}`]),
    ...(before === undefined ? [] : [sql`and t.id < ${before}`]),
  ]
  const { rows } = await sql<TriggerRow>`
    select ${columns}, ${claimedAt} from triggers t where t.account_id = ${accountId} ${sql.join(conditions, sql` `)}
    order by t.id desc limit ${limit}`.execute(tx)
  return rows.map(triggerOf)
}

/** The kinds of the enabled triggers of each workflow that has any. */
export async function startKindsOf(
  tx: Executor,
  accountId: string,
  workflowIds: readonly string[],
): Promise<ReadonlyMap<string, readonly TriggerKindOf[]>> {
  const { rows } = await sql<{ readonly workflow_id: string; readonly kinds: readonly TriggerKindOf[] }>`
    select workflow_id, array_agg(distinct kind) as kinds from triggers
    where account_id = ${accountId} and workflow_id = any(${workflowIds}::uuid[]) and enabled group by workflow_id`.execute(tx)
  return new Map(rows.map(({ workflow_id: id, kinds }) => [id, kinds]))
}

/** The workflows that ends of the executions of one start: by an enabled trigger that names it. */
export async function workflowsStartedByEnds(tx: Executor, accountId: string, workflowId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly workflow_id: string }>`
    select distinct workflow_id from triggers
    where account_id = ${accountId} and kind = 'event' and enabled and (settings -> 'workflowIds')::jsonb ? ${workflowId}`.execute(tx)
  return rows.map((row) => row.workflow_id)
}

export async function findTrigger(executor: Executor, accountId: string, id: string): Promise<Trigger | undefined> {
  const { rows } = await sql<TriggerRow>`
    select ${columns}, ${claimedAt} from triggers t where t.account_id = ${accountId} and t.id = ${id}`.execute(executor)
  return rows[0] === undefined ? undefined : triggerOf(rows[0])
}

/** Finds a trigger and locks it until the transaction ends: a start that is in progress ends first. */
export async function lockTrigger(tx: Executor, accountId: string, id: string): Promise<Trigger | undefined> {
  const { rows } = await sql<TriggerRow>`
    select ${columns} from triggers t where t.account_id = ${accountId} and t.id = ${id} for no key update`.execute(tx)
  return rows[0] === undefined ? undefined : triggerOf(rows[0])
}

/** The webhooks of tokens, in their order, whatever their accounts: a token is the credential. */
export async function findByTokens(db: Executor, tokenHashes: readonly Buffer[]): Promise<readonly (Trigger | undefined)[]> {
  const { rows } = await sql<TriggerRow & { readonly token_hash: Buffer }>`
    select ${columns}, t.token_hash from triggers t where t.token_hash = any(${tokenHashes}::bytea[])`.execute(db)
  const triggers = new Map(rows.map((row) => [row.token_hash.toString('hex'), triggerOf(row)]))
  return tokenHashes.map((hash) => triggers.get(hash.toString('hex')))
}

/** Enables or disables a trigger and forgets what it has not started. */
export async function setEnabled(
  tx: Executor,
  accountId: string,
  { id, enabled, nextAt }: { readonly id: string; readonly enabled: boolean; readonly nextAt: Date | undefined },
  { at, by }: Authorship,
): Promise<void> {
  await sql`
    update triggers set enabled = ${enabled}, next_at = ${nextAt ?? null}, paused_reason = null, paused_connection = null, failures = 0, revision = revision + 1,
      updated_at = ${at}, updated_by = ${by}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
  // A look that is in progress is overtaken. The position stays, and with it what is new since.
  await sql`
    update trigger_watches set look_at = ${enabled ? at : null}, claim = claim + 1, failures = 0, problem = null
    where account_id = ${accountId} and trigger_id = ${id}`.execute(tx)
  await forgetFirings(tx, accountId, id)
}

/** What a change may set of a trigger. */
export type ChangedContent = TriggerSettings &
  Pick<TriggerContent, 'id' | 'name' | 'input' | 'mapping' | 'eventTypes' | 'secret' | 'nextAt'>

/** Writes the content of a trigger after a change. Failures of what it was before count no more. */
export async function updateTrigger(tx: Executor, accountId: string, content: ChangedContent, { at, by }: Authorship): Promise<void> {
  const { id, name, input, mapping, eventTypes, secret, nextAt } = content
  await sql`
    update triggers set name = ${name}, input = ${input === undefined ? null : JSON.stringify(input)}, mapping = ${mapping ?? null},
      settings = ${settingsText(content)}, event_types = ${eventTypes ?? null}, secret = ${secret ?? null}, next_at = ${nextAt ?? null},
      failures = 0, revision = revision + 1, updated_at = ${at}, updated_by = ${by}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/** Lets a watch look soon, if it is enabled, with its settings as they are now; at another place it begins anew. */
export async function resetWatch(
  tx: Executor,
  accountId: string,
  { id, enabled }: Pick<Trigger, 'id' | 'enabled'>,
  { at, isElsewhere }: { readonly at: Date; readonly isElsewhere: boolean },
): Promise<void> {
  // A look that is in progress is overtaken.
  await sql`
    update trigger_watches set look_at = ${enabled ? at : null}, claim = claim + 1, failures = 0, problem = null,
      position = case when ${isElsewhere} then null else position end
    where account_id = ${accountId} and trigger_id = ${id}`.execute(tx)
}

/** Forgets claimed due times of a schedule that are still to come. */
export async function forgetDueTimes(tx: Executor, accountId: string, id: string, now: Date): Promise<void> {
  await sql`
    delete from trigger_firings
    where account_id = ${accountId} and trigger_id = ${id} and starts_with(cause, 'due:') and due_at > ${now}`.execute(tx)
}

/** Forgets what a trigger has not started, and the events that wait for others. */
export async function forgetFirings(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from trigger_firings where account_id = ${accountId} and trigger_id = ${id}`.execute(tx)
  await sql`delete from trigger_event_sets where account_id = ${accountId} and trigger_id = ${id}`.execute(tx)
}

/** The triggers that the definition of a workflow has made, locked until the transaction ends. */
export async function findDefinitionTriggers(tx: Executor, accountId: string, workflowId: string): Promise<readonly Trigger[]> {
  const { rows } = await sql<TriggerRow>`
    select ${columns} from triggers t
    where t.account_id = ${accountId} and t.workflow_id = ${workflowId} and t.origin = 'definition' for no key update`.execute(tx)
  return rows.map(triggerOf)
}

/** The ids of all triggers of a workflow. */
export async function findTriggerIds(tx: Executor, accountId: string, workflowId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from triggers where account_id = ${accountId} and workflow_id = ${workflowId} for no key update`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes triggers with what they have not started, and their deliveries. */
export async function deleteTriggers(tx: Executor, accountId: string, ids: readonly string[]): Promise<void> {
  await sql`delete from triggers where account_id = ${accountId} and id = any(${ids}::uuid[])`.execute(tx)
  await sql`delete from trigger_firings where account_id = ${accountId} and trigger_id = any(${ids}::uuid[])`.execute(tx)
  await sql`delete from trigger_skips where account_id = ${accountId} and trigger_id = any(${ids}::uuid[])`.execute(tx)
  await sql`delete from webhook_deliveries where account_id = ${accountId} and trigger_id = any(${ids}::uuid[])`.execute(tx)
}

/** Deletes everything of an account. */
export async function purgeTriggers(executor: Executor, accountId: string): Promise<void> {
  for (const table of ['webhook_deliveries', 'trigger_skips', 'trigger_firings', 'trigger_event_sets', 'trigger_watches', 'triggers'])
    await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(executor)
}

export { columns as triggerColumns, triggerOf }
export type { TriggerRow }

function settingsText({ schedule, webhook, watch, on, workflowIds, filter }: TriggerSettings): string {
  return JSON.stringify({ schedule, webhook, watch, on, workflowIds, filter })
}

function triggerOf(row: TriggerRow): Trigger {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by `insertTrigger` from settings.
  const settings = JSON.parse(row.settings) as TriggerSettings
  return {
    ...settings,
    id: row.id,
    accountId: row.account_id,
    workflowId: row.workflow_id,
    kind: row.kind,
    origin: row.origin,
    name: row.name,
    enabled: row.enabled,
    pausedReason: row.paused_reason ?? undefined,
    pausedConnection: row.paused_connection ?? undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A column of type json.
    input: row.input === null ? undefined : (JSON.parse(row.input) as Json),
    mapping: row.mapping ?? undefined,
    eventTypes: row.event_types ?? undefined,
    token: row.token ?? undefined,
    secret: row.secret ?? undefined,
    nextAt: row.claimed_at ?? row.next_at ?? undefined,
    testUntil: row.test_until ?? undefined,
    failures: row.failures,
    lastFiredAt: row.last_fired_at ?? undefined,
    lastExecutionId: row.last_execution_id ?? undefined,
    lastError: row.last_error ?? undefined,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    watched: row.watched === null ? undefined : watchedOf(row.watched),
  }
}

function watchedOf(text: string): WatchState {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Made by `columns`.
  const { lookAt, lookedAt, failures, problem } = JSON.parse(text) as {
    readonly lookAt: string | null
    readonly lookedAt: string | null
    readonly failures: number
    readonly problem: string | null
  }
  const dateOf = (at: string | null) => (at === null ? undefined : new Date(at))
  return { lookAt: dateOf(lookAt), lookedAt: dateOf(lookedAt), failures, problem: problem ?? undefined }
}

export const triggerNames = nameSource('trg', sql`select id, account_id, name, name as words from triggers`)
