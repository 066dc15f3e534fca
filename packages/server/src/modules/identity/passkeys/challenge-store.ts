import { sql } from 'kysely'
import type { Executor } from '#modules/identity/store.ts'
import { preparedMark } from '#platform/db/database-client.ts'

/** The user who adds a passkey. A challenge of a sign-in has none. */
export interface ChallengedUser {
  readonly accountId: string
  readonly userId: string
}

interface PasskeyChallenge {
  readonly requestHash: Uint8Array
  readonly user: ChallengedUser | undefined
  /** base64url */
  readonly challenge: string
  readonly expiresAt: Date
}

export async function insertPasskeyChallenge(tx: Executor, { requestHash, user, challenge, expiresAt }: PasskeyChallenge): Promise<void> {
  await sql`${sql.raw(preparedMark('insert_passkey_challenge'))}insert into passkey_challenges (request_hash, account_id, user_id, challenge, expires_at)
    values (${requestHash}, ${user?.accountId ?? null}, ${user?.userId ?? null}, ${challenge}, ${expiresAt})`.execute(tx)
}

/** Uses the challenge of a new passkey up; `undefined` when it has ended, was used, or was made for another user. */
export async function takePasskeyChallenge(
  tx: Executor,
  requestHash: Uint8Array,
  user: ChallengedUser,
  at: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly challenge: string }>`
    delete from passkey_challenges
    where request_hash = ${requestHash} and expires_at > ${at} and account_id = ${user.accountId}::uuid
      and user_id = ${user.userId}::uuid
    returning challenge`.execute(tx)
  return rows[0]?.challenge
}

/** Deletes at most `limit` challenges that have expired, and returns their number; to be run periodically. */
export async function deleteExpiredPasskeyChallenges(db: Executor, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from passkey_challenges where request_hash in (
      select request_hash from passkey_challenges where expires_at < ${at} limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}
