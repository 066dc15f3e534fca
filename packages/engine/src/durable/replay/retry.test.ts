import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { standardError } from '#core/error.ts'
import type { ExecutionState } from '#core/execution-state.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import { createFakeEngine } from '#testing/fake-engine.ts'
import { call, set, workflowOf } from '#testing/nodes.ts'
import { runStartedAtMs } from '#testing/start-test-run.ts'
import { createEngine } from '#durable/process/engine.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import type { Continuation, ExecutionRecord } from '#durable/ports/store.ts'
import { retryExecution, type RetryRequest, verifyExecution } from './retry.ts'

const times = { startedAtMs: runStartedAtMs, endedAtMs: runStartedAtMs }
const done: JournalEntry = { seq: 0, position: '/do/0/task0', phase: 'ended', kind: 'a', ok: true, value: 1, decisions: '', ...times }
const error = { ...standardError('communication', 'down').data, instance: '/do/1/task1' }
const failed: JournalEntry = { ...done, seq: 1, position: '/do/1/task1', kind: 'b', ok: false, value: { ...error } }
const workflow = workflowOf(call('a'), call('b'))

function recordOf(more: Partial<ExecutionRecord> = {}): ExecutionRecord {
  return {
    id: 'old',
    accountId: 'account',
    workflowId: 'wf',
    versionId: 'wfv',
    state: 'faulted',
    trigger: 'manual',
    depth: 0,
    input: { in: 1 },
    output: undefined,
    error,
    decisions: '',
    startedAtMs: runStartedAtMs,
    entries: [done, failed],
    ...more,
  }
}

/** An engine whose store has this record, with the calls of `continueFrom`. */
function engine(record: ExecutionRecord | undefined, versions: Readonly<Record<string, CompiledWorkflow>> = {}, inserted?: string) {
  const continued: Continuation[] = []
  const { deps } = createFakeEngine(workflow)
  const store = {
    ...deps.store,
    findRecord: async () => record,
    async continueFrom(continuation: Continuation) {
      continued.push(continuation)
      return inserted ?? continuation.id
    },
  }
  const load = async (_accountId: string, versionId: string) => versions[versionId] ?? workflow
  const all = { ...deps, store, definitions: { ...deps.definitions, load }, now: () => runStartedAtMs + 60_000 }
  const retry = (request: Partial<RetryRequest> = {}) => retryExecution(all, 'account', 'old', { actor: 'user:ann', ...request })
  return { continued, retry, verify: () => verifyExecution(all, 'account', 'old') }
}

describe('a retry', () => {
  test('a retry starts a new execution that begins at the failure', async () => {
    const record = recordOf()
    const { retry, continued } = engine(record)
    expect(await retry()).toEqual({ kind: 'started', id: 'id-1' })
    expect(continued).toEqual([
      {
        id: 'id-1',
        of: record,
        versionId: 'wfv',
        actor: 'user:ann',
        input: { in: 1 },
        startedAtMs: runStartedAtMs + 60_000,
        entries: [done],
        keys: {},
      },
    ])
  })

  test('a retry requests effects without outcome under the idempotency keys of the ended execution', async () => {
    const cancelled = { state: 'cancelled', error: undefined, entries: [done] } as const
    const key = `old-${createHash('sha256').update('/do/1/task1').digest('hex').slice(0, 24)}`
    const { retry, continued } = engine(recordOf(cancelled))
    await retry()
    expect(continued[0]?.keys).toEqual({ '/do/1/task1': key })
    const again = engine(recordOf({ ...cancelled, keys: { '/do/1/task1': 'of-the-first' } }))
    await again.retry()
    expect(again.continued[0]?.keys).toEqual({ '/do/1/task1': 'of-the-first' })
  })

  test('a retry requests failed effects and effects that were never started under new keys', async () => {
    const { retry, continued } = engine(recordOf())
    await retry()
    expect(continued[0]?.keys).toEqual({})
    const first = engine(recordOf({ state: 'cancelled', error: undefined, entries: [] }))
    await first.retry()
    expect(Object.keys(first.continued[0]?.keys ?? {})).toEqual(['/do/0/task0'])
  })

  test('a retry uses another input and another version if they are given', async () => {
    const { retry, continued } = engine(recordOf(), { newer: workflowOf(set(1), call('a'), call('b')) })
    await retry({ input: null, versionId: 'newer' })
    expect(continued).toMatchObject([{ versionId: 'newer', input: null, entries: [] }])
    await retry({ versionId: 'wfv' })
    expect(continued[1]).toMatchObject({ versionId: 'wfv', input: { in: 1 }, entries: [done] })
  })

  test('a retry of an execution that was retried before returns the earlier retry', async () => {
    expect(await engine(recordOf(), {}, 'theirs').retry()).toEqual({ kind: 'retried', id: 'theirs' })
  })

  test('a retry of a cancelled execution takes over all its outcomes', async () => {
    const { retry, continued } = engine(recordOf({ state: 'cancelled', error: undefined, entries: [done] }))
    expect(await retry()).toMatchObject({ kind: 'started' })
    expect(continued[0]?.entries).toEqual([done])
  })

  test.each<[state: ExecutionState, kind: string]>([
    ['completed', 'completed'],
    ['running', 'not_ended'],
    ['pending', 'not_ended'],
    ['waiting', 'not_ended'],
    ['suspended', 'not_ended'],
  ])('an execution that is %s cannot be retried', async (state, kind) => {
    const { retry, continued } = engine(recordOf({ state }))
    expect(await retry()).toEqual({ kind })
    expect(continued).toEqual([])
  })

  test('an unknown execution cannot be retried', async () => {
    expect(await engine(undefined).retry()).toEqual({ kind: 'unknown' })
  })
})

