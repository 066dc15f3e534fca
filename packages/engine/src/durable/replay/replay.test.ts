import { describe, expect, test } from 'vitest'
import { standardError, WorkflowError } from '#core/error.ts'
import type { Outcome } from '#core/request.ts'
import { call, fork, node, runWorkflow, set, wait, workflowOf } from '#testing/nodes.ts'
import { startedAtMs } from '#testing/simulate.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { outcomeOf, valueOfOutcome } from '#durable/run/journal-entries.ts'
import { createReplay, replay } from '#testing/walks.ts'

function entry(seq: number, position: string, more: Partial<JournalEntry> = {}): JournalEntry {
  return {
    seq,
    position,
    phase: 'ended',
    kind: 'a',
    ok: true,
    value: seq,
    decisions: '',
    startedAtMs,
    endedAtMs: startedAtMs + seq,
    ...more,
  }
}

const again = (workflow: Parameters<typeof replay>[0], entries: readonly JournalEntry[]) =>
  replay(workflow, { id: 'execution', input: { in: 1 }, startedAtMs, entries }, {}, {})

describe('a replay', () => {
  test('a replay reaches the state of the execution, with its clock and the next entry number', () => {
    const { machine, nextSeq } = again(workflowOf(call('a'), call('b'), call('c')), [
      entry(0, '/do/0/task0'),
      entry(1, '/do/1/task1', { kind: 'b' }),
    ])
    expect([...machine.pending.keys()]).toEqual(['/do/2/task2'])
    expect(machine.execution.nowMs).toBe(startedAtMs + 1)
    expect(nextSeq).toBe(2)
  })

  test('a replay returns the children that were started and have not ended', () => {
    const started = { phase: 'started', kind: 'workflow' } as const
    const workflow = workflowOf(fork(false, runWorkflow('v'), runWorkflow('w')))
    const [first = '', second = ''] = again(workflow, []).machine.pending.keys()
    const { children } = again(workflow, [
      entry(0, first, { ...started, value: 'c1' }),
      entry(1, second, { ...started, value: 'c2' }),
      entry(2, first, { kind: 'workflow' }),
    ])
    expect([...children]).toEqual([[second, 'c2']])
  })

  test('a replay of an ended execution reaches the same end', () => {
    expect(again(workflowOf(call('a'), set({ x: 1 })), [entry(0, '/do/0/task0')]).machine.ending).toMatchObject({
      ok: true,
      output: { x: 1 },
    })
  })

  test('a replay ignores outcomes of abandoned branches', () => {
    const workflow = workflowOf(fork(true, call('a'), wait(1_000)), call('b'))
    const [winner = '', loser = ''] = again(workflow, []).machine.pending.keys()
    const { machine } = again(workflow, [entry(0, winner), entry(1, loser, { kind: 'timer' })])
    expect([...machine.pending.keys()]).toEqual(['/do/1/task1'])
  })

  test('a replay does not continue past a pause after the last outcome', () => {
    const workflow = workflowOf(...Array.from({ length: 5_000 }, () => set({ x: 1 })))
    expect(again(workflow, []).machine).toMatchObject({ paused: true, ending: undefined })
    const walk = createReplay(workflow, { id: 'execution', input: {}, startedAtMs }, {}, {})
    walk.proceed(10)
    expect(walk.machine).toMatchObject({ paused: false, ending: { ok: true } })
  })
})

describe('a diverged replay', () => {
  test('a replay reports an entry of another kind', () => {
    expect(() => again(workflowOf(call('a')), [entry(0, '/do/0/task0', { kind: 'b' })])).toThrow(
      'the walk requests "a" where the journal has "b"',
    )
  })

  test('a replay reports an entry at a position that it does not reach', () => {
    expect(() => again(workflowOf(call('a')), [entry(0, '/do/7/gone')])).toThrow(
      'Diverged: journal entry 0 at /do/7/gone: the walk does not reach this position',
    )
  })

  test('a replay reports an entry with other decisions', () => {
    const choice = { kind: 'switch', cases: [{ when: () => true, then: 'continue' }] } as const
    const entries = [entry(0, '/do/1/task1', { decisions: 's-1' })]
    expect(() => again(workflowOf(choice, call('a')), entries)).toThrow('the walk decided "s0" where the journal has "s-1"')
  })

  test('a divergence is a runtime error at the position of the entry', () => {
    try {
      again(workflowOf(call('a')), [entry(3, '/do/7/gone')])
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(WorkflowError)
      expect(error).toMatchObject({ data: { status: 500, title: 'Diverged', instance: '/do/7/gone' } })
    }
  })

  test('a replay reports a second outcome at one position', () => {
    expect(() => again(workflowOf(call('a'), call('b')), [entry(0, '/do/0/task0'), entry(1, '/do/0/task0')])).toThrow('Diverged')
  })
})

describe('an outcome in the journal', () => {
  const error = standardError('communication', 'down').data

  test.each<[what: string, outcome: Outcome]>([
    ['a value', { ok: true, value: { x: [1] } }],
    ['null', { ok: true, value: null }],
    ['an error', { ok: false, error }],
    ['an error that asks to be left alone for a while', { ok: false, error, retryAfterMs: 5_000 }],
    ['an error that asks for nothing', { ok: false, error, retryAfterMs: 0 }],
  ])('an outcome that is %s is read from the journal as it was written', (_what, outcome) => {
    const value = JSON.parse(JSON.stringify(valueOfOutcome(outcome)))
    expect(outcomeOf(entry(0, '/a', { ok: outcome.ok, value }))).toEqual(outcome)
  })

  test('an invalid retry delay in an entry is ignored', () => {
    expect(outcomeOf(entry(0, '/a', { ok: false, value: { ...error, retryAfterMs: 'soon' } }))).toEqual({ ok: false, error })
  })
})

test('the retry delay that a failure asked for is the same in a replay', () => {
  const workflow = workflowOf({
    kind: 'try',
    tasks: { tasks: [node('x', '/try/0/x', call('a'))] },
    catch: { filter: {}, as: 'error', retry: { delayMs: () => 10, backoff: 'constant' } },
  })
  const value = { type: 't', status: 503, title: 'Busy', retryAfterMs: 9_000 }
  const [position = ''] = again(workflow, []).machine.pending.keys()
  const { machine } = again(workflow, [entry(0, position, { ok: false, value })])
  expect([...machine.pending.values()].map(({ request }) => request)).toMatchObject([{ kind: 'timer', dueAtMs: startedAtMs + 9_000 }])
})
