import type { Scope } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { ApiKeySecret } from '#platform/auth/api-key-secret.ts'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

export interface OAuthClient {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
}

/** What a user has allowed and the client has not fetched yet. */
export interface Authorization {
  readonly accountId: string
  readonly userId: string
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  readonly challenge: string
  readonly expiresAt: Date
}

export async function insertClient(system: Executor, client: OAuthClient, at: Date): Promise<void> {
  await sql`
    insert into oauth_clients (id, name, redirect_uris, created_at)
    values (${client.id}, ${client.name}, ${[...client.redirectUris]}, ${at})`.execute(system)
}

export async function findClient(system: Executor, id: string): Promise<OAuthClient | undefined> {
  const { rows } = await sql<{ readonly id: string; readonly name: string; readonly redirect_uris: string[] }>`
    select id, name, redirect_uris from oauth_clients where id = ${id}`.execute(system)
  const [row] = rows
  return row === undefined ? undefined : { id: row.id, name: row.name, redirectUris: row.redirect_uris }
}

/** Deletes clients without any grant that registered before a time, and codes that ended. @returns how many clients are left. */
export async function pruneOAuth(system: Executor, before: Date, now: Date): Promise<number> {
  await sql`delete from oauth_codes where expires_at < ${now}`.execute(system)
  await sql`
    delete from oauth_clients c where created_at < ${before} and not exists (
      select from api_keys k where k.client_id = c.id and k.revoked_at is null)`.execute(system)
  const { rows } = await sql<{ readonly count: number }>`select count(*)::int as count from oauth_clients`.execute(system)
  return rows[0]?.count ?? 0
}

/** Deletes the oldest client that has neither a grant nor a code. @returns whether there was one. */
export async function deleteOldestUnused(system: Executor): Promise<boolean> {
  const { rows } = await sql`
    delete from oauth_clients where id = (
      select c.id from oauth_clients c
      where not exists (select from api_keys k where k.client_id = c.id and k.revoked_at is null)
        and not exists (select from oauth_codes o where o.client_id = c.id)
      order by c.created_at limit 1) returning 1 as one`.execute(system)
  return rows.length > 0
}

export async function insertCode(tx: Executor, hash: Uint8Array, given: Authorization): Promise<void> {
  await sql`
    insert into oauth_codes (hash, account_id, user_id, client_id, redirect_uri, scopes, challenge, expires_at)
    values (${Buffer.from(hash)}, ${given.accountId}, ${given.userId}, ${given.clientId}, ${given.redirectUri}, ${[...given.scopes]},
      ${given.challenge}, ${given.expiresAt})`.execute(tx)
}

/** Takes a code, which works once. */
export async function takeCode(system: Executor, hash: Uint8Array): Promise<Authorization | undefined> {
  const { rows } = await sql<{
    readonly account_id: string
    readonly user_id: string
    readonly client_id: string
    readonly redirect_uri: string
    readonly scopes: Scope[]
    readonly challenge: string
    readonly expires_at: Date
  }>`
    delete from oauth_codes where hash = ${Buffer.from(hash)}
    returning account_id, user_id, client_id, redirect_uri, scopes, challenge, expires_at`.execute(system)
  const [row] = rows
  if (row === undefined) return undefined
  return {
    accountId: row.account_id,
    userId: row.user_id,
    clientId: row.client_id,
    redirectUri: row.redirect_uri,
    scopes: row.scopes,
    challenge: row.challenge,
    expiresAt: row.expires_at,
  }
}

/** A key of a client, by one of its secrets. */
export interface Grant {
  readonly accountId: string
  readonly keyId: string
  readonly clientId: string
  readonly kind: 'access' | 'refresh' | 'spent'
  readonly scopes: readonly Scope[]
}

export async function findGrant(system: Executor, { hash }: ApiKeySecret): Promise<Grant | undefined> {
  const { rows } = await sql<{
    readonly account_id: string
    readonly key_id: string
    readonly client_id: string
    readonly kind: Grant['kind']
    readonly scopes: Scope[]
  }>`
    select s.account_id, s.key_id, k.client_id, s.kind, k.scopes
    from api_key_secrets s join api_keys k on k.account_id = s.account_id and k.id = s.key_id
    where s.hash = ${hash} and k.client_id is not null and k.revoked_at is null`.execute(system)
  const [row] = rows
  if (row === undefined) return undefined
  return { accountId: row.account_id, keyId: row.key_id, clientId: row.client_id, kind: row.kind, scopes: row.scopes }
}

/** Spends the refresh token of a key. @returns whether it was not spent before. */
export async function spendRefresh(tx: Executor, accountId: string, keyId: string, hash: Uint8Array, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update api_key_secrets set kind = 'spent', valid_until = ${at}
    where account_id = ${accountId} and key_id = ${keyId} and hash = ${Buffer.from(hash)} and kind = 'refresh' returning 1`.execute(tx)
  await sql`
    delete from api_key_secrets where account_id = ${accountId} and key_id = ${keyId} and kind = 'access' and valid_until < ${at}`.execute(
    tx,
  )
  return rows.length > 0
}

export async function insertToken(
  tx: Executor,
  { accountId, keyId }: Pick<Grant, 'accountId' | 'keyId'>,
  token: { readonly secret: ApiKeySecret; readonly kind: 'access' | 'refresh'; readonly at: Date; readonly until: Date | undefined },
): Promise<void> {
  await sql`
    insert into api_key_secrets (hash, key_id, account_id, prefix, created_at, valid_until, kind)
    values (${token.secret.hash}, ${keyId}, ${accountId}, ${token.secret.prefix}, ${token.at}, ${token.until ?? null}, ${token.kind})`.execute(
    tx,
  )
}

/** Revokes the earlier grants of a user to a client. */
export async function revokeEarlier(
  tx: Executor,
  { accountId, userId, clientId }: Pick<Authorization, 'accountId' | 'userId' | 'clientId'>,
  at: Date,
): Promise<void> {
  await sql`
    update api_keys set revoked_at = ${at}
    where account_id = ${accountId} and user_id = ${userId} and client_id = ${clientId} and revoked_at is null`.execute(tx)
}
