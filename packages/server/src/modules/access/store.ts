import { Fault, type Role, type Scope, scopesOfRole } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { ApiKeySecret } from '#platform/auth/api-key-secret.ts'
import type { LiveKey } from '#platform/auth/authenticator.ts'
import { createBatcher } from '#platform/batching/batcher.ts'
import type { Prepared } from '#platform/db/prepared.ts'
import { fromTypeId } from '#platform/ids.ts'
import type { ApiKey } from './model.ts'
import { nameSource } from '#platform/db/name-source.ts'

export type Executor = Kysely<Rows>

/** The only path at which tokens of OAuth clients are valid. */
const mcpPath = '/mcp'

interface KeyRow {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly name: string
  readonly scopes: Scope[]
  readonly workflow_ids: string[] | null
  readonly start: string
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly client_id: string | null
}

// The current secret has no end; rotations end the previous ones.
const columns = sql`k.id, k.account_id, k.user_id, k.name, k.scopes, k.workflow_ids, s.prefix as start, k.created_at, k.expires_at, k.last_used_at, k.client_id`
const withSecret = sql`join api_key_secrets s on s.account_id = k.account_id and s.key_id = k.id and s.valid_until is null`

interface LiveKeyRow {
  readonly prefix: string
  readonly hash: Buffer
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly role: Role
  readonly is_operator: boolean
  readonly scopes: Scope[]
  readonly workflow_ids: string[] | null
  readonly client_id: string | null
  readonly ends_at: Date | null
  readonly last_used_at: Date | null
}

/** @param clientId of the OAuth client that a user allowed; undefined for a key that a user made. */
export async function insertKey(tx: Executor, key: ApiKey, clientId?: string): Promise<void> {
  await sql`
    insert into api_keys (id, account_id, user_id, name, scopes, workflow_ids, created_at, expires_at, client_id)
    values (${key.id}, ${key.accountId}, ${key.userId}, ${key.name}, ${key.scopes}, ${key.workflowIds ?? null}, ${key.createdAt}, ${key.expiresAt ?? null},
      ${clientId ?? null})`.execute(tx)
}

export async function insertSecret(
  tx: Executor,
  accountId: string,
  keyId: string,
  { secret, createdAt }: { readonly secret: ApiKeySecret; readonly createdAt: Date },
): Promise<void> {
  await sql`
    insert into api_key_secrets (hash, key_id, account_id, prefix, created_at)
    values (${secret.hash}, ${keyId}, ${accountId}, ${secret.prefix}, ${createdAt})`.execute(tx)
}

/** Ends every secret of a key: the current one at `until` (now when undefined), those of earlier rotations now. */
export async function endSecrets(tx: Executor, accountId: string, keyId: string, until: Date | undefined): Promise<void> {
  await sql`
    delete from api_key_secrets
    where account_id = ${accountId} and key_id = ${keyId} and (valid_until is not null or ${until === undefined})`.execute(tx)
  if (until === undefined) return
  await sql`update api_key_secrets set valid_until = ${until} where account_id = ${accountId} and key_id = ${keyId}`.execute(tx)
}

/** Keys that are not revoked, newest first: of one user, or of the whole account. */
export async function listKeys(
  tx: Executor,
  accountId: string,
  userId: string | undefined,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly ApiKey[]> {
  const { rows } = await sql<KeyRow>`
    select ${columns} from api_keys k ${withSecret}
    where k.account_id = ${accountId} and k.revoked_at is null
      ${userId === undefined ? sql`` : sql`and k.user_id = ${userId}`}
      ${before === undefined ? sql`` : sql`and k.id < ${before}`}
    order by k.id desc limit ${limit}`.execute(tx)
  return rows.map(keyOf)
}

/** Finds a key that is not revoked, and locks it until the transaction ends. */
export async function lockKey(tx: Executor, accountId: string, keyId: string): Promise<ApiKey | undefined> {
  const { rows } = await sql<KeyRow>`
    select ${columns} from api_keys k ${withSecret}
    where k.account_id = ${accountId} and k.id = ${keyId} and k.revoked_at is null
    for update of k`.execute(tx)
  return rows[0] === undefined ? undefined : keyOf(rows[0])
}

/**
 * Locks a user until the transaction ends, so that changes of their keys follow each other, and a deactivation. Lock keys and codes after it.
 * @returns whether the user may have keys: one who was deactivated meanwhile may not.
 */
export async function lockUser(tx: Executor, accountId: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ readonly active: boolean }>`
    select deactivated_at is null as active from users where account_id = ${accountId} and id = ${userId} for no key update`.execute(tx)
  return rows[0]?.active === true
}

