import type { Role } from '@millrace/contract'
import { type RawBuilder, sql } from 'kysely'
import type { LiveSession, SessionUse } from '#platform/auth/authenticator.ts'
import { createBatcher } from '#platform/batching/batcher.ts'
import type { Prepared } from '#platform/db/prepared.ts'
import { type Session, type SessionLimits, sessionLimitsDefault } from './model.ts'
import { isActiveSql, isActiveText, type SessionEnding, type SessionTimes, sessionTimes, type SessionTokens } from './session-state.ts'
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

/** A session that is to be inserted, with the hash of its refresh token. */
export interface StoredSession {
  readonly session: Session
  readonly tokenHash: Uint8Array
}

/** Inserts a session; false when the user was deactivated, or deleted meanwhile. */
export async function insertSession(tx: Executor, stored: StoredSession, methods: readonly string[]): Promise<boolean> {
  const { rows } = await sql`${insertSessionSql(stored, methods, sql`(values (1)) as one`, sql`true`)} returning 1`.execute(tx)
  return rows.length === 1
}

/**
 * Inserts a session for each row of `from` that meets a condition, unless the user was deactivated, or deleted meanwhile. Locks the user, so that
 * a deactivation waits and ends the session.
 */
export function insertSessionSql(
  { session, tokenHash }: StoredSession,
  methods: readonly string[],
  from: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    insert into sessions (id, account_id, user_id, device, ip, created_at, last_used_at, expires_at, authenticated_at, methods, token_hash)
    select ${session.id}::uuid, u.account_id, u.id, ${session.device ?? null}::text, ${session.ip ?? null}::inet,
      ${session.createdAt}::timestamptz, ${session.lastUsedAt}::timestamptz, ${session.expiresAt}::timestamptz,
      ${session.createdAt}::timestamptz, ${[...methods]}::text[], ${tokenHash}::bytea
    from users u, ${from}
    where u.account_id = ${session.accountId}::uuid and u.id = ${session.userId}::uuid and u.deactivated_at is null and ${condition}
    for share of u`
}

export interface Rotation {
  readonly sessionId: string
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly ip: string
}

/**
 * Replaces the current refresh token of an active session; `undefined` when `from` is not the current one, or the session is not active.
 *
 * One statement: of concurrent requests, the first locks the row, and the others find another hash when they get the lock.
 */
export async function rotateToken(db: Executor, { sessionId, from, to, ip }: Rotation, times: SessionTimes): Promise<Session | undefined> {
  const { at } = times
  const { rows } = await sql<SessionRow>`
    update sessions set token_hash = ${to}, previous_hash = ${from}, generation = generation + 1, rotated_at = ${at},
      last_used_at = greatest(last_used_at, ${at}), ip = ${ip}::inet
    where id = ${sessionId} and token_hash = ${from} and ${isActiveSql(times)}
    returning ${columns}`.execute(db)
  return rows[0] === undefined ? undefined : sessionOf(rows[0])
}

/** Finds an active session with its refresh tokens. */
export async function findSessionTokens(
  db: Executor,
  sessionId: string,
  times: SessionTimes,
): Promise<(Session & SessionTokens) | undefined> {
  const { rows } = await sql<
    SessionRow & {
      readonly generation: number
      readonly token_hash: Buffer
      readonly previous_hash: Buffer | null
      readonly rotated_at: Date | null
    }
  >`
    select ${columns}, generation, token_hash, previous_hash, rotated_at from sessions
    where id = ${sessionId} and ${isActiveSql(times)}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { generation, token_hash: tokenHash } = row
  return { ...sessionOf(row), generation, tokenHash, previousHash: row.previous_hash ?? undefined, rotatedAt: row.rotated_at ?? undefined }
}

/** Ends an active session after one of its old refresh tokens was used again. */
export async function revokeReused(db: Executor, sessionId: string, times: SessionTimes): Promise<void> {
  await sql`
    update sessions set revoked_at = ${times.at}, revoked_because = 'token_reused'
    where id = ${sessionId} and ${isActiveSql(times)}`.execute(db)
}

