import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Connection, ConnectionKind, ConnectionState, Settings, TestResult } from './model.ts'
import { nameSource } from '#platform/db/name-source.ts'

type Executor = Kysely<Rows>

interface ConnectionRow {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly settings: string
  readonly secret_names: string[]
  readonly state: ConnectionState
  readonly problem: string | null
  readonly tested_at: Date | null
  readonly expires_at: Date | null
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** The time and author of a change, the author as `kind:id`. */
export interface Authorship {
  readonly at: Date
  readonly by: string
}

export interface ConnectionFilter {
  readonly limit: number
  readonly before: string | undefined
  readonly kind: ConnectionKind | undefined
  readonly state: ConnectionState | undefined
}

/** The secrets of a connection as they are stored. */
export interface SealedConnection {
  readonly connection: Connection
  readonly sealed: Buffer
  readonly tokens: Buffer | undefined
}

export const connectionNameConstraint = 'connections_name_unique'

const columns = sql`id, name, description, settings::text as settings, secret_names, state, problem, tested_at, expires_at, revision, created_at,
  updated_at`

/** Counts the connections of an account, one request at a time. */
export async function countConnections(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace connections'), hashtext(${accountId}))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int4 as count from connections where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The subset of the names that connections of the account have. */
export async function connectionNames(tx: Executor, accountId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly name: string }>`
    select name from connections where account_id = ${accountId} and name = any(${[...names]}::text[])`.execute(tx)
  return new Set(rows.map(({ name }) => name))
}

/** The names of the connections of an account, at most so many. */
export async function listConnectionNames(tx: Executor, accountId: string, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string }>`
    select name from connections where account_id = ${accountId} order by name limit ${limit}`.execute(tx)
  return rows.map(({ name }) => name)
}

export async function listConnections(tx: Executor, accountId: string, filter: ConnectionFilter): Promise<readonly Connection[]> {
  const { limit, before, kind, state } = filter
  const { rows } = await sql<ConnectionRow>`
    select ${columns} from connections where account_id = ${accountId}
      ${before === undefined ? sql`` : sql`and id < ${before}`} ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      ${state === undefined ? sql`` : sql`and state = ${state}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(connectionOf)
}

/** @param lock until the transaction ends. */
export async function findConnection(
  tx: Executor,
  accountId: string,
  key: { readonly id: string } | { readonly name: string },
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<SealedConnection | undefined> {
  const which = 'id' in key ? sql`id = ${key.id}` : sql`name = ${key.name}`
  const { rows } = await sql<ConnectionRow & { readonly sealed: Buffer; readonly tokens: Buffer | null }>`
    select ${columns}, sealed, tokens from connections where account_id = ${accountId} and ${which} ${lock ? sql`for update` : sql``}`.execute(
    tx,
  )
  const row = rows[0]
  return row === undefined ? undefined : { connection: connectionOf(row), sealed: row.sealed, tokens: row.tokens ?? undefined }
}

/** The parts of a connection that a request writes. */
export interface WrittenConnection extends Pick<Connection, 'id' | 'name' | 'description' | 'settings' | 'secretNames' | 'expiresAt'> {
  readonly sealed: Buffer
}

export async function insertConnection(
  tx: Executor,
  accountId: string,
  connection: WrittenConnection,
  { state, problem }: TestResult,
  { at, by }: Authorship,
): Promise<void> {
  const { id, name, description, settings, secretNames, expiresAt, sealed } = connection
  await sql`
    insert into connections (id, account_id, name, kind, description, settings, secret_names, sealed, state, problem, tested_at, expires_at,
      created_at, created_by, updated_at, updated_by)
    values (${id}, ${accountId}, ${name}, ${settings.kind}, ${description}, ${JSON.stringify(settings)}, ${[...secretNames]}, ${sealed}, ${state},
      ${problem ?? null}, ${at}, ${expiresAt ?? null}, ${at}, ${by}, ${at}, ${by})`.execute(tx)
}

/** Replaces a connection; tokens of OAuth and the notification of its end belong to what was there before. */
export async function updateConnection(
  tx: Executor,
  accountId: string,
  connection: WrittenConnection,
  options: { readonly keepsTokens: boolean; readonly tested: TestResult | undefined },
  { at, by }: Authorship,
): Promise<void> {
  const { id, name, description, settings, secretNames, expiresAt, sealed } = connection
  const { tested, keepsTokens } = options
  await sql`
    update connections set name = ${name}, description = ${description}, settings = ${JSON.stringify(settings)}, secret_names = ${[...secretNames]},
      sealed = ${sealed}, notified_at = case when expires_at is not distinct from ${expiresAt ?? null} then notified_at end,
      expires_at = ${expiresAt ?? null}, revision = revision + 1, updated_at = ${at}, updated_by = ${by}
      ${keepsTokens ? sql`` : sql`, tokens = null, ${otherTokens}`}
      ${tested === undefined ? sql`` : sql`, state = ${tested.state}, problem = ${tested.problem ?? null}, tested_at = ${at}`}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/** New tokens, or none, end what is known about the renewal of the old ones. */
const otherTokens = sql`token_version = token_version + 1, renewal_until = null, renewal_failures = 0, renewal_after = null,
  renewal_problem = null`

export async function updateState(
  tx: Executor,
  accountId: string,
  id: string,
  { state, problem }: TestResult,
  testedAt: Date | undefined,
): Promise<void> {
  await sql`
    update connections set state = ${state}, problem = ${problem ?? null} ${testedAt === undefined ? sql`` : sql`, tested_at = ${testedAt}`}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/** Keeps new tokens; a connection that has tokens is ready. */
export async function updateTokens(tx: Executor, accountId: string, id: string, tokens: Buffer): Promise<void> {
  await sql`
    update connections set tokens = ${tokens}, state = 'ready', problem = null, ${otherTokens} where account_id = ${accountId} and id = ${id}`.execute(
    tx,
  )
}

export async function deleteConnection(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from connections where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export interface ExpiringConnection {
  readonly accountId: string
  readonly id: string
  readonly name: string
  readonly expiresAt: Date
}

/** Connections of all accounts that end before a time and of which no user was notified; claimed by this transaction. */
export async function claimExpiring(db: Executor, before: Date, at: Date, limit: number): Promise<readonly ExpiringConnection[]> {
  const { rows } = await sql<{ account_id: string; id: string; name: string; expires_at: Date }>`
    update connections set notified_at = ${at} where id in (
      select id from connections where expires_at < ${before} and notified_at is null order by expires_at limit ${limit} for update skip locked
    ) returning account_id, id, name, expires_at`.execute(db)
  return rows.map((row) => ({ accountId: row.account_id, id: row.id, name: row.name, expiresAt: row.expires_at }))
}

export async function deleteConnectionsOf(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from connections where account_id = ${accountId}`.execute(executor)
}

function connectionOf(row: ConnectionRow): Connection {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains only settings, written above.
    settings: JSON.parse(row.settings) as Settings,
    secretNames: row.secret_names,
    state: row.state,
    problem: row.problem ?? undefined,
    testedAt: row.tested_at ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export const connectionNameSource = nameSource('conn', sql`select id, account_id, name, name as words from connections`)
