import { describe, expect, test } from 'vitest'
import { call, fork, node, runWorkflow, set, wait, workflowOf } from '#testing/nodes.ts'
import { definitionOf } from '#testing/run-definition.ts'
import { freshMachine, startedAtMs } from '#testing/simulate.ts'
import { standardError, WorkflowError } from './error.ts'
import type { Json } from './json.ts'
import type { TaskBody } from './node.ts'

const done = (value: Json) => ({ ok: true, value }) as const
const positionsOf = (pending: readonly { readonly request: { readonly position: string } }[]) =>
  pending.map(({ request }) => request.position)

function throwing(error: unknown): TaskBody {
  return {
    kind: 'set',
    value() {
      throw error
    },
  }
}

describe('a machine', () => {
  test('a new machine has run to its first requests', () => {
    const machine = freshMachine(workflowOf(set({ x: 1 }), call('a'), call('b')))
    expect([...machine.pending.keys()]).toEqual(['/do/1/task1'])
    expect(machine.ending).toBeUndefined()
  })

  test('a new machine without requests has ended', () => {
    expect(freshMachine(workflowOf(set({ x: 1 }))).ending).toEqual({ ok: true, output: { x: 1 }, decisions: '' })
  })

  test('each outcome moves a machine to its next request', () => {
    const machine = freshMachine(workflowOf(call('a'), call('b')))
    machine.resolve('/do/0/task0', done(1), startedAtMs)
    expect([...machine.pending.keys()]).toEqual(['/do/1/task1'])
    machine.resolve('/do/1/task1', done(2), startedAtMs)
    expect(machine.pending.size).toBe(0)
    expect(machine.ending).toEqual({ ok: true, output: 2, decisions: '' })
  })

  test('a machine refuses an outcome for a position without a pending request', () => {
    const machine = freshMachine(workflowOf(call('a')))
    expect(() => machine.resolve('/do/9/other', done(1), startedAtMs)).toThrow('no pending request')
    machine.resolve('/do/0/task0', done(1), startedAtMs)
    expect(() => machine.resolve('/do/0/task0', done(1), startedAtMs)).toThrow('no pending request')
  })

  test('a machine refuses two requests at one position', () => {
    const twins: TaskBody = {
      kind: 'fork',
      compete: false,
      branches: [node('a', '/fork/0/a', call('a')), node('b', '/fork/0/a', call('b'))],
    }
    expect(() => freshMachine(workflowOf(twins))).toThrow('two requests at one position')
  })

  test('a machine reports each request and each abandoned position once', () => {
    const machine = freshMachine(workflowOf(fork(true, call('a'), wait(1_000), runWorkflow('w')), call('b')))
    const branches = '/do/0/task0/fork/branches/'
    const first = machine.changes()
    expect(positionsOf(first.opened)).toHaveLength(3)
    expect(machine.changes()).toEqual({ opened: [], abandoned: [], closed: [] })
    machine.resolve(positionsOf(first.opened)[1] ?? '', done(null), startedAtMs + 1_000)
    const second = machine.changes()
    expect(positionsOf(second.opened)).toEqual(['/do/1/task1'])
    expect(second.abandoned).toHaveLength(2)
    expect(second.abandoned.every((position) => position.startsWith(branches))).toBe(true)
    expect(machine.changes()).toEqual({ opened: [], abandoned: [], closed: [] })
  })

  test('a machine does not report a request that was abandoned before changes were read', () => {
    const machine = freshMachine(workflowOf(fork(false, call('a'), throwing(standardError('runtime', 'no')))))
    expect(machine.changes().opened).toEqual([])
    expect(machine.pending.size).toBe(0)
  })

  test('the logical clock of a machine never goes back', () => {
    const machine = freshMachine(workflowOf(call('a'), call('b'), call('c')))
    machine.resolve('/do/0/task0', done(1), startedAtMs + 50)
    expect(machine.execution.nowMs).toBe(startedAtMs + 50)
    machine.resolve('/do/1/task1', done(1), startedAtMs + 20)
    expect(machine.execution.nowMs).toBe(startedAtMs + 50)
  })

  test('an uncaught error ends a machine', () => {
    const machine = freshMachine(workflowOf(call('a')))
    machine.resolve('/do/0/task0', { ok: false, error: standardError('communication', 'down').data }, startedAtMs)
    expect(machine.ending).toMatchObject({ ok: false, error: { status: 500, detail: 'down', instance: '/do/0/task0' } })
  })

  test('a machine joins a fork without branches at once', () => {
    expect(freshMachine(workflowOf(fork(false))).ending).toMatchObject({ output: [] })
    expect(freshMachine(workflowOf(fork(true))).ending).toMatchObject({ output: null })
  })

  test('a machine ignores branches that end after their fork was joined', () => {
    const machine = freshMachine(workflowOf(fork(true, set(1), set(2), throwing(standardError('runtime', 'no')))))
    expect(machine.ending).toMatchObject({ output: 1 })
  })
})

