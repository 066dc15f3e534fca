import { sql } from 'kysely'
import type { Executor } from '#modules/identity/store.ts'

/** What was removed from a user. */
export interface RemovedCredentials {
  readonly password: boolean
  readonly identities: number
  readonly passkeys: number
  readonly phone: boolean
}

/** Confirms the address of a user; false when it was confirmed already. Locks the user until the transaction ends. */
export async function confirmEmail(tx: Executor, accountId: string, userId: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update users set email_verified_at = ${at}
    where account_id = ${accountId} and id = ${userId} and email_verified_at is null returning 1`.execute(tx)
  return rows.length === 1
}

/**
 * Removes the ways in of a user, those that are being added, and authenticators that were never confirmed. A confirmed second factor stays:
 * a mailbox alone does not get around it.
 */
export async function removeWaysIn(
  tx: Executor,
  accountId: string,
  userId: string,
  { keepsPassword }: { readonly keepsPassword: boolean },
): Promise<RemovedCredentials> {
  const ofUser = sql`account_id = ${accountId} and user_id = ${userId}`
  const { rows } = await sql<RemovedCredentials>`
    with password as (delete from user_passwords where ${ofUser} and not ${keepsPassword} returning user_id),
    linked as (delete from identities where ${ofUser} returning 1),
    keys as (delete from passkeys where ${ofUser} returning 1),
    phone as (delete from user_phones where ${ofUser} and not second_factor returning 1),
    totp as (delete from user_totp where ${ofUser} and confirmed_at is null),
    -- A sign-in that links an identity ends without a session, and so do the others in progress.
    linking as (delete from external_sign_ins where user_id = ${userId}),
    enrolling as (delete from phone_codes where ${ofUser}),
    adding as (delete from passkey_challenges where ${ofUser})
    select exists (select from password) as password, (select count(*)::int from linked) as identities,
      (select count(*)::int from keys) as passkeys, exists (select from phone) as phone`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('the removal of ways in returned no row')
  return row
}