/** Active sessions of a user, newest first: one descent of sessions_by_user. */
export async function listSessions(
  tx: Executor,
  accountId: string,
  { userId, times }: { readonly userId: string; readonly times: SessionTimes },
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Session[]> {
  const { rows } = await sql<SessionRow>`
    select ${columns} from sessions
    where account_id = ${accountId} and user_id = ${userId} and ${isActiveSql(times)}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(sessionOf)
}

/** Ends one active session of a user; false when the user has no active session of this id. */
export async function revokeSession(
  tx: Executor,
  accountId: string,
  { userId, sessionId, because }: { readonly userId: string; readonly sessionId: string; readonly because: SessionEnding },
  times: SessionTimes,
): Promise<boolean> {
  const { rows } = await sql`
    update sessions set revoked_at = ${times.at}, revoked_because = ${because}
    where account_id = ${accountId} and user_id = ${userId} and id = ${sessionId} and ${isActiveSql(times)}
    returning 1`.execute(tx)
  return rows.length === 1
}

export interface Replacement {
  readonly userId: string
  /** The session that ends. */
  readonly sessionId: string
  readonly newId: string
  /** By which the user has proved their identity again. */
  readonly method: string
  readonly tokenHash: Uint8Array
  readonly ip: string
}

/** Ends an active session and inserts its successor, which has the same absolute limit; `undefined` when the session is not active. */
export async function replaceSession(
  tx: Executor,
  accountId: string,
  { userId, sessionId, newId, method, tokenHash, ip }: Replacement,
  times: SessionTimes,
): Promise<Session | undefined> {
  const { at } = times
  const { rows } = await sql<SessionRow>`
    with ended as (
      update sessions set revoked_at = ${at}, revoked_because = 'revoked'
      where account_id = ${accountId} and user_id = ${userId} and id = ${sessionId} and ${isActiveSql(times)}
      returning account_id, user_id, device, expires_at, methods
    )
    insert into sessions (id, account_id, user_id, device, ip, created_at, last_used_at, expires_at, authenticated_at, methods, token_hash)
    select ${newId}::uuid, account_id, user_id, device, ${ip}::inet, ${at}::timestamptz, ${at}::timestamptz, expires_at, ${at}::timestamptz,
      case when ${method} = any(methods) then methods else methods || ${method}::text end, ${tokenHash}::bytea
    from ended
    returning ${columns}`.execute(tx)
  return rows[0] === undefined ? undefined : sessionOf(rows[0])
}

/** Ends every active session of a user, and returns their number. */
export async function revokeSessions(tx: Executor, accountId: string, userId: string, times: SessionTimes): Promise<number> {
  const { rows } = await sql`
    update sessions set revoked_at = ${times.at}, revoked_because = 'signed_out'
    where account_id = ${accountId} and user_id = ${userId} and ${isActiveSql(times)}
    returning 1`.execute(tx)
  return rows.length
}

interface ActiveSessionRow {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly role: Role
  readonly is_operator: boolean
  readonly last_used_at: Date
  readonly authenticated_at: Date
}

/** Active sessions by id, with their users; across accounts, since the account of a request follows from its session. */
export async function findActiveSessions(
  prepared: Prepared,
  ids: readonly string[],
  { at, usedSince }: SessionTimes,
): Promise<ReadonlyMap<string, LiveSession>> {
  const { rows } = await prepared.query<ActiveSessionRow>({
    name: 'active-sessions',
    text: `select sessions.id, sessions.account_id, sessions.user_id, u.role, u.is_operator, sessions.last_used_at, sessions.authenticated_at
      from sessions join users u on u.account_id = sessions.account_id and u.id = sessions.user_id
      where sessions.id = any($1::uuid[]) and ${isActiveText({ at: '$2', usedSince: '$3' })}`,
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
        authenticatedAt: row.authenticated_at,
      },
    ]),
  )
}

/** Records when and from where sessions were last used. */
export async function writeSessionUses(db: Executor, uses: ReadonlyMap<string, SessionUse>): Promise<void> {
  const entries = [...uses]
  // Every process locks the rows in the order of ids, so two of them cannot deadlock.
  await sql`
    with used as (
      select s.id, u.at, u.ip from sessions s
      join unnest(${entries.map(([id]) => id)}::uuid[], ${entries.map(([, { at }]) => at)}::timestamptz[], ${entries.map(([, { ip }]) => ip)}::inet[]) as u (id, at, ip)
        on u.id = s.id and u.at > s.last_used_at
      order by s.id for update of s
    )
    update sessions s set last_used_at = used.at, ip = used.ip from used where s.id = used.id`.execute(db)
}

/** Deletes at most `limit` sessions that expired before `expiredBefore`, and returns their number; to be run periodically. */
export async function deleteExpiredSessions(db: Executor, expiredBefore: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from sessions where id in (
      select id from sessions where expires_at < ${expiredBefore} limit ${limit} for update skip locked
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

export interface SessionFinderDeps {
  readonly prepared: Prepared
  readonly now: () => Date
  readonly limits?: SessionLimits
}

/** Makes the look-up of the session of a request: one query for all requests of a turn of the event loop, and no cache. */
export function createSessionFinder(deps: SessionFinderDeps): (id: string) => Promise<LiveSession | undefined> {
  const { prepared, now, limits = sessionLimitsDefault } = deps
  return createBatcher<string, LiveSession | undefined>({
    lanes: 2,
    keysMax: 500,
    async load(ids) {
      const found = await findActiveSessions(prepared, [...new Set(ids)], sessionTimes(now(), limits))
      return ids.map((id) => found.get(id))
    },
  })
}
