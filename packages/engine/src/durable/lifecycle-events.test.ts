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
  if (announcer === undefined) throw new Error('the account has subscribers')
  return announcer
}

const execution = { id: '1', definition: null, input: {}, startedAtMs, runtime: {}, secrets: {}, nowMs: startedAtMs }

/** Runs a definition with these outcomes. @returns its lifecycle events. */
function lifecycleEventsOf(yaml: string, answers: readonly string[] = []): readonly JsonObject[] {
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

describe('lifecycle events of tasks', () => {
  test('a task emits created, started and completed, in this order', () => {
    expect(short(lifecycleEventsOf('do: [{ a: { set: { n: 1 } } }, { b: { do: [{ c: { set: { n: 2 } } }] } }]'))).toEqual([
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

  test('a task event is a CloudEvent of the workflow, with the times of the execution', () => {
    const events = lifecycleEventsOf(`do: [{ a: ${ask} }]`, ['done'])
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

  test('a faulted task emits its error', () => {
    const events = lifecycleEventsOf(`do: [{ a: ${ask} }]`, ['!Broken'])
    expect(short(events).at(-1)).toBe('task.faulted /do/0/a')
    expect(events.at(-1)?.data).toMatchObject({
      faultedAt: expect.any(String),
      error: { type: 't', status: 500, title: '!Broken', instance: '/do/0/a' },
    })
  })

  test('another attempt of a task emits retried', () => {
    const retry = 'catch: { retry: { limit: { attempt: { count: 1 } } } }'
    const events = lifecycleEventsOf(`do: [{ t: { try: [{ a: ${ask} }], ${retry} } }]`, ['!Broken', '', 'well'])
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

  test('a skipped task emits nothing', () => {
    expect(lifecycleEventsOf(`do: [{ a: { if: 'false', set: { n: 1 } } }]`)).toEqual([])
  })

  test('an open task emits cancelled when its surrounding task ends', () => {
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

  test('the end of a task does not cancel tasks with a similar name', () => {
    const branches = `[{ a: ${ask} }, { ab: ${ask} }]`
    const workflow = definitionOf(`do: [{ both: { fork: { branches: ${branches} } } }]`)
    const announcer = announcerOf(workflow)
    const machine = createMachine(workflow, execution, announcer.observer)
    announcer.enable()
    machine.resolve('/do/0/both/fork/branches/0/a', { ok: true, value: 1 }, startedAtMs)
    expect(short(announcer.take())).toEqual(['task.completed /do/0/both/fork/branches/0/a'])
  })

  test('an open task emits cancelled once when the execution ends', () => {
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

  test('the id of a task event differs by iteration, visit and attempt', () => {
    const events = lifecycleEventsOf(`do: [{ loop: { for: { in: '[1, 2]' }, do: [{ a: { set: { n: 1 } } }] } }]`)
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  })
})

describe('lifecycle events of an execution', () => {
  const workflow = definitionOf('do: [{ a: { wait: PT1S } }]')

  function eventsAfter(act: (announcer: Announcer) => void) {
    const announcer = announcerOf(workflow)
    announcer.enable()
    act(announcer)
    return announcer.take()
  }

  test('a started execution emits its definition', () => {
    expect(eventsAfter((announcer) => announcer.workflow('started', startedAtMs))).toMatchObject([
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

  test.each(['completed', 'cancelled', 'faulted'] as const)('an execution that has %s emits events with one id', (end) => {
    const twice = eventsAfter((announcer) => {
      announcer.workflow(end, startedAtMs)
      announcer.workflow(end, startedAtMs + 1)
    })
    expect(new Set(twice.map(({ id }) => id))).toEqual(new Set([`exec_1:${end}`]))
  })

  test.each(['suspended', 'resumed'] as const)('an execution that is %s twice emits two ids', (change) => {
    const twice = eventsAfter((announcer) => {
      announcer.workflow(change, startedAtMs)
      announcer.workflow(change, startedAtMs + 1)
    })
    expect(new Set(twice.map(({ id }) => id)).size).toBe(2)
  })

  test('a faulted execution emits its error', () => {
    const error = { type: 't', status: 500, title: 'Broken', detail: 'really', instance: '/do/0/a' }
    expect(eventsAfter((announcer) => announcer.workflow('faulted', startedAtMs, faultOf(error)))[0]?.data).toMatchObject({ error })
    expect(faultOf(undefined)).toEqual({})
  })

  test('a listener emits when its correlation starts and completes', () => {
    const events = eventsAfter((announcer) => {
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

  test('an event is taken once', () => {
    const announcer = announcerOf(workflow)
    announcer.enable()
    announcer.workflow('started', startedAtMs)
    expect(announcer.take()).toHaveLength(1)
    expect(announcer.take()).toEqual([])
  })

  test('an account without subscribers has no announcer', () => {
    expect(createAnnouncer({ id: '1', accountId: 'other', workflow }, lifecycle)).toBeUndefined()
  })

  test('the source of an event is percent-encoded', () => {
    const announcer = announcerOf({ ...workflow, document: { namespace: 'a b', name: 'c/d', version: '1.0.0+x' } })
    announcer.enable()
    announcer.workflow('started', startedAtMs)
    expect(announcer.take()[0]?.source).toBe('/a%20b/c%2Fd/1.0.0%2Bx')
  })
})

describe('lifecycle events during a replay', () => {
  test('a replay emits nothing before the announcer is enabled, and then only new events', () => {
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

  test('an announcer knows the tasks that were opened before it was enabled', () => {
    const workflow = definitionOf(`do: [{ a: ${ask} }]`)
    const announcer = announcerOf(workflow)
    createReplay(workflow, { id: '1', input: {}, startedAtMs }, {}, {}, announcer.observer)
    announcer.enable()
    announcer.cancelOpen(startedAtMs)
    expect(short(announcer.take())).toEqual(['task.cancelled /do/0/a'])
  })

  test('a replay emits the same events with the same ids as the first walk, from any entry', () => {
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
