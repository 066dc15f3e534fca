import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { CaptureSession, DraftSummary, StoredEvent } from './model.ts'
import type { ListedElements } from './read/mask.ts'

type Executor = Kysely<Rows>

interface SessionRow {
  readonly id: string
  readonly name: string
  readonly state: CaptureSession['state']
  readonly mask_inputs: boolean
  readonly events: number
  readonly last_sequence: string | null
  readonly workflow_id: string | null
  readonly draft: DraftSummary | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly stopped_at: Date | null
}

export interface NewSession {
  readonly id: string
  readonly name: string
  readonly maskInputs: boolean
  readonly tokenHash: Buffer
  readonly at: Date
  readonly by: string
  readonly expiresAt: Date
}

const columns = sql`s.id, s.name, s.state, s.mask_inputs, s.workflow_id, s.draft, s.created_at, s.expires_at, s.stopped_at,
  (select count(*)::int from capture_events e where e.session_id = s.id) as events,
  (select max(e.sequence) from capture_events e where e.session_id = s.id)::text as last_sequence`

/** Counts the sessions that record, one request of the account at a time. */
export async function countRecording(tx: Executor, accountId: string, now: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('captures/' || ${accountId}, 0))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from capture_sessions
    where account_id = ${accountId} and state = 'recording' and expires_at > ${now}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function insertSession(tx: Executor, accountId: string, session: NewSession): Promise<void> {
  const { id, name, maskInputs, tokenHash, at, by, expiresAt } = session
  await sql`
    insert into capture_sessions (id, account_id, name, state, mask_inputs, token_hash, created_at, created_by, expires_at)
    values (${id}, ${accountId}, ${name}, 'recording', ${maskInputs}, ${tokenHash}, ${at}, ${by}, ${expiresAt})`.execute(tx)
}

export async function findSession(tx: Executor, accountId: string, id: string): Promise<CaptureSession | undefined> {
  const { rows } = await sql<SessionRow>`
    select ${columns} from capture_sessions s where s.account_id = ${accountId} and s.id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : sessionOf(rows[0])
}

/** Locks a session until the transaction ends, so that no event arrives while its state changes. */
export async function lockSession(tx: Executor, accountId: string, id: string): Promise<CaptureSession | undefined> {
  await sql`select from capture_sessions where account_id = ${accountId} and id = ${id} for update`.execute(tx)
  return findSession(tx, accountId, id)
}

/** The session of a token, whatever its account: the token is the credential. */
export async function findByToken(
  db: Executor,
  tokenHash: Buffer,
): Promise<{ readonly id: string; readonly accountId: string } | undefined> {
  const { rows } = await sql<{ readonly id: string; readonly account_id: string }>`
    select id, account_id from capture_sessions where token_hash = ${tokenHash}`.execute(db)
  return rows[0] === undefined ? undefined : { id: rows[0].id, accountId: rows[0].account_id }
}

/** @returns how many of them are new. */
export async function insertEvents(tx: Executor, accountId: string, sessionId: string, events: readonly StoredEvent[]): Promise<number> {
  const { rows } = await sql`
    insert into capture_events (session_id, account_id, sequence, event)
    select ${sessionId}, ${accountId}, (e ->> 'sequence')::bigint, e from jsonb_array_elements(${JSON.stringify(events)}::jsonb) e
    on conflict do nothing returning sequence`.execute(tx)
  return rows.length
}

/** Which of some elements of rrweb the events of a session list. One is secret if it is so in any list: another page may use its id for another element. */
export async function findListed(tx: Executor, accountId: string, sessionId: string, elements: readonly number[]): Promise<ListedElements> {
  if (elements.length === 0) return new Map()
  const ids = elements.map(String)
  const { rows } = await sql<{ readonly id: string; readonly secret: boolean }>`
    select e.key as id, bool_or((e.value ->> 'secret')::boolean) as secret
    from capture_events c, jsonb_each(c.event -> 'elements') e
    where c.account_id = ${accountId} and c.session_id = ${sessionId} and c.event -> 'elements' ?| ${ids}::text[] and e.key = any(${ids}::text[])
    group by e.key`.execute(tx)
  return new Map(rows.map(({ id, secret }) => [Number(id), secret]))
}

export async function readEvents(
  tx: Executor,
  accountId: string,
  sessionId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly StoredEvent[]> {
  const { rows } = await sql<{ readonly event: StoredEvent }>`
    select event from capture_events where account_id = ${accountId} and session_id = ${sessionId} and sequence > ${after}
    order by sequence limit ${limit}`.execute(tx)
  return rows.map(({ event }) => event)
}

export async function markStopping(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`update capture_sessions set state = 'stopping' where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function markStopped(
  tx: Executor,
  accountId: string,
  { id, workflowId, draft, at }: { readonly id: string; readonly workflowId: string; readonly draft: DraftSummary; readonly at: Date },
): Promise<void> {
  await sql`
    update capture_sessions set state = 'stopped', workflow_id = ${workflowId}, draft = ${JSON.stringify(draft)}, stopped_at = ${at}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/** Deletes sessions that expired before a time, with their events, at most `limit`. @returns how many */
export async function deleteOldSessions(db: Executor, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from capture_sessions where id in (
      select id from capture_sessions where expires_at < ${before} order by expires_at limit ${limit} for update skip locked)`.execute(db)
  return Number(numAffectedRows)
}

export async function purgeCaptures(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from capture_events where account_id = ${accountId}`.execute(executor)
  await sql`delete from capture_sessions where account_id = ${accountId}`.execute(executor)
}

function sessionOf(row: SessionRow): CaptureSession {
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    maskInputs: row.mask_inputs,
    events: row.events,
    lastSequence: row.last_sequence === null ? undefined : Number(row.last_sequence),
    workflowId: row.workflow_id ?? undefined,
    draft: row.draft ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    stoppedAt: row.stopped_at ?? undefined,
  }
}
