import type { Scope } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { ApiKeySecret } from '#platform/auth/api-key-secret.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { OAuthClient } from './oauth-client.ts'

type Executor = Kysely<Rows>

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

/** Inserts a client that registered, or replaces what is known of one with a document, which must be fetched again after `freshUntil`. */
export async function saveClient(
  system: Executor,
  { id, name, redirectUris }: OAuthClient,
  { at, freshUntil }: { readonly at: Date; readonly freshUntil: Date | undefined },
): Promise<void> {
  await sql`
    insert into oauth_clients (id, name, redirect_uris, created_at, fresh_until)
    values (${id}, ${name}, ${[...redirectUris]}, ${at}, ${freshUntil ?? null})
    on conflict (id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris, created_at = excluded.created_at,
      fresh_until = excluded.fresh_until`.execute(system)
}

/** A client as it is stored. */
export interface StoredClient extends OAuthClient {
  /** Undefined for a client that registered. */
  readonly freshUntil: Date | undefined
}

export async function findClient(system: Executor, id: string): Promise<StoredClient | undefined> {
  const { rows } = await sql<{
    readonly id: string
    readonly name: string
    readonly redirect_uris: string[]
    readonly fresh_until: Date | null
  }>`select id, name, redirect_uris, fresh_until from oauth_clients where id = ${id}`.execute(system)
  const [row] = rows
  if (row === undefined) return undefined
  return { id: row.id, name: row.name, redirectUris: row.redirect_uris, freshUntil: row.fresh_until ?? undefined }
}

/** Deletes clients with neither a grant nor a code that registered before a time. @returns how many clients are left. */
export async function pruneClients(system: Executor, before: Date): Promise<number> {
  await sql`
    delete from oauth_clients c where created_at < ${before} and not exists (
      select from api_keys k where k.client_id = c.id and k.revoked_at is null)
      and not exists (select from oauth_codes o where o.client_id = c.id)`.execute(system)
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

/** What was allowed with a code, across accounts. */
export async function findCode(system: Executor, hash: Uint8Array): Promise<Authorization | undefined> {
  const { rows } = await sql<{
    readonly account_id: string
    readonly user_id: string
    readonly client_id: string
    readonly redirect_uri: string
    readonly scopes: Scope[]
    readonly challenge: string
    readonly expires_at: Date
  }>`
    select account_id, user_id, client_id, redirect_uri, scopes, challenge, expires_at from oauth_codes
    where hash = ${Buffer.from(hash)}`.execute(system)
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

/** Takes a code for the key that it makes. Lock its user before. @returns `used` with the key of the first use, if it was taken before. */
export async function takeCode(
  tx: Executor,
  accountId: string,
  { hash, keyId, at }: { readonly hash: Uint8Array; readonly keyId: string; readonly at: Date },
): Promise<'taken' | 'gone' | { readonly used: string }> {
  const { rows } = await sql<{ readonly key_id: string; readonly used_at: Date | null }>`
    select used_at, key_id from oauth_codes where account_id = ${accountId} and hash = ${Buffer.from(hash)} for update`.execute(tx)
  const [row] = rows
  if (row === undefined) return 'gone'
  if (row.used_at !== null) return { used: row.key_id }
  await sql`
    update oauth_codes set used_at = ${at}, key_id = ${keyId} where account_id = ${accountId} and hash = ${Buffer.from(hash)}`.execute(tx)
  return 'taken'
}

/**
 * Ends grants that are too old or were not used for too long, and deletes the tokens of ended grants and the codes that expired, a part at a
 * time. The spent refresh tokens of a grant stay as long as it does, so that a second use is noticed.
 */
export async function sweepOAuth(
  system: Executor,
  now: Date,
  { grantsBefore, unusedBefore }: { readonly grantsBefore: Date; readonly unusedBefore: Date },
): Promise<void> {
  await sql`delete from oauth_codes where hash in (select hash from oauth_codes where expires_at < ${now} limit 10000)`.execute(system)
  await sql`
    update api_keys set revoked_at = ${now} where (account_id, id) in (
      select k.account_id, k.id from api_keys k
      where k.client_id is not null and k.revoked_at is null and (k.created_at < ${grantsBefore} or not exists (
        select from api_key_secrets s
        where s.account_id = k.account_id and s.key_id = k.id and s.kind = 'refresh' and s.created_at >= ${unusedBefore}))
      limit 1000)`.execute(system)
  await sql`
    delete from api_key_secrets where hash in (
      select s.hash from api_key_secrets s join api_keys k on k.account_id = s.account_id and k.id = s.key_id
      where k.client_id is not null and (k.revoked_at is not null or (s.kind = 'access' and s.valid_until < ${now})) limit 10000)`.execute(
    system,
  )
}

/** A key of a client, by one of its secrets. */
export interface Grant {
  readonly accountId: string
  readonly keyId: string
  readonly clientId: string
  readonly kind: 'access' | 'refresh' | 'spent'
  readonly scopes: readonly Scope[]
  /** Of the grant. */
  readonly grantedAt: Date
  /** Of the token. */
  readonly issuedAt: Date
}

export async function findGrant(system: Executor, { hash }: ApiKeySecret): Promise<Grant | undefined> {
  const { rows } = await sql<{
    readonly account_id: string
    readonly key_id: string
    readonly client_id: string
    readonly kind: Grant['kind']
    readonly scopes: Scope[]
    readonly granted_at: Date
    readonly issued_at: Date
  }>`
    select s.account_id, s.key_id, k.client_id, s.kind, k.scopes, k.created_at as granted_at, s.created_at as issued_at
    from api_key_secrets s join api_keys k on k.account_id = s.account_id and k.id = s.key_id
    where s.hash = ${hash} and k.client_id is not null and k.revoked_at is null`.execute(system)
  const [row] = rows
  if (row === undefined) return undefined
  const { kind, scopes, granted_at: grantedAt, issued_at: issuedAt } = row
  return { accountId: row.account_id, keyId: row.key_id, clientId: row.client_id, kind, scopes, grantedAt, issuedAt }
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
