import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#core/json.ts'
import { createMachine } from '#core/machine.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import { checkEvent } from '#core/event.ts'
import { arbitraryWorkflow } from '#testing/arbitrary-workflow.ts'
import { definitionOf } from '#testing/run-definition.ts'
import { simulate, startedAtMs } from '#testing/simulate.ts'
import { type Announcer, createAnnouncer, faultOf } from './lifecycle-events.ts'
import { createReplay } from '#testing/walks.ts'

const lifecycle = { hasSubscribers: (accountId: string) => accountId === 'listening', publicId: (id: string) => `exec_${id}` }
const kept = { id: '1', accountId: 'listening' }

function announcerOf(workflow: CompiledWorkflow): Announcer {
  const announcer = createAnnouncer({ ...kept, workflow }, lifecycle)
  if (announcer === undefined) throw new Error('somebody listens')
  return announcer
}

const execution = { id: '1', definition: null, input: {}, startedAtMs, runtime: {}, secrets: {}, nowMs: startedAtMs }

/** Walks a definition without effects with somebody listening. */
function told(yaml: string, answers: readonly string[] = []): readonly JsonObject[] {
  const workflow = definitionOf(yaml)
  const announcer = announcerOf(workflow)
  announcer.enable()
  const machine = createMachine(workflow, execution, announcer.observer)
  for (const answer of answers) {
    const [position = ''] = machine.pending.keys()
    const failed = { ok: false, error: { type: 't', status: 500, title: answer } } as const
    machine.resolve(position, answer.startsWith('!') ? failed : { ok: true, value: answer }, startedAtMs + 1_000)
  }
  return announcer.take()
}

const short = (events: readonly JsonObject[]) =>
  events.map(({ type, data }) =>
    `${JSON.stringify(type).slice(1, -1).replace('io.serverlessworkflow.', '').replace('.v1', '')} ${String(Object(data).task ?? '')}`.trim(),
  )
const ask = '{ call: http, with: { method: get, endpoint: { uri: "http://a" } } }'

