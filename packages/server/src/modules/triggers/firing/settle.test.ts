import { Fault } from '@millrace/contract'
import type { ExecutionSnapshot } from '@millrace/engine'
import { afterAll, expect, test } from 'vitest'
import type { Trigger } from '#modules/triggers/model.ts'
import type { ReadyFiring } from './firing-store.ts'
import { deadlineAfter, settle, type SettleDeps } from './settle.ts'

const deadline = deadlineAfter(60_000)
afterAll(() => deadline.clear())

const accountId = 'account'
const trigger: Trigger = {
  id: 'trigger',
  accountId,
  workflowId: 'workflow',
  kind: 'schedule',
  origin: 'user',
  name: 'x',
  enabled: true,
  schedule: { spec: { kind: 'interval', everyMs: 60_000, fromMs: 0 }, missed: 'skip', missedMax: 1, overlap: 'cancel' },
  lastExecutionId: 'previous',
  pausedReason: undefined,
  pausedConnection: undefined,
  input: undefined,
  mapping: undefined,
  eventTypes: undefined,
  watched: undefined,
  token: undefined,
  secret: undefined,
  nextAt: undefined,
  testUntil: undefined,
  lastFiredAt: undefined,
  lastError: undefined,
  failures: 0,
  revision: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
}
const firing: ReadyFiring = {
  id: 'firing',
  accountId,
  triggerId: trigger.id,
  cause: 'due:0',
  dueAt: new Date(0),
  isFirstTry: true,
  event: undefined,
  events: undefined,
  executionId: undefined,
  depth: 0,
  attempts: 0,
  slowStarts: 0,
}
const previous = (state: ExecutionSnapshot['state']): ExecutionSnapshot => ({
  id: 'previous',
  state,
  startedAtMs: undefined,
  endedAtMs: undefined,
  output: undefined,
  error: undefined,
  reply: undefined,
})

function setUp(more: Partial<SettleDeps> = {}) {
  const calls: string[] = []
  const deps: SettleDeps = {
    now: () => 0,
    fire: {
      async start(_trigger, { cause }) {
        calls.push(`start ${cause}`)
        return { id: 'next' }
      },
    },
    collector: { passes: async () => true, collect: async () => [] },
    snapshot: async () => previous('running'),
    cancel: async (_accountId, id) => void calls.push(`cancel ${id}`),
    onError: () => undefined,
    ...more,
  }
  const paces = { take: () => 'now' as const, save: async () => undefined }
  const run = (given: { readonly trigger?: Trigger; readonly firing?: ReadyFiring } = {}) =>
    settle(deps, given.trigger ?? trigger, given.firing ?? firing, { isFirstOfTrigger: true, paces, deadline })
  return { run, calls }
}

test('with `overlap: cancel`, the previous execution is cancelled when the next one has started', async () => {
  const { run, calls } = setUp()
  expect(await run()).toEqual({ kind: 'started', executionId: 'next' })
  expect(calls).toEqual(['start due:0', 'cancel previous'])
  const ended = setUp({ snapshot: async () => previous('completed') })
  await ended.run()
  expect(ended.calls).toEqual(['start due:0'])
})

test.each(['quota_exceeded', 'mapping_failed', 'workflow_not_published', 'overloaded'] as const)(
  'with `overlap: cancel`, the previous execution continues when the start is refused with %s',
  async (code) => {
    const start = async () => {
      throw new Fault(code)
    }
    const { run, calls } = setUp({ fire: { start } })
    expect((await run()).kind).not.toBe('started')
    expect(calls).toEqual([])
  },
)

test('with `overlap: cancel`, a cancellation that fails is repeated with the start, which has the same cause', async () => {
  let failures = 1
  const cancelled: string[] = []
  const cancel = async (_accountId: string, id: string) => {
    if (failures-- > 0) throw new Error('no database')
    cancelled.push(id)
  }
  const { run, calls } = setUp({ cancel })
  expect(await run()).toMatchObject({ kind: 'postponed', attempt: 'failed' })
  expect(await run()).toEqual({ kind: 'started', executionId: 'next' })
  expect([calls, cancelled]).toEqual([['start due:0', 'start due:0'], ['previous']])
})

test('a due time that was claimed and that no process started in time is dropped by a schedule that skips missed ones', async () => {
  const { run, calls } = setUp({ now: () => 60_001, snapshot: async () => undefined })
  const schedule = { spec: { kind: 'interval', everyMs: 60_000, fromMs: 0 }, missedMax: 1, overlap: 'allow' } as const
  const skips: Trigger = { ...trigger, schedule: { ...schedule, missed: 'skip' } }
  expect(await run({ trigger: skips })).toEqual({ kind: 'dropped' })
  expect(calls).toEqual([])
  // A start that was postponed, such as by a quota, is not a missed one.
  expect((await run({ trigger: skips, firing: { ...firing, isFirstTry: false } })).kind).toBe('started')
  expect((await run({ trigger: { ...skips, schedule: { ...schedule, missed: 'once' } } })).kind).toBe('started')
})
