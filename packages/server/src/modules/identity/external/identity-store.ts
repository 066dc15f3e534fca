import { type RawBuilder, sql } from 'kysely'
import type { User } from '#modules/identity/model.ts'
import { type Executor, userColumns, userOf, type UserRow } from '#modules/identity/store.ts'
import { preparedMark } from '#platform/db/database-client.ts'
import type { Identity, IdentityKey, ProviderName } from './model.ts'

interface IdentityRow {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly provider: ProviderName
  readonly sign_in_provider_id: string | null
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly created_at: Date
  readonly last_used_at: Date
}

export interface UsedIdentity {
  readonly identityId: string
  readonly user: User
}

const columns = sql`id, account_id, user_id, provider, sign_in_provider_id, issuer, subject, email, created_at, last_used_at`

/** Finds the identity of a key with its user, and records its use. Across accounts: the account of a sign-in is not known yet. */
export async function useIdentity(
  tx: Executor,
  key: IdentityKey,
  { at, email }: { readonly at: Date; readonly email: string | undefined },
): Promise<UsedIdentity | undefined> {
  const { signInProviderId } = key
  // An index is not searched for `is not distinct from`.
  const ofProvider =
    signInProviderId === undefined ? sql`i.sign_in_provider_id is null` : sql`i.sign_in_provider_id = ${signInProviderId}::uuid`
  const mark = sql.raw(preparedMark(signInProviderId === undefined ? 'use_identity' : 'use_account_identity'))
  const { rows } = await sql<UserRow & { readonly identity_id: string }>`${mark}update identities i
    set last_used_at = ${at}::timestamptz, email = ${email ?? null}::text
    from users u
    where i.provider = ${key.provider} and i.issuer = ${key.issuer} and i.subject = ${key.subject} and ${ofProvider}
      and u.account_id = i.account_id and u.id = i.user_id
    returning i.id as identity_id, ${userColumns}`.execute(tx)
  return rows[0] === undefined ? undefined : { identityId: rows[0].identity_id, user: userOf(rows[0]) }
}

/** Has a row while an identity is linked to its user, and keeps it from being removed until the session is opened. */
export function identityGuard({ identityId, user }: UsedIdentity): RawBuilder<unknown> {
  return sql`
    select 1 from identities where account_id = ${user.accountId}::uuid and user_id = ${user.id}::uuid and id = ${identityId}::uuid for share`
}

/** Links an identity; false when it is linked already, or when the user has another one of the provider. */
export async function insertIdentity(tx: Executor, identity: Identity): Promise<boolean> {
  const { rows } = await sql`
    insert into identities (id, account_id, user_id, provider, sign_in_provider_id, issuer, subject, email, created_at, last_used_at)
    values (${identity.id}, ${identity.accountId}, ${identity.userId}, ${identity.provider}, ${identity.signInProviderId ?? null},
      ${identity.issuer}, ${identity.subject}, ${identity.email ?? null}, ${identity.createdAt}, ${identity.lastUsedAt})
    on conflict do nothing returning 1`.execute(tx)
  return rows.length === 1
}

export async function listIdentities(
  tx: Executor,
  accountId: string,
  userId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Identity[]> {
  const { rows } = await sql<IdentityRow>`
    select ${columns} from identities
    where account_id = ${accountId} and user_id = ${userId} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(identityOf)
}

export async function hasIdentity(tx: Executor, accountId: string, userId: string, provider: ProviderName): Promise<boolean> {
  const { rows } = await sql`
    select from identities where account_id = ${accountId} and user_id = ${userId} and provider = ${provider}`.execute(tx)
  return rows.length === 1
}

export async function deleteIdentity(tx: Executor, accountId: string, userId: string, provider: ProviderName): Promise<boolean> {
  const { rows } = await sql`
    delete from identities where account_id = ${accountId} and user_id = ${userId} and provider = ${provider} returning 1`.execute(tx)
  return rows.length === 1
}

/** Whether the user can sign in by a password or an identity. Locks the user, so that two ways in cannot be removed concurrently. */
export async function hasWayIn(tx: Executor, accountId: string, userId: string): Promise<boolean> {
  await sql`select from users where account_id = ${accountId} and id = ${userId} for update`.execute(tx)
  const { rows } = await sql<{ readonly has: boolean }>`
    select exists (select from user_passwords where account_id = ${accountId} and user_id = ${userId})
      or exists (select from identities where account_id = ${accountId} and user_id = ${userId}) as has`.execute(tx)
  return rows[0]?.has === true
}

function identityOf(row: IdentityRow): Identity {
  return {
    id: row.id,
    accountId: row.account_id,
    userId: row.user_id,
    provider: row.provider,
    signInProviderId: row.sign_in_provider_id ?? undefined,
    issuer: row.issuer,
    subject: row.subject,
    email: row.email ?? undefined,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}