describe('what is told of tasks', () => {
  test('is that they were created, started and completed, in that order', () => {
    expect(short(told('do: [{ a: { set: { n: 1 } } }, { b: { do: [{ c: { set: { n: 2 } } }] } }]'))).toEqual([
      'task.created /do/0/a',
      'task.started /do/0/a',
      'task.completed /do/0/a',
      'task.created /do/1/b',
      'task.started /do/1/b',
      'task.created /do/1/b/do/0/c',
      'task.started /do/1/b/do/0/c',
      'task.completed /do/1/b/do/0/c',
      'task.completed /do/1/b',
    ])
  })

  test('is a CloudEvent of the workflow, with the times of the execution', () => {
    const events = told(`do: [{ a: ${ask} }]`, ['done'])
    expect(events.at(-1)).toEqual({
      specversion: '1.0',
      id: 'exec_1:/do/0/a:completed',
      source: '/test/test/1.0.0',
      type: 'io.serverlessworkflow.task.completed.v1',
      subject: 'exec_1',
      time: new Date(startedAtMs + 1_000).toISOString(),
      datacontenttype: 'application/json',
      data: { workflow: 'test-exec_1.test', task: '/do/0/a', completedAt: new Date(startedAtMs + 1_000).toISOString() },
    })
    for (const event of events) checkEvent(event)
  })

  test('is what they failed by', () => {
    const events = told(`do: [{ a: ${ask} }]`, ['!Broken'])
    expect(short(events).at(-1)).toBe('task.faulted /do/0/a')
    expect(events.at(-1)?.data).toMatchObject({
      faultedAt: expect.any(String),
      error: { type: 't', status: 500, title: '!Broken', instance: '/do/0/a' },
    })
  })

  test('is that they are tried again', () => {
    const retry = 'catch: { retry: { limit: { attempt: { count: 1 } } } }'
    const events = told(`do: [{ t: { try: [{ a: ${ask} }], ${retry} } }]`, ['!Broken', '', 'well'])
    expect(short(events).filter((text) => text.endsWith('/a'))).toEqual([
      'task.created /do/0/t/try/0/a',
      'task.started /do/0/t/try/0/a',
      'task.faulted /do/0/t/try/0/a',
      'task.created /do/0/t/try/0/a',
      'task.retried /do/0/t/try/0/a',
      'task.started /do/0/t/try/0/a',
      'task.completed /do/0/t/try/0/a',
    ])
  })

  test('is nothing where they are skipped', () => {
    expect(told(`do: [{ a: { if: 'false', set: { n: 1 } } }]`)).toEqual([])
  })

  test('is that they are cancelled when what they are in ends without them', () => {
    const race = `{ race: { fork: { compete: true, branches: [{ slow: { do: [{ nap: { wait: PT1H } }] } }, { fast: ${ask} }] } } }`
    const workflow = definitionOf(`do: [${race}, { after: { set: { n: 1 } } }]`)
    const announcer = announcerOf(workflow)
    const machine = createMachine(workflow, { ...execution, nowMs: startedAtMs }, announcer.observer)
    announcer.enable()
    machine.resolve('/do/0/race/fork/branches/1/fast', { ok: true, value: 1 }, startedAtMs + 7)
    const events = announcer.take()
    expect(short(events)).toEqual([
      'task.completed /do/0/race/fork/branches/1/fast',
      'task.cancelled /do/0/race/fork/branches/0/slow',
      'task.cancelled /do/0/race/fork/branches/0/slow/do/0/nap',
      'task.completed /do/0/race',
      'task.created /do/1/after',
      'task.started /do/1/after',
      'task.completed /do/1/after',
    ])
    expect(events[1]?.data).toMatchObject({ cancelledAt: new Date(startedAtMs + 7).toISOString() })
    announcer.cancelOpen(startedAtMs + 8)
    expect(announcer.take()).toEqual([])
  })

  test('is nothing of others whose names begin alike', () => {
    const branches = `[{ a: ${ask} }, { ab: ${ask} }]`
    const workflow = definitionOf(`do: [{ both: { fork: { branches: ${branches} } } }]`)
    const announcer = announcerOf(workflow)
    const machine = createMachine(workflow, execution, announcer.observer)
    announcer.enable()
    machine.resolve('/do/0/both/fork/branches/0/a', { ok: true, value: 1 }, startedAtMs)
    expect(short(announcer.take())).toEqual(['task.completed /do/0/both/fork/branches/0/a'])
  })

  test('is that they are cancelled when the execution ends without them, once', () => {
    const workflow = definitionOf(`do: [{ both: { fork: { branches: [{ a: ${ask} }, { b: ${ask} }] } } }]`)
    const announcer = announcerOf(workflow)
    announcer.enable()
    createMachine(workflow, execution, announcer.observer)
    announcer.take()
    announcer.cancelOpen(startedAtMs + 5)
    announcer.cancelOpen(startedAtMs + 6)
    const events = announcer.take()
    expect(short(events)).toEqual([
      'task.cancelled /do/0/both',
      'task.cancelled /do/0/both/fork/branches/0/a',
      'task.cancelled /do/0/both/fork/branches/1/b',
    ])
    expect(events[0]?.data).toMatchObject({ cancelledAt: new Date(startedAtMs + 5).toISOString() })
  })

  test('tells iterations, visits and attempts apart by the id', () => {
    const events = told(`do: [{ loop: { for: { in: '[1, 2]' }, do: [{ a: { set: { n: 1 } } }] } }]`)
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  })
})

