import type { Role } from '@millrace/contract'
import { sql } from 'kysely'
import type { LiveSession, SessionUse } from '#platform/auth/authenticator.ts'
import type { Prepared } from '#platform/db/prepared.ts'
import type { Session } from './model.ts'
import type { Executor } from './store.ts'

export interface SessionRow {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly device: string | null
  readonly ip: string | null
  readonly created_at: Date
  readonly last_used_at: Date
  readonly expires_at: Date
}

const columns = sql`id, account_id, user_id, device, host(ip) as ip, created_at, last_used_at, expires_at`

/** Why a session ended before its time. */
export type Ending = 'signed_out' | 'revoked' | 'token_reused'

export async function insertSession(tx: Executor, session: Session, tokenHash: Uint8Array): Promise<void> {
  await sql`
    insert into sessions (id, account_id, user_id, device, ip, created_at, last_used_at, expires_at, token_hash)
    values (${session.id}, ${session.accountId}, ${session.userId}, ${session.device ?? null}, ${session.ip ?? null},
      ${session.createdAt}, ${session.lastUsedAt}, ${session.expiresAt}, ${tokenHash})`.execute(tx)
}

export interface Rotation {
  readonly sessionId: string
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly at: Date
  readonly ip: string
  /** A session last used before has ended. */
  readonly usedSince: Date
}

/**
 * Puts the next token in the place of the current one; `undefined` when `from` is not the current one, or the session is over.
 *
 * One statement: of requests that race, the first takes the row's lock, and the others find the hash changed when they get it.
 */
export async function rotateToken(db: Executor, { sessionId, from, to, at, ip, usedSince }: Rotation): Promise<Session | undefined> {
  const { rows } = await sql<SessionRow>`
    update sessions set token_hash = ${to}, previous_hash = ${from}, generation = generation + 1, rotated_at = ${at},
      last_used_at = greatest(last_used_at, ${at}), ip = ${ip}::inet
    where id = ${sessionId} and token_hash = ${from} and revoked_at is null and expires_at > ${at} and last_used_at > ${usedSince}
    returning ${columns}`.execute(db)
  return rows[0] === undefined ? undefined : sessionOf(rows[0])
}

/** Where the tokens of a session stand. */
export interface Family extends Session {
  readonly generation: number
  readonly tokenHash: Buffer
  readonly previousHash: Buffer | undefined
  readonly rotatedAt: Date | undefined
}

/** `undefined` when the session was revoked or has reached a limit. */
export async function findLiveFamily(db: Executor, sessionId: string, at: Date, usedSince: Date): Promise<Family | undefined> {
  const { rows } = await sql<
    SessionRow & {
      readonly generation: number
      readonly token_hash: Buffer
      readonly previous_hash: Buffer | null
      readonly rotated_at: Date | null
    }
  >`
    select ${columns}, generation, token_hash, previous_hash, rotated_at from sessions
    where id = ${sessionId} and revoked_at is null and expires_at > ${at} and last_used_at > ${usedSince}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { generation, token_hash: tokenHash } = row
  return { ...sessionOf(row), generation, tokenHash, previousHash: row.previous_hash ?? undefined, rotatedAt: row.rotated_at ?? undefined }
}

/** Ends a family of tokens, out of which an old one came back. */
export async function revokeFamily(db: Executor, sessionId: string, at: Date): Promise<void> {
  await sql`
    update sessions set revoked_at = ${at}, revoked_because = 'token_reused'
    where id = ${sessionId} and revoked_at is null`.execute(db)
}

export interface SessionsOfUser {
  readonly userId: string
  readonly at: Date
  readonly usedSince: Date
}

/** Live sessions of a user, newest first: one descent of sessions_by_user. */
export async function listSessions(
  tx: Executor,
  accountId: string,
  { userId, at, usedSince }: SessionsOfUser,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Session[]> {
  const { rows } = await sql<SessionRow>`
    select ${columns} from sessions
    where account_id = ${accountId} and user_id = ${userId} and revoked_at is null and expires_at > ${at} and last_used_at > ${usedSince}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(sessionOf)
}

/** Ends one live session of a user; false when there is none of this id. */
export async function revokeSession(
  tx: Executor,
  accountId: string,
  { userId, at, usedSince }: SessionsOfUser,
  { sessionId, because }: { readonly sessionId: string; readonly because: Ending },
): Promise<boolean> {
  const { rows } = await sql`
    update sessions set revoked_at = ${at}, revoked_because = ${because}
    where account_id = ${accountId} and user_id = ${userId} and id = ${sessionId}
      and revoked_at is null and expires_at > ${at} and last_used_at > ${usedSince}
    returning 1`.execute(tx)
  return rows.length === 1
}

/** Ends every live session of a user, and tells how many there were. */
export async function revokeSessions(tx: Executor, accountId: string, { userId, at, usedSince }: SessionsOfUser): Promise<number> {
  const { rows } = await sql`
    update sessions set revoked_at = ${at}, revoked_because = 'signed_out'
    where account_id = ${accountId} and user_id = ${userId} and revoked_at is null and expires_at > ${at} and last_used_at > ${usedSince}
    returning 1`.execute(tx)
  return rows.length
}

interface LiveSessionRow {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly role: Role
  readonly is_operator: boolean
  readonly last_used_at: Date
}

/** Live sessions by id, with whose they are; over all accounts, since the session is what tells the account. */
export async function findLiveSessions(
  prepared: Prepared,
  ids: readonly string[],
  at: Date,
  usedSince: Date,
): Promise<ReadonlyMap<string, LiveSession>> {
  const { rows } = await prepared.query<LiveSessionRow>({
    name: 'live-sessions',
    text: `select s.id, s.account_id, s.user_id, u.role, u.is_operator, s.last_used_at
      from sessions s join users u on u.account_id = s.account_id and u.id = s.user_id
      where s.id = any($1::uuid[]) and s.revoked_at is null and s.expires_at > $2 and s.last_used_at > $3`,
    values: [ids, at, usedSince],
  })
  return new Map(
    rows.map((row) => [
      row.id,
      {
        accountId: row.account_id,
        userId: row.user_id,
        role: row.role,
        isOperator: row.is_operator,
        lastUsedAt: row.last_used_at,
      },
    ]),
  )
}

export async function writeSessionUses(db: Executor, uses: ReadonlyMap<string, SessionUse>): Promise<void> {
  const entries = [...uses]
  // In the order of ids, as every process does it, so that two of them cannot deadlock.
  await sql`
    with used as (
      select s.id, u.at, u.ip from sessions s
      join unnest(${entries.map(([id]) => id)}::uuid[], ${entries.map(([, { at }]) => at)}::timestamptz[], ${entries.map(([, { ip }]) => ip)}::inet[]) as u (id, at, ip)
        on u.id = s.id and u.at > s.last_used_at
      order by s.id for update of s
    )
    update sessions s set last_used_at = used.at, ip = used.ip from used where s.id = used.id`.execute(db)
}

/** Deletes at most `limit` sessions that ended before, and tells how many; to be run now and then. */
export async function deleteEndedSessions(db: Executor, endedBefore: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from sessions where id in (
      select id from sessions where expires_at < ${endedBefore} limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}

function sessionOf(row: SessionRow): Session {
  return {
    id: row.id,
    accountId: row.account_id,
    userId: row.user_id,
    device: row.device ?? undefined,
    ip: row.ip ?? undefined,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  }
}
