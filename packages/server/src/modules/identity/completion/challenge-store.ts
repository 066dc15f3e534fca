import { createHash } from 'node:crypto'
import { type Role } from '@millrace/contract'
import { type RawBuilder, sql } from 'kysely'
import type { AuthenticationMethod } from '#modules/identity/model.ts'
import type { Executor } from '#modules/identity/store.ts'
import { challengeMark } from '#platform/auth/authenticator.ts'
import { preparedMark } from '#platform/db/database-client.ts'
import { randomBase62 } from '#platform/auth/base62.ts'

/** Where the refresh token of a session goes: into the body of the response, or into a cookie that scripts cannot read. */
export type Delivery = 'body' | 'cookie'

/** A sign-in that waits for a second factor. */
export interface Challenge {
  readonly id: string
  readonly accountId: string
  readonly userId: string
  readonly kind: 'verify' | 'enroll'
  readonly methods: readonly AuthenticationMethod[]
  readonly delivery: Delivery
  readonly expiresAt: Date
}

const randomLength = 43
/** After so many wrong codes the sign-in has to begin again. */
export const challengeFailuresMax = 5

export function newChallengeToken(randomBytes: (size: number) => Uint8Array): string {
  return challengeMark + randomBase62(randomLength, randomBytes)
}

/** A challenge that is inserted if the sign-in has a second step; its kind follows from the factors of the user. */
export interface NewChallenge extends Omit<Challenge, 'kind'> {
  readonly token: string
  readonly createdAt: Date
}

/** Inserts a challenge for each row of `from`, which has `active` and `passkeys` of the factors of the user. */
export function insertChallengeSql(challenge: NewChallenge, from: RawBuilder<unknown>): RawBuilder<unknown> {
  const { id, accountId, userId, token, methods, delivery, createdAt, expiresAt } = challenge
  return sql`
    insert into sign_in_challenges (id, token_hash, account_id, user_id, kind, methods, delivery, created_at, expires_at)
    select ${id}::uuid, ${digest(token)}::bytea, ${accountId}::uuid, ${userId}::uuid,
      case when active or passkeys > 0 then 'verify' else 'enroll' end, ${[...methods]}::text[], ${delivery}::text,
      ${createdAt}::timestamptz, ${expiresAt}::timestamptz
    from ${from}`
}

interface ChallengeRow {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly kind: 'verify' | 'enroll'
  readonly methods: AuthenticationMethod[]
  readonly delivery: Delivery
  readonly expires_at: Date
}

/** A pending challenge with the role of its user; across accounts, since the account of the request follows from it. */
export async function findChallengeByToken(
  db: Executor,
  token: string,
  at: Date,
): Promise<(Challenge & { readonly role: Role; readonly isOperator: boolean }) | undefined> {
  const { rows } = await sql<
    ChallengeRow & { readonly role: Role; readonly is_operator: boolean }
  >`${sql.raw(preparedMark('challenge_by_token'))}select c.id, c.account_id, c.user_id, c.kind, c.methods, c.delivery, c.expires_at, u.role, u.is_operator
    from sign_in_challenges c join users u on u.id = c.user_id
    where c.token_hash = ${digest(token)} and c.expires_at > ${at} and c.failures < ${challengeFailuresMax}`.execute(db)
  const [row] = rows
  return row === undefined ? undefined : { ...challengeOf(row), role: row.role, isOperator: row.is_operator }
}

/** Locks a pending challenge; `undefined` when it has ended. */
export async function lockChallenge(tx: Executor, accountId: string, id: string, at: Date): Promise<Challenge | undefined> {
  const { rows } = await sql<ChallengeRow>`
    select id, account_id, user_id, kind, methods, delivery, expires_at from sign_in_challenges
    where account_id = ${accountId} and id = ${id} and expires_at > ${at} and failures < ${challengeFailuresMax} for update`.execute(tx)
  return rows[0] === undefined ? undefined : challengeOf(rows[0])
}

/** Counts an attempt before its code is checked, so that concurrent attempts are all counted; `undefined` when there were too many. */
export async function countChallengeAttempt(db: Executor, accountId: string, id: string, at: Date): Promise<Challenge | undefined> {
  const { rows } =
    await sql<ChallengeRow>`${sql.raw(preparedMark('challenge_attempt'))}update sign_in_challenges set failures = failures + 1
    where account_id = ${accountId} and id = ${id} and expires_at > ${at} and failures < ${challengeFailuresMax}
    returning id, account_id, user_id, kind, methods, delivery, expires_at`.execute(db)
  return rows[0] === undefined ? undefined : challengeOf(rows[0])
}

/** Ends a challenge; false when another request has ended it, so that one challenge opens one session. */
export async function deleteChallenge(tx: Executor, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`delete from sign_in_challenges where account_id = ${accountId} and id = ${id} returning 1`.execute(tx)
  return rows.length === 1
}

/** Ends a challenge and has a row, unless another request has ended it, so that one challenge opens one session. */
export function challengeGuard(accountId: string, id: string): RawBuilder<unknown> {
  return sql`delete from sign_in_challenges where account_id = ${accountId}::uuid and id = ${id}::uuid returning 1`
}

/** Deletes at most `limit` challenges that have expired, and returns their number; to be run periodically. */
export async function deleteExpiredChallenges(db: Executor, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from sign_in_challenges where id in (
      select id from sign_in_challenges where expires_at < ${at} limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function challengeOf(row: ChallengeRow): Challenge {
  const { id, account_id: accountId, user_id: userId, kind, methods, delivery, expires_at: expiresAt } = row
  return { id, accountId, userId, kind, methods, delivery, expiresAt }
}
