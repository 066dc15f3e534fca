import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import type { Session } from './model.ts'
import {
  isTerminal,
  outdatedTokenState,
  type SessionEnding,
  sessionEndings,
  type SessionState,
  sessionTransitions,
  stateOf,
} from './session-state.ts'
import {
  deleteExpiredSessions,
  insertSession,
  listSessions,
  findSessionTokens,
  replaceSession,
  revokeReused,
  revokeSession,
  revokeSessions,
  rotateToken,
  writeSessionUses,
} from './session-store.ts'

const states: readonly SessionState[] = ['active', 'idle', 'expired', ...sessionEndings]
const accountId = randomUUID()
const userId = randomUUID()
const at = new Date('2026-03-01T12:00:00Z')
const before = new Date(at.getTime() - 1000)
const after = new Date(at.getTime() + 1000)
const times = { at, usedSince: new Date(at.getTime() - 500) }

let testing: TestDatabase
beforeAll(async () => {
  testing = await createTestDatabase()
  const { system } = testing.database
  await sql`insert into accounts (id, name) values (${accountId}, 'test')`.execute(system)
  await sql`insert into users (id, account_id, email, role, created_at) values (${userId}, ${accountId}, 'ada@example.com', 'owner', now())`.execute(
    system,
  )
})
afterAll(() => testing.drop())

interface Subject {
  readonly session: Session
  readonly tokenHash: Buffer
}

/** Inserts a session in the given state. */
async function sessionIn(state: SessionState): Promise<Subject> {
  const { system } = testing.database
  await sql`delete from sessions`.execute(system)
  const session: Session = {
    id: randomUUID(),
    accountId,
    userId,
    device: undefined,
    ip: undefined,
    createdAt: before,
    lastUsedAt: state === 'idle' ? before : at,
    expiresAt: state === 'expired' ? before : after,
  }
  const tokenHash = randomBytes(32)
  await insertSession(system, { session, tokenHash }, ['pwd'])
  if (sessionEndings.some((ending) => ending === state))
    await sql`update sessions set revoked_at = ${before}, revoked_because = ${state} where id = ${session.id}`.execute(system)
  return { session, tokenHash }
}

async function readState(id: string): Promise<SessionState | 'deleted'> {
  const { rows } = await sql<{ revoked_because: SessionEnding | null; expires_at: Date; last_used_at: Date }>`
    select revoked_because, expires_at, last_used_at from sessions where id = ${id}`.execute(testing.database.system)
  const [row] = rows
  if (row === undefined) return 'deleted'
  return stateOf({ revokedBecause: row.revoked_because ?? undefined, expiresAt: row.expires_at, lastUsedAt: row.last_used_at }, times)
}

const revokeBecause =
  (because: SessionEnding) =>
  ({ session: { id: sessionId } }: Subject) =>
    revokeSession(testing.database.system, accountId, { userId, sessionId, because }, times)

/** Every statement that changes a session, and the state that it leads to from each state that it changes. */
const statements: readonly {
  readonly name: string
  readonly run: (subject: Subject) => Promise<unknown>
  readonly changes: Partial<Readonly<Record<SessionState, SessionState | 'deleted'>>>
}[] = [
  {
    name: 'rotateToken',
    run: ({ session, tokenHash }) =>
      rotateToken(testing.database.system, { sessionId: session.id, from: tokenHash, to: randomBytes(32), ip: '192.0.2.1' }, times),
    changes: {},
  },
  {
    name: 'revokeReused',
    run: ({ session }) => revokeReused(testing.database.system, session.id, times),
    changes: { active: 'token_reused' },
  },
  { name: 'revokeSession by the user', run: revokeBecause('revoked'), changes: { active: 'revoked' } },
  { name: 'revokeSession at sign-out', run: revokeBecause('signed_out'), changes: { active: 'signed_out' } },
  {
    name: 'replaceSession',
    run: ({ session }) =>
      replaceSession(
        testing.database.system,
        accountId,
        { userId, sessionId: session.id, newId: randomUUID(), method: 'pwd', tokenHash: randomBytes(32), ip: '192.0.2.1' },
        times,
      ),
    changes: { active: 'revoked' },
  },
  {
    name: 'revokeSessions',
    run: () => revokeSessions(testing.database.system, accountId, userId, times),
    changes: { active: 'signed_out' },
  },
  {
    name: 'writeSessionUses',
    run: ({ session }) => writeSessionUses(testing.database.system, new Map([[session.id, { at: after, ip: '192.0.2.1' }]])),
    changes: { idle: 'active' },
  },
  {
    name: 'deleteExpiredSessions',
    run: () => deleteExpiredSessions(testing.database.system, at, 10),
    changes: { expired: 'deleted' },
  },
]

test.each(statements.flatMap(({ name, run, changes }) => states.map((from) => [name, from, changes[from] ?? from, run] as const)))(
  '%s takes a session from %s to %s',
  async (_name, from, to, run) => {
    const subject = await sessionIn(from)
    expect(await readState(subject.session.id)).toBe(from)
    await run(subject)
    expect(await readState(subject.session.id)).toBe(to)
    if (to !== from && to !== 'deleted') expect(sessionTransitions[from]).toContain(to)
  },
)

test('only an active session is listed, found for a refresh, and gets a new refresh token', async () => {
  const { system } = testing.database
  for (const state of states) {
    const { session, tokenHash } = await sessionIn(state)
    const listed = await listSessions(system, accountId, { userId, times }, { before: undefined, limit: 10 })
    const tokens = await findSessionTokens(system, session.id, times)
    const rotated = await rotateToken(system, { sessionId: session.id, from: tokenHash, to: randomBytes(32), ip: '192.0.2.1' }, times)
    const isActive = state === 'active'
    expect([state, listed.length === 1, tokens !== undefined, rotated !== undefined]).toEqual([state, isActive, isActive, isActive])
  }
})

test('a session expires, or becomes idle, exactly at its limit', () => {
  const session = { revokedBecause: undefined, expiresAt: after, lastUsedAt: at }
  expect(stateOf(session, times)).toBe('active')
  expect(stateOf({ ...session, expiresAt: at }, times)).toBe('expired')
  expect(stateOf({ ...session, lastUsedAt: times.usedSince }, times)).toBe('idle')
})

test('the database accepts exactly the endings of the table of states', async () => {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'sessions_revoked_because_check'`.execute(
    testing.database.system,
  )
  expect(rows[0]?.definition.match(/'(\w+)'/g)?.map((text) => text.slice(1, -1))).toEqual([...sessionEndings])
})

test('every ending is terminal, and so is expiry', () => {
  expect(states.filter(isTerminal)).toEqual(['expired', ...sessionEndings])
})

test('an outdated refresh token is raced within the grace period, reused after it, and unknown when it is newer than the session', () => {
  const [token, next, other] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const tokens = { generation: 5, tokenHash: next, previousHash: token, rotatedAt: at }
  const stateAfter = (ms: number, generation = 4, hash = token) =>
    outdatedTokenState(
      tokens,
      { token: { generation, hash }, next: { generation: generation + 1, hash: next } },
      new Date(at.getTime() + ms),
      { graceMs: 10_000 },
    )
  expect([stateAfter(10_000), stateAfter(10_001), stateAfter(0, 3, other), stateAfter(0, 6, other)]).toEqual([
    'raced',
    'reused',
    'reused',
    'unknown',
  ])
})