describe('a verification', () => {
  test('a verification of an unchanged execution finds no difference', async () => {
    expect(await engine(recordOf()).verify()).toEqual({ entries: 2, difference: undefined })
  })

  test('a verification of a dead letter or a diverged execution compares no end', async () => {
    for (const title of ['Dead letter', 'Diverged']) {
      const verdict = await engine(recordOf({ error: { ...error, title }, entries: [done] })).verify()
      expect(verdict).toEqual({ entries: 1, difference: undefined })
    }
  })

  test('a verification reports the entry at which the replay diverges', async () => {
    const moved = { ...failed, position: '/do/7/gone' }
    expect((await engine(recordOf({ entries: [done, moved] })).verify())?.difference).toEqual({
      part: 'journal',
      detail: 'journal entry 1 at /do/7/gone: the walk does not reach this position',
    })
  })

  test('a verification reports another output with both values', async () => {
    const completed = recordOf({ state: 'completed', error: undefined, output: 3, entries: [done, { ...failed, ok: true, value: 2 }] })
    expect((await engine(completed).verify())?.difference).toMatchObject({ part: 'output', recorded: 3, walked: 2 })
  })

  test('a verification reports another error with both values', async () => {
    const other = { ...error, detail: 'up' }
    expect((await engine(recordOf({ error: other })).verify())?.difference).toMatchObject({ part: 'error', recorded: other, walked: error })
  })

  test('a verification ignores the order of object members', async () => {
    const entries = [done, { ...failed, ok: true, value: { a: 1, b: [{ c: 1, d: 2 }] } }]
    const completed = recordOf({ state: 'completed', error: undefined, output: { b: [{ d: 2, c: 1 }], a: 1 }, entries })
    expect((await engine(completed).verify())?.difference).toBeUndefined()
  })

  test('an unknown execution cannot be verified', async () => {
    expect(await engine(undefined).verify()).toBeUndefined()
  })
})

test('a retry that starts wakes the bus, and one that finds an earlier retry does not', async () => {
  const retriedBy = async (inserted: string | undefined) => {
    const { deps, storeCalls } = createFakeEngine(workflow)
    const store = { ...deps.store, findRecord: async () => recordOf(), continueFrom: async ({ id }: Continuation) => inserted ?? id }
    await createEngine({ ...deps, store }, { liveMax: 0 }).retry('account', 'old', { actor: 'user:ann' })
    return storeCalls
  }
  expect(await retriedBy(undefined)).toContain('bus nudged')
  expect(await retriedBy('theirs')).not.toContain('bus nudged')
})
