import { sql } from 'kysely'
import type { SessionTimes } from '#modules/identity/session-state.ts'
import { isActiveSql } from '#modules/identity/session-state.ts'
import type { Executor } from '#modules/identity/store.ts'
import { preparedMark } from '#platform/db/database-client.ts'

export interface StoredTotp {
  readonly secret: Buffer
  readonly confirmed: boolean
}

/** Stores the sealed key of a new authenticator, in place of one that is not confirmed; false when the user has a confirmed one. */
export async function putPendingTotp(
  tx: Executor,
  accountId: string,
  { userId, secret, at }: { readonly userId: string; readonly secret: Uint8Array; readonly at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into user_totp as t (user_id, account_id, secret, created_at) values (${userId}, ${accountId}, ${secret}, ${at})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at, last_step = 0
    where t.confirmed_at is null and t.account_id = excluded.account_id
    returning 1`.execute(tx)
  return rows.length === 1
}

export async function findTotp(tx: Executor, accountId: string, userId: string): Promise<StoredTotp | undefined> {
  const { rows } = await sql<{
    readonly secret: Buffer
    readonly confirmed: boolean
  }>`${sql.raw(preparedMark('find_totp'))}select secret, confirmed_at is not null as confirmed from user_totp where account_id = ${accountId} and user_id = ${userId}`.execute(
    tx,
  )
  return rows[0]
}

/** Accepts the code of a time step; false when a code of this step or a later one was accepted already, in whatever request. */
export async function acceptTotpStep(tx: Executor, accountId: string, userId: string, step: number): Promise<boolean> {
  const { rows } = await sql`${sql.raw(preparedMark('accept_totp_step'))}update user_totp set last_step = ${step}
    where account_id = ${accountId} and user_id = ${userId} and last_step < ${step} and confirmed_at is not null
    returning 1`.execute(tx)
  return rows.length === 1
}

/** Confirms a new authenticator by the step of its first code; false when it was confirmed already, or replaced. */
export async function confirmTotp(
  tx: Executor,
  accountId: string,
  { userId, secret, step, at }: { readonly userId: string; readonly secret: Uint8Array; readonly step: number; readonly at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update user_totp set confirmed_at = ${at}, last_step = ${step}
    where account_id = ${accountId} and user_id = ${userId} and secret = ${secret} and confirmed_at is null
    returning 1`.execute(tx)
  return rows.length === 1
}

/** Removes the authenticator, the recovery codes, and the phone as a second factor; false when the user had none. */
export async function deleteFactors(tx: Executor, accountId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    with totp as (delete from user_totp where account_id = ${accountId} and user_id = ${userId} and confirmed_at is not null returning 1),
    phone as (
      update user_phones set second_factor = false where account_id = ${accountId} and user_id = ${userId} and second_factor returning 1
    ),
    codes as (delete from recovery_codes where account_id = ${accountId} and user_id = ${userId} returning 1)
    select 1 where exists (select from totp) or exists (select from phone)`.execute(tx)
  return rows.length === 1
}

export async function replaceRecoveryCodes(
  tx: Executor,
  accountId: string,
  { userId, hashes, at }: { readonly userId: string; readonly hashes: readonly Uint8Array[]; readonly at: Date },
): Promise<void> {
  await sql`delete from recovery_codes where account_id = ${accountId} and user_id = ${userId}`.execute(tx)
  if (hashes.length === 0) return
  await sql`
    insert into recovery_codes (user_id, account_id, hash, created_at)
    select ${userId}, ${accountId}, hash, ${at} from unnest(${hashes}::bytea[]) as made (hash)`.execute(tx)
}

/** Uses a recovery code up; false when the user has no such code. */
export async function useRecoveryCode(tx: Executor, accountId: string, userId: string, hash: Uint8Array): Promise<boolean> {
  const { rows } = await sql`
    delete from recovery_codes where account_id = ${accountId} and user_id = ${userId} and hash = ${hash} returning 1`.execute(tx)
  return rows.length === 1
}

/** Ends every active session of a user but one, and returns their number. */
export async function revokeOtherSessions(
  tx: Executor,
  accountId: string,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string | undefined },
  times: SessionTimes,
): Promise<number> {
  const { rows } = await sql`
    update sessions set revoked_at = ${times.at}, revoked_because = 'revoked'
    where account_id = ${accountId} and user_id = ${userId} and id is distinct from ${sessionId ?? null}::uuid and ${isActiveSql(times)}
    returning 1`.execute(tx)
  return rows.length
}

export async function putMfaPolicy(tx: Executor, accountId: string, required: boolean): Promise<void> {
  await sql`update accounts set requires_mfa = ${required} where id = ${accountId}`.execute(tx)
}