describe('what is told of an execution', () => {
  const workflow = definitionOf('do: [{ a: { wait: PT1S } }]')

  function change(tell: (announcer: Announcer) => void) {
    const announcer = announcerOf(workflow)
    announcer.enable()
    tell(announcer)
    return announcer.take()
  }

  test('is that it has started, with its definition', () => {
    expect(change((announcer) => announcer.workflow('started', startedAtMs))).toMatchObject([
      {
        id: 'exec_1:started',
        type: 'io.serverlessworkflow.workflow.started.v1',
        data: {
          name: 'test-exec_1.test',
          definition: { name: 'test', namespace: 'test', version: '1.0.0' },
          startedAt: new Date(startedAtMs).toISOString(),
        },
      },
    ])
  })

  test.each(['completed', 'cancelled', 'faulted'] as const)('is that it has %s, once', (end) => {
    const twice = change((announcer) => {
      announcer.workflow(end, startedAtMs)
      announcer.workflow(end, startedAtMs + 1)
    })
    expect(new Set(twice.map(({ id }) => id))).toEqual(new Set([`exec_1:${end}`]))
  })

  test.each(['suspended', 'resumed'] as const)('is that it was %s, each time anew', (held) => {
    const twice = change((announcer) => {
      announcer.workflow(held, startedAtMs)
      announcer.workflow(held, startedAtMs + 1)
    })
    expect(new Set(twice.map(({ id }) => id)).size).toBe(2)
  })

  test('is the error that it ended with', () => {
    const error = { type: 't', status: 500, title: 'Broken', detail: 'really', instance: '/do/0/a' }
    expect(change((announcer) => announcer.workflow('faulted', startedAtMs, faultOf(error)))[0]?.data).toMatchObject({ error })
    expect(faultOf(undefined)).toEqual({})
  })

  test('is where it begins and stops to listen', () => {
    const events = change((announcer) => {
      announcer.correlation('started', '/do/0/a', startedAtMs)
      announcer.correlation('completed', '/do/0/a', startedAtMs + 7)
    })
    expect(events).toMatchObject([
      { id: 'exec_1:/do/0/a:correlation-started', type: 'io.serverlessworkflow.workflow.correlation-started.v1' },
      {
        id: 'exec_1:/do/0/a:correlation-completed',
        data: { name: 'test-exec_1.test', completedAt: new Date(startedAtMs + 7).toISOString() },
      },
    ])
  })

  test('is taken once', () => {
    const announcer = announcerOf(workflow)
    announcer.enable()
    announcer.workflow('started', startedAtMs)
    expect(announcer.take()).toHaveLength(1)
    expect(announcer.take()).toEqual([])
  })

  test('is nothing where nobody of the account listens', () => {
    expect(createAnnouncer({ id: '1', accountId: 'deaf', workflow }, lifecycle)).toBeUndefined()
  })

  test('is told of a source whose names need quoting in a URI', () => {
    const announcer = announcerOf({ ...workflow, document: { namespace: 'a b', name: 'c/d', version: '1.0.0+x' } })
    announcer.enable()
    announcer.workflow('started', startedAtMs)
    expect(announcer.take()[0]?.source).toBe('/a%20b/c%2Fd/1.0.0%2Bx')
  })
})

describe('a walk over the journal', () => {
  test('is silent until it is told to speak, and then goes on where it stands', () => {
    const workflow = definitionOf(`do: [{ a: ${ask} }, { b: ${ask} }]`)
    const announcer = announcerOf(workflow)
    const walk = createReplay(workflow, { id: '1', input: {}, startedAtMs }, {}, {}, announcer.observer)
    const [position = ''] = walk.machine.pending.keys()
    const times = { startedAtMs, endedAtMs: startedAtMs }
    walk.deliver({ seq: 0, position, phase: 'ended', kind: 'http', ok: true, value: 1, decisions: '', ...times })
    expect(announcer.take()).toEqual([])
    announcer.enable()
    walk.machine.resolve('/do/1/b', { ok: true, value: 2 }, startedAtMs + 1)
    expect(short(announcer.take())).toEqual(['task.completed /do/1/b'])
  })

  test('knows what is open from before it spoke', () => {
    const workflow = definitionOf(`do: [{ a: ${ask} }]`)
    const announcer = announcerOf(workflow)
    createReplay(workflow, { id: '1', input: {}, startedAtMs }, {}, {}, announcer.observer)
    announcer.enable()
    announcer.cancelOpen(startedAtMs)
    expect(short(announcer.take())).toEqual(['task.cancelled /do/0/a'])
  })

  test('tells, wherever it begins to speak, what the first walk told, with the same ids', () => {
    const choices = fc.array(fc.nat({ max: 10_000 }), { maxLength: 30 })
    fc.assert(
      fc.property(arbitraryWorkflow, choices, fc.nat(), (workflow, order, pick) => {
        const { journal } = simulate(workflow, order)
        const whole = announcerOf(workflow)
        whole.enable()
        const walk = createReplay(workflow, { id: 'exec', input: {}, startedAtMs }, {}, {}, whole.observer)
        const late = announcerOf(workflow)
        const again = createReplay(workflow, { id: 'exec', input: {}, startedAtMs }, {}, {}, late.observer)
        const at = pick % (journal.length + 1)
        for (const [index, entry] of journal.entries()) {
          if (index === at) whole.take()
          if (index === at) late.enable()
          walk.deliver(entry)
          again.deliver(entry)
        }
        if (at === journal.length) return
        const events = whole.take()
        expect(late.take()).toEqual(events)
        expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
      }),
      { numRuns: 200 },
    )
  })
})