/**
 * Counts the keys of a user that are neither revoked nor expired, and locks the user until the transaction ends, so that two requests cannot both create the
 * last allowed key. Fault `unauthenticated` for a user who was deactivated while the request was on its way.
 */
export async function countKeys(tx: Executor, accountId: string, userId: string, at: Date): Promise<number> {
  if (!(await lockUser(tx, accountId, userId))) throw new Fault('unauthenticated')
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from api_keys
    where account_id = ${accountId} and user_id = ${userId} and revoked_at is null and (expires_at is null or expires_at > ${at})`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** Takes a workflow from the keys that are limited to it. A key whose last workflow it was remains, and can do nothing. */
export async function forgetWorkflow(tx: Executor, accountId: string, workflowId: string): Promise<void> {
  await sql`
    update api_keys set workflow_ids = array_remove(workflow_ids, ${workflowId})
    where account_id = ${accountId} and ${workflowId} = any(workflow_ids)`.execute(tx)
}

export async function markRevoked(tx: Executor, accountId: string, keyId: string, at: Date): Promise<void> {
  await sql`update api_keys set revoked_at = ${at} where account_id = ${accountId} and id = ${keyId}`.execute(tx)
}

/** The user of a key that is not revoked. */
export async function findUserOfKey(tx: Executor, accountId: string, keyId: string): Promise<string | undefined> {
  const { rows } = await sql<{ readonly user_id: string }>`
    select user_id from api_keys where account_id = ${accountId} and id = ${keyId} and revoked_at is null`.execute(tx)
  return rows[0]?.user_id
}

/**
 * What all users and keys among actors, as `user:usr_…` and `key:key_…`, may do together: nothing if one of them is gone or revoked. Undefined
 * without any among them.
 */
export async function findScopesOfActors(
  tx: Executor,
  accountId: string,
  actors: readonly string[],
  at: Date,
): Promise<ReadonlySet<Scope> | undefined> {
  const { users, keys } = idsOf(actors)
  if (users.length + keys.length === 0) return undefined
  const rows = await findRights(tx, accountId, { users, keys }, at)
  if (rows.length < users.length + keys.length) return new Set()
  return rows
    .map(({ role, scopes }) => (scopes === null ? scopesOfRole(role) : scopesOfRole(role).intersection(new Set(scopes))))
    .reduce((all, one) => all.intersection(one))
}

/** The role of a user, or of the user of a key, as `user:usr_…` or `key:key_…`; undefined for any other actor, and for one that is gone or revoked. */
export async function findRoleOfActor(tx: Executor, accountId: string, actor: string, at: Date): Promise<Role | undefined> {
  const [found] = await findRights(tx, accountId, idsOf([actor]), at)
  return found?.role
}

function idsOf(actors: readonly string[]) {
  return {
    users: actors.flatMap((actor) => fromTypeId('usr', actor.replace(/^user:/, '')) ?? []),
    keys: actors.flatMap((actor) => fromTypeId('key', actor.replace(/^key:/, '')) ?? []),
  }
}

/**
 * A row for each user and key that may still act; `scopes` is null for a user. A key that is limited to workflows has none here, where nothing keeps
 * to its limit.
 */
async function findRights(
  tx: Executor,
  accountId: string,
  { users, keys }: { readonly users: readonly string[]; readonly keys: readonly string[] },
  at: Date,
) {
  const { rows } = await sql<{ readonly role: Role; readonly scopes: Scope[] | null }>`
    select u.role, null as scopes from users u where u.account_id = ${accountId} and u.id = any(${users}::uuid[]) and u.deactivated_at is null
    union all
    select u.role, case when k.workflow_ids is null then k.scopes else '{}' end from api_keys k join users u on u.account_id = k.account_id and u.id = k.user_id
    where k.account_id = ${accountId} and k.id = any(${keys}::uuid[]) and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${at})
      and u.deactivated_at is null`.execute(tx)
  return rows
}

/** Deletes the codes from which a client would get further keys of a user. */
export async function deleteCodes(tx: Executor, accountId: string, userId: string, clientId: string): Promise<void> {
  await sql`
    delete from oauth_codes where account_id = ${accountId} and user_id = ${userId} and client_id = ${clientId}`.execute(tx)
}

/** Revokes the keys of a user, and the codes from which clients would make further ones. */
export async function markAllRevoked(tx: Executor, accountId: string, userId: string, at: Date): Promise<number> {
  await lockUser(tx, accountId, userId)
  await sql`delete from oauth_codes where account_id = ${accountId} and user_id = ${userId}`.execute(tx)
  const { rows } = await sql`
    update api_keys set revoked_at = ${at}
    where account_id = ${accountId} and user_id = ${userId} and revoked_at is null returning 1`.execute(tx)
  return rows.length
}

/** Secrets by their prefixes, with their users; across accounts, since the account of a request follows from its key. */
export async function findLiveKeys(prepared: Prepared, prefixes: readonly string[]): Promise<ReadonlyMap<string, readonly LiveKey[]>> {
  const { rows } = await prepared.query<LiveKeyRow>({
    name: 'live-keys',
    text: `select s.prefix, s.hash, k.id, k.account_id, k.user_id, u.role, u.is_operator, k.scopes, k.workflow_ids, k.client_id,
        least(k.expires_at, s.valid_until) as ends_at, k.last_used_at
      from api_key_secrets s
      join api_keys k on k.account_id = s.account_id and k.id = s.key_id
      join users u on u.account_id = k.account_id and u.id = k.user_id
      where s.prefix = any($1::text[]) and s.kind = 'access' and k.revoked_at is null and u.deactivated_at is null`,
    values: [prefixes],
  })
  const found = rows.map((row) => ({
    prefix: row.prefix,
    id: row.id,
    hash: row.hash,
    accountId: row.account_id,
    userId: row.user_id,
    role: row.role,
    isOperator: row.is_operator,
    scopes: row.scopes,
    ...(row.workflow_ids === null ? {} : { workflowIds: row.workflow_ids }),
    ...(row.client_id === null ? {} : { audience: mcpPath }),
    endsAt: row.ends_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  }))
  return Map.groupBy(found, ({ prefix }) => prefix)
}

export async function writeKeyUses(db: Executor, uses: ReadonlyMap<string, Date>): Promise<void> {
  // Every process locks the rows in the order of ids, so two of them cannot deadlock.
  await sql`
    with used as (
      select k.id, u.at from api_keys k
      join unnest(${[...uses.keys()]}::uuid[], ${[...uses.values()]}::timestamptz[]) as u (id, at)
        on u.id = k.id and (k.last_used_at is null or u.at > k.last_used_at)
      order by k.id for update of k
    )
    update api_keys k set last_used_at = used.at from used where k.id = used.id`.execute(db)
}

function keyOf(row: KeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    userId: row.user_id,
    name: row.name,
    scopes: row.scopes,
    workflowIds: row.workflow_ids ?? undefined,
    start: row.start,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    ...(row.client_id === null ? {} : { clientId: row.client_id }),
  }
}

/** Makes the look-up of keys by prefix: one query for all requests of a turn of the event loop, and no cache. */
export function createKeyFinder(prepared: Prepared): (prefix: string) => Promise<readonly LiveKey[]> {
  return createBatcher<string, readonly LiveKey[]>({
    lanes: 2,
    keysMax: 500,
    async load(prefixes) {
      const found = await findLiveKeys(prepared, [...new Set(prefixes)])
      return prefixes.map((prefix) => found.get(prefix) ?? [])
    },
  })
}

export const apiKeyNames = nameSource('key', sql`select id, account_id, name, name as words from api_keys`)