describe('a bug', () => {
  test('a bug before the first request is thrown unchanged', () => {
    expect(() => freshMachine(workflowOf(throwing(new TypeError('a bug'))))).toThrow('a bug')
  })

  test('a bug after an outcome is thrown unchanged', () => {
    const machine = freshMachine(workflowOf(call('a'), throwing(new TypeError('a bug'))))
    expect(() => machine.resolve('/do/0/task0', done(1), startedAtMs)).toThrow(TypeError)
  })

  test('a bug is never caught by a try, and never joins a fork', () => {
    const attempt: TaskBody = {
      kind: 'try',
      tasks: { tasks: [node('x', '/try/0/x', throwing(new TypeError('a bug')))] },
      catch: { filter: {}, as: 'error' },
    }
    expect(() => freshMachine(workflowOf(attempt))).toThrow('a bug')
    expect(() => freshMachine(workflowOf(fork(true, throwing(new TypeError('a bug')), call('a'))))).toThrow('a bug')
    expect(() => freshMachine(workflowOf(fork(false, call('a'), throwing(new TypeError('a bug')))))).toThrow('a bug')
  })

  test('a bug is not an error of the workflow', () => {
    expect(freshMachine(workflowOf(throwing(new WorkflowError({ type: 't', status: 1, title: 'x' })))).ending).toMatchObject({ ok: false })
  })
})

describe('decisions', () => {
  const choice = (chosen: number): TaskBody => ({
    kind: 'switch',
    cases: [0, 1, 2].map((index) => ({ when: () => index === chosen, then: 'continue' })),
  })

  test('decisions are stored with the next request of their strand', () => {
    const machine = freshMachine(workflowOf(choice(2), choice(0), call('a'), choice(9), call('b')))
    expect(machine.pending.get('/do/2/task2')?.decisions).toBe('s2s0')
    machine.resolve('/do/2/task2', done(1), startedAtMs)
    expect(machine.pending.get('/do/4/task4')?.decisions).toBe('s-1')
  })

  test('decisions after the last request are stored with the end of the execution', () => {
    expect(freshMachine(workflowOf(choice(1))).ending?.decisions).toBe('s1')
  })

  test('decisions of a branch are stored with the requests of that branch', () => {
    const branch = (chosen: number, name: string): TaskBody => ({
      kind: 'do',
      tasks: { tasks: [node('s', '/do/0/s', choice(chosen)), node(name, `/do/1/${name}`, call(name))] },
    })
    const machine = freshMachine(workflowOf(fork(false, branch(0, 'a'), branch(1, 'b'))))
    expect([...machine.pending.values()].map(({ decisions }) => decisions)).toEqual(['s0', 's1'])
  })
})

test('endless pure work faults, and no try around it catches that', () => {
  const workflow = definitionOf(`
do:
  - guarded:
      try:
        - round: { set: { n: 1 }, then: round }
      catch:
        do: [{ again: { set: { n: 2 } } }]
      then: guarded`)
  const machine = freshMachine(workflow)
  for (let pauses = 0; machine.paused; pauses++) {
    expect(pauses).toBeLessThanOrEqual(10_000)
    machine.continueAfterPause()
  }
  expect(machine.ending).toMatchObject({ ok: false, error: { status: 500, detail: expect.stringContaining('the flow is endless') } })
})
