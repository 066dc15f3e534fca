import type { JsonValue } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Environment, StoredValue, Variable, VariableKind } from './model.ts'
import { nameSource } from '#platform/db/name-source.ts'

type Executor = Kysely<Rows>

interface VariableRow {
  readonly id: string
  readonly name: string
  readonly kind: VariableKind
  readonly workflow_id: string | null
  readonly environment: Environment
  readonly value: string | null
  readonly description: string
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

export interface VariableFilter {
  readonly limit: number
  readonly before: string | undefined
  readonly scope: 'account' | 'workflow' | undefined
  readonly workflowId: string | undefined
  readonly kind: VariableKind | undefined
  readonly environment: Environment | undefined
  readonly name: string | undefined
}

/** The time and author of a change, the author as `kind:id`. */
export interface Authorship {
  readonly at: Date
  readonly by: string
}

/** The value of a name for one workflow. */
export interface Resolved {
  readonly id: string
  readonly name: string
  /** JSON; undefined for a secret. */
  readonly json: string | undefined
  readonly sealed: Buffer | undefined
}

const columns = sql`id, name, kind, workflow_id, environment, value, description, revision, created_at, updated_at`

/** Counts the variables of an account. Serializes their creation until the transaction ends, so that two requests cannot both add the last one. */
export async function countVariables(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace variables'), hashtext(${accountId}))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int4 as count from variables where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function listVariables(tx: Executor, accountId: string, filter: VariableFilter): Promise<readonly Variable[]> {
  const { limit, before, scope, workflowId, kind, environment, name } = filter
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(before === undefined ? [] : [sql`id < ${before}`]),
    ...(scope === undefined ? [] : [scope === 'account' ? sql`workflow_id is null` : sql`workflow_id is not null`]),
    ...(workflowId === undefined ? [] : [sql`workflow_id = ${workflowId}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(environment === undefined ? [] : [sql`environment = ${environment}`]),
    ...(name === undefined ? [] : [sql`strpos(lower(name), lower(${name})) > 0`]),
  ]
  const { rows } = await sql<VariableRow>`
    select ${columns} from variables where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}`.execute(tx)
  return rows.map(variableOf)
}

/** Inserts a variable; false when its name is in use in this scope and environment. */
export async function insertVariable(
  tx: Executor,
  accountId: string,
  given: Pick<Variable, 'id' | 'name' | 'kind' | 'workflowId' | 'environment' | 'description'>,
  { json, sealed }: StoredValue,
  { at, by }: Authorship,
): Promise<boolean> {
  const { id, name, kind, workflowId, environment, description } = given
  const { rows } = await sql`
    insert into variables (id, account_id, workflow_id, environment, name, kind, value, sealed, description, created_at, created_by, updated_at, updated_by)
    values (${id}, ${accountId}, ${workflowId ?? null}, ${environment}, ${name}, ${kind}, ${json ?? null}::text::json, ${sealed ?? null}, ${description},
      ${at}, ${by}, ${at}, ${by})
    on conflict (account_id, name, workflow_id, environment) do nothing returning 1`.execute(tx)
  return rows.length === 1
}

export async function findVariable(tx: Executor, accountId: string, id: string): Promise<Variable | undefined> {
  const { rows } = await sql<VariableRow>`select ${columns} from variables where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : variableOf(rows[0])
}

/** Finds a variable and locks it until the transaction ends. */
export async function lockVariable(tx: Executor, accountId: string, id: string): Promise<Variable | undefined> {
  const { rows } = await sql<VariableRow>`
    select ${columns} from variables where account_id = ${accountId} and id = ${id} for no key update`.execute(tx)
  return rows[0] === undefined ? undefined : variableOf(rows[0])
}

export async function findSealed(tx: Executor, accountId: string, id: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ readonly sealed: Buffer | null }>`
    select sealed from variables where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0]?.sealed ?? undefined
}

/** Seals the secrets of all accounts anew where `reseal` returns a value, in batches; one that is changed meanwhile keeps its new value. */
export async function resealVariables(
  db: Executor,
  batch: number,
  reseal: (accountId: string, secret: { readonly id: string; readonly sealed: Buffer }) => Promise<Buffer | undefined>,
): Promise<number> {
  let after = '00000000-0000-0000-0000-000000000000'
  let count = 0
  for (;;) {
    const { rows } = await sql<{ readonly id: string; readonly account_id: string; readonly sealed: Buffer }>`
      select id, account_id, sealed from variables where id > ${after} and kind = 'secret' order by id limit ${batch}`.execute(db)
    for (const { id, account_id: accountId, sealed } of rows) {
      after = id
      const anew = await reseal(accountId, { id, sealed })
      if (anew === undefined) continue
      const { numAffectedRows = 0n } = await sql`
        update variables set sealed = ${anew} where account_id = ${accountId} and id = ${id} and sealed = ${sealed}`.execute(db)
      count += Number(numAffectedRows)
    }
    if (rows.length < batch) return count
  }
}

export async function updateVariable(
  tx: Executor,
  accountId: string,
  { id, kind, description }: Pick<Variable, 'id' | 'kind' | 'description'>,
  value: StoredValue | undefined,
  { at, by }: Authorship,
): Promise<void> {
  await sql`
    update variables set kind = ${kind}, description = ${description}, revision = revision + 1, updated_at = ${at}, updated_by = ${by}
      ${value === undefined ? sql`` : sql`, value = ${value.json ?? null}::text::json, sealed = ${value.sealed ?? null}`}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function deleteVariable(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from variables where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/**
 * The values of names for a workflow in an environment: one of the workflow before one of the account, and in each one of the environment before
 * one for all. Without names, those of all.
 */
export async function resolveVariables(
  executor: Executor,
  accountId: string,
  { names, workflowId, environment, secret }: ResolveOptions,
): Promise<readonly Resolved[]> {
  const { rows } = await sql<{ readonly id: string; readonly name: string; readonly value: string | null; readonly sealed: Buffer | null }>`
    select distinct on (name) id, name, value, sealed from variables
    where account_id = ${accountId} and ${names === undefined ? sql`true` : sql`name = any(${[...names]}::text[])`}
      and (workflow_id is null or workflow_id = ${workflowId ?? null}::uuid) and environment in ('all', ${environment})
      and (kind = 'secret') = ${secret}
    order by name, workflow_id nulls last, (environment = 'all')`.execute(executor)
  return rows.map(({ id, name, value, sealed }) => ({ id, name, json: value ?? undefined, sealed: sealed ?? undefined }))
}

export interface ResolveOptions {
  readonly names: readonly string[] | undefined
  /** Undefined: only variables of the account. */
  readonly workflowId: string | undefined
  readonly environment: Exclude<Environment, 'all'>
  /** Secrets alone, or all but secrets. */
  readonly secret: boolean
}

/** Deletes every variable of an account. */
export async function deleteVariablesOf(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from variables where account_id = ${accountId}`.execute(tx)
}

function variableOf(row: VariableRow): Variable {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    workflowId: row.workflow_id ?? undefined,
    environment: row.environment,
    value: row.value === null ? undefined : parsed(row.value),
    description: row.description,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function parsed(json: string): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column has JSON.
  return JSON.parse(json) as JsonValue
}

export const variableNames = nameSource('var', sql`select id, account_id, name, name as words from variables`)
