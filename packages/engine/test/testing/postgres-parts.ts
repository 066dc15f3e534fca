import type { Pool } from 'pg'
import { onTestFinished } from 'vitest'
import { acceptance } from '#durable/run/outbox.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { Journal, JournalEntry, Progress, Write } from '#durable/ports/journal.ts'
import type { Queue } from '#durable/ports/queue.ts'
import type { Store } from '#durable/ports/store.ts'
import { createFilterCache } from '#events/filter-cache.ts'
import { createFlusher } from '#postgres/journal/flusher.ts'
import { type JobSender, type JobClaimer, openJobQueue } from '#postgres/queue/job-queue.ts'
import { createProcessIdentity, type ProcessIdentity } from '#postgres/claims/process-identity.ts'
import { createStore } from '#postgres/store.ts'
import { createEngineDatabase, type EngineDatabase } from './database.ts'
import { newUuid } from './uuid.ts'

/** The PostgreSQL adapters of one process, without an engine. */
export interface PostgresParts {
  readonly identity: ProcessIdentity
  readonly journal: Journal
  readonly store: Store
  readonly jobs: JobSender & JobClaimer & Queue
}

export interface PartsOptions {
  readonly host?: string
  readonly pid?: number
  readonly lives?: (pid: number) => boolean
  readonly works?: boolean
  readonly lanes?: number
  readonly batchMax?: number
  readonly perAccountMax?: number
  /** Whether the process is registered; true by default. */
  readonly registered?: boolean
  readonly onEvents?: () => void
  readonly pool?: Pool
  /** An hour by default, so that no trial takes place. */
  readonly trialMs?: number
  readonly now?: () => number
}

let pids = 5_000_000

/** A database of this test, dropped at its end. */
export async function testDatabase(): Promise<EngineDatabase> {
  const database = await createEngineDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  return database
}

export async function openParts(database: EngineDatabase, options: PartsOptions = {}): Promise<PostgresParts> {
  const pool = options.pool ?? database.pool
  const identity = createProcessIdentity({
    host: options.host ?? 'here',
    pid: options.pid ?? ++pids,
    newId: newUuid,
    works: options.works ?? true,
    lives: options.lives ?? (() => true),
  })
  const jobs = await openJobQueue(database.boss, { perAccountMax: options.perAccountMax ?? 100 })
  const { trialMs = 3_600_000, now = Date.now } = options
  const store = createStore({ pool, jobs, identity, newId: newUuid, retentionMs: 60_000, trialMs, now })
  const limits = { lanes: options.lanes ?? 3, batchMax: options.batchMax ?? 500 }
  const journal = createFlusher(
    {
      pool,
      jobs,
      processId: () => identity.id(),
      filters: createFilterCache(100),
      newId: newUuid,
      retentionMs: 60_000,
      onEvents: options.onEvents ?? (() => undefined),
    },
    limits,
  )
  if (options.registered !== false) await store.register()
  return { identity, journal, store, jobs }
}

export const testAccount = newUuid()

export function headOf(changes: Partial<ExecutionHead> = {}): ExecutionHead {
  return {
    id: newUuid(),
    accountId: testAccount,
    workflowId: '01900000-0000-7000-8000-000000000001',
    versionId: '01900000-0000-7000-8000-000000000002',
    trigger: 'manual',
    actor: 'user:test',
    input: {},
    parentId: undefined,
    depth: 0,
    createdAtMs: 1_700_000_000_000,
    idempotency: undefined,
    ...changes,
  }
}

/** A write of an existing execution. */
export function writeOf(head: ExecutionHead, parts: Partial<Write> = {}): Write {
  return { ...acceptance(head), accept: undefined, ...parts }
}

/** The write that accepts an execution, started or only stored. */
export function acceptOf(head: ExecutionHead, begun: boolean, parts: Partial<Write> = {}): Write {
  return writeOf(head, { accept: { head, startedAtMs: begun ? head.createdAtMs + 1 : undefined }, ...parts })
}

export function entryOf(seq: number, changes: Partial<JournalEntry> = {}): JournalEntry {
  return {
    seq,
    position: `/do/${seq}/task`,
    phase: 'ended',
    kind: 'http',
    ok: true,
    value: { seq },
    decisions: '',
    startedAtMs: 1_700_000_000_010 + seq,
    endedAtMs: 1_700_000_000_020 + seq,
    ...changes,
  }
}

export function completed(output: ExecutionHead['input'], parentId?: string): Extract<Progress, { readonly decisions: string }> {
  return { state: 'completed', output, error: undefined, decisions: '', endedAtMs: 1_700_000_000_500, parentId }
}

/** Executions with live jobs, in the order in which the jobs were sent. */
export async function jobsIn({ pool }: EngineDatabase): Promise<readonly { readonly executionId: string; readonly deferred: boolean }[]> {
  const { rows } = await pool.query<{ id: string; deferred: boolean }>(
    `select data->>'executionId' as id, start_after > created_on as deferred from pgboss.job where name = 'run' and state = 'created' order by created_on, id`,
  )
  return rows.map(({ id, deferred }) => ({ executionId: id, deferred }))
}

export async function executionIn({ pool }: EngineDatabase, id: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await pool.query<Record<string, unknown>>(`select * from executions where id = $1`, [id])
  return rows[0]
}
