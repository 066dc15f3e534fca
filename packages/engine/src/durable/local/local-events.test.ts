import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#core/json.ts'
import { type RunResult, runDefinition, type RunOptions } from '#testing/run-definition.ts'

let ids = 0
const event = (type: string, data: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  specversion: '1.0',
  id: `${++ids}`,
  source: 'https://s.test',
  type,
  data,
  ...more,
})
const listen = (to: string, more = '') => `{ hear: { listen: { to: ${to} } ${more} } }`
const one = (filter: string) => `{ one: ${filter} }`
const emit = (name: string, type: string, data = '{}') =>
  `{ ${name}: { emit: { event: { with: { source: 'https://s.test', type: ${type}, data: ${data} } } } } }`
const other = (name: string, tasks: string) => `
  document: { dsl: '1.0.3', namespace: test, name: ${name}, version: '1.0.0' }
  do: [${tasks}]`
const runs = (name: string, more = '') => `{ ${name}: { run: { ${more} workflow: { namespace: test, name: ${name}, version: '1.0.0' } } } }`
const outputOf = async (yaml: string, options: RunOptions = {}): Promise<RunResult['output']> => (await runDefinition(yaml, options)).output

describe('an event before its listener', () => {
  test('an event before its listener is kept and consumed once', async () => {
    const tasks = `[${listen(one('{ with: { type: a } }'))}, { later: { listen: { to: { one: { with: { type: a } } } }, timeout: { after: { milliseconds: 50 } } } }]`
    const ran = await runDefinition(`do: ${tasks}`, { events: [event('a')] })
    expect(ran).toMatchObject({ state: 'faulted', error: { status: 408, instance: '/do/1/later' }, completed: ['hear'] })
  })

  test('events before their listener are consumed in order', async () => {
    const tasks = listen(`{ any: [{ with: { type: a } }], until: 'length == 3' }`)
    expect(
      await outputOf(`do: [${tasks}]`, { events: [event('a', { n: 1 }), event('b'), event('a', { n: 2 }), event('a', { n: 3 })] }),
    ).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })

  test('an event with a known source and id is ignored', async () => {
    const twice = event('a', { n: 1 })
    const tasks = listen(`{ any: [{ with: { type: a } }], until: 'length == 2' }`)
    expect(await outputOf(`do: [${tasks}]`, { events: [twice, { ...twice, data: { n: 9 } }, event('a', { n: 2 })] })).toEqual([
      { n: 1 },
      { n: 2 },
    ])
  })
})

test('a filter that exceeds its budget fails the listener with a reason', async () => {
  const filter = "{ with: { type: a, data: '${ last(repeat(1)) }' } }"
  const ran = await runDefinition(`do: [${listen(one(filter))}]`, { events: [event('a')] })
  expect(ran).toMatchObject({ state: 'faulted', error: { status: 400, instance: '/do/0/hear' } })
  expect(ran.error?.detail).toMatch(
    /An event filter of this task failed on event "\d+" from "https:\/\/s.test": it took more than 50000 steps/,
  )
})

describe('a listener', () => {
  test('listeners side by side receive the same event', async () => {
    const branch = (name: string) => `{ ${name}: { listen: { to: { one: { with: { type: a } } } } } }`
    const yaml = `do: [{ both: { fork: { branches: [${branch('x')}, ${branch('y')}, { z: { do: [{ w: { wait: { milliseconds: 20 } } }, ${emit('send', 'a', '{ n: 7 }')}] } }] } } }]`
    expect(await outputOf(yaml)).toMatchObject([[{ n: 7 }], [{ n: 7 }], { type: 'a' }])
  })

  test('a listener receives an event that its own execution emitted before', async () => {
    expect(await outputOf(`do: [${emit('send', 'a', '{ n: 1 }')}, ${listen(one('{ with: { type: a } }'))}]`)).toEqual([{ n: 1 }])
  })

  test('a listener for all uses each event for one filter', async () => {
    const to = '{ all: [{ with: { type: a } }, { with: { type: b } }] }'
    const events = [event('a', { n: 1 }), event('a', { n: 2 }), event('b', { n: 3 })]
    expect(await outputOf(`do: [${listen(to)}, ${listen(one('{ with: { type: a } }')).replace('hear', 'rest')}]`, { events })).toEqual([
      { n: 2 },
    ])
  })

  test('a listener until other events stops at those', async () => {
    const to = '{ any: [{ with: { type: a } }], until: { one: { with: { type: stop } } } }'
    const events = [event('a', { n: 1 }), event('stop'), event('a', { n: 2 })]
    expect(await outputOf(`do: [${listen(to)}]`, { events })).toEqual([{ n: 1 }])
  })

  test('a listener receives an event that passes two of its filters once', async () => {
    const to = `{ any: [{ with: { type: a } }, { with: { source: 'https://s.test' } }], until: 'length == 2' }`
    const started: RunOptions['started'] = (run) => [event('a', { n: 1 }), event('a', { n: 2 })].forEach((each) => run.publish(each))
    expect(await outputOf(`do: [{ w: { wait: { milliseconds: 5 } } }, ${listen(to)}]`, { started })).toEqual([{ n: 1 }, { n: 2 }])
    const late: RunOptions['started'] = (run) =>
      void setTimeout(() => [event('a', { n: 1 }), event('a', { n: 2 })].forEach((each) => run.publish(each)), 20)
    expect(await outputOf(`do: [${listen(to)}]`, { started: late })).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('an event that matches a listener and its until counts for both', async () => {
    const to = `{ any: [{ with: { source: 'https://s.test' } }], until: { one: { with: { type: stop } } } }`
    const began: RunOptions['started'] = (run) => [event('a', { n: 1 }), event('stop', { n: 2 })].forEach((each) => run.publish(each))
    expect(await outputOf(`do: [${listen(to)}]`, { started: began })).toEqual([{ n: 1 }, { n: 2 }])
    expect(await outputOf(`do: [${listen(to)}]`, { events: [event('stop', { n: 3 })] })).toEqual([{ n: 3 }])
  })

  test('an open listener receives an event that another one returns', async () => {
    const slow = `foreach: { do: [{ w: { wait: { milliseconds: 60 } } }] }`
    const first = listen(`{ any: [{ with: { type: a } }], until: 'length == 1' }`, `, ${slow}`)
    const later = `{ later: { do: [{ w: { wait: { milliseconds: 20 } } }, ${listen(one('{ with: { type: a } }'))}] } }`
    const yaml = `do: [{ both: { fork: { branches: [${first}, ${later}] } } }]`
    expect(await outputOf(yaml, { events: [event('a', { n: 1 }), event('a', { n: 2 })] })).toEqual([[{ n: 1 }], [{ n: 2 }]])
  })

  test('a closed listener returns its unconsumed events', async () => {
    const slow = `foreach: { do: [{ w: { wait: { milliseconds: 30 } } }] }`
    const first = listen(`{ any: [{ with: { type: a } }], until: 'length == 1' }`, `, ${slow}`)
    const then = listen(`{ any: [{ with: { type: a } }], until: 'length == 2' }`).replace('hear', 'rest')
    const events = [event('a', { n: 1 }), event('a', { n: 2 }), event('a', { n: 3 })]
    expect(await outputOf(`do: [${first}, ${then}]`, { events })).toEqual([{ n: 2 }, { n: 3 }])
  })

  test('a listener that lost a race consumes no events', async () => {
    const race = `{ race: { fork: { compete: true, branches: [{ hear: { listen: { to: { one: { with: { type: a } } } } } }, { now: { set: { fast: true } } }] } } }`
    const yaml = `do: [${race}, ${emit('send', 'a', '{ n: 5 }')}, ${listen(one('{ with: { type: a } }'))}]`
    expect(await outputOf(yaml)).toEqual([{ n: 5 }])
  })
})

describe('correlations', () => {
  const order = (type: string, id: number, more: JsonObject = {}) => event(type, { order: id, ...more })

  test('a correlation with an expected value ignores events with other values', async () => {
    const filter = `{ with: { type: a }, correlate: { order: { from: .data.order, expect: '\${ .id }' } } }`
    expect(
      await outputOf(`do: [${listen(one(filter))}]`, { input: { id: 2 }, events: [order('a', 1), order('a', 2), order('a', 3)] }),
    ).toEqual([{ order: 2 }])
  })

  test('a correlation without an expected value is bound by the first event, for all filters of the listener', async () => {
    const to = `{ all: [{ with: { type: a }, correlate: { order: { from: .data.order } } }, { with: { type: b }, correlate: { order: { from: .data.order } } }] }`
    const events = [order('a', 1), order('b', 2), order('b', 1)]
    expect(await outputOf(`do: [${listen(to)}]`, { events })).toEqual([{ order: 1 }, { order: 1 }])
  })

  test('a correlation is bound for each listener separately', async () => {
    const branch = (name: string, type: string) =>
      `{ ${name}: { listen: { to: { all: [{ with: { type: ${type} }, correlate: { order: { from: .data.order } } }, { with: { type: end }, correlate: { order: { from: .data.order } } }] } } } }`
    const yaml = `do: [{ both: { fork: { branches: [${branch('x', 'a')}, ${branch('y', 'b')}] } } }]`
    expect(
      await outputOf(yaml, {
        started: (run) => [order('a', 1), order('b', 2), order('end', 2), order('end', 1)].forEach((each) => run.publish(each)),
      }),
    ).toEqual([
      [{ order: 1 }, { order: 1 }],
      [{ order: 2 }, { order: 2 }],
    ])
  })

  test('a correlation ignores events without its value', async () => {
    const filter = `{ with: { type: a }, correlate: { order: { from: .data.order } } }`
    expect(await outputOf(`do: [${listen(one(filter))}]`, { events: [event('a', {}), order('a', 4)] })).toEqual([{ order: 4 }])
  })
})

describe('events of parents and children', () => {
  const listening = other('child', listen(one('{ with: { type: a } }')))

  test('a child receives an event from before its start', async () => {
    expect(await outputOf(`do: [${emit('send', 'a', '{ n: 1 }')}, ${runs('child')}]`, { others: [listening] })).toEqual([{ n: 1 }])
  })

  test('a parent receives an event that its child emitted', async () => {
    const emitting = other('child', emit('send', 'a', '{ n: 2 }'))
    expect(await outputOf(`do: [${runs('child')}, ${listen(one('{ with: { type: a } }'))}]`, { others: [emitting] })).toEqual([{ n: 2 }])
  })

  test('children receive the events of one another', async () => {
    const emitting = other('emitter', emit('send', 'a', '{ n: 3 }'))
    const yaml = `do: [{ both: { fork: { branches: [${runs('child')}, ${runs('emitter')}] } } }]`
    expect(await outputOf(yaml, { others: [listening, emitting] })).toMatchObject([[{ n: 3 }], { type: 'a' }])
  })

  test('a child receives an event that is published to its parent', async () => {
    const started: RunOptions['started'] = (run) => void setTimeout(() => run.publish(event('a', { n: 4 })), 20)
    expect(await outputOf(`do: [${runs('child')}]`, { others: [listening], started })).toEqual([{ n: 4 }])
  })

  test('a parent and a child with waits at the same position receive their own events', async () => {
    const twin = other('child', listen(one('{ with: { type: b } }')))
    const yaml = `do: [{ both: { fork: { branches: [{ hear: { listen: { to: { one: { with: { type: a } } } } } }, ${runs('child')}] } } }]`
    expect(await outputOf(yaml, { others: [twin], events: [event('b', { n: 1 }), event('a', { n: 2 })] })).toEqual([[{ n: 2 }], [{ n: 1 }]])
  })
})

describe('waits for an answer', () => {
  const manifest = { name: 'approve', version: '1.0.0', summary: '', performs: 'waiting' as const, input: {}, output: {} }
  const installation = { functions: [manifest] }
  const asks = '{ ask: { call: approve, with: { who: Ann } } }'

  /** Answers the first wait as soon as it is open. */
  const answering = (value: JsonObject, seen: unknown[] = []): NonNullable<RunOptions['started']> => {
    return (run) => {
      const look = () => {
        const [wait] = run.waits()
        if (wait === undefined) return void setTimeout(look, 5)
        seen.push(wait, run.answer(wait.position, value), run.answer(wait.position, { late: true }), run.answer('/do/9/nowhere', {}))
      }
      look()
    }
  }

  test('an open approval is listed and answered once', async () => {
    const seen: unknown[] = []
    const ran = await runDefinition(`do: [${asks}]`, { installation, started: answering({ yes: true }, seen) })
    expect(ran.output).toEqual({ yes: true })
    expect(seen).toEqual([{ position: '/do/0/ask', topic: 'approve', arguments: { who: 'Ann' } }, true, false, false])
  })

  test('an approval of a child is answered through its parent', async () => {
    const ran = await runDefinition(`do: [${runs('child')}]`, {
      installation,
      others: [other('child', asks)],
      started: answering({ yes: 1 }),
    })
    expect(ran.output).toEqual({ yes: 1 })
  })

  test('an answer reaches the execution with the given id among several at the same position', async () => {
    const answers = ['id-1', 'id-2', 'id-3'].map((executionId) => ({ executionId, value: { to: executionId } }))
    const ran = await runDefinition(
      `do: [{ both: { fork: { branches: [${runs('child')}, ${runs('child').replace('child', 'again')}] } } }]`,
      {
        installation,
        others: [other('child', asks)],
        started(run) {
          const look = () => {
            if (run.waits().length < 2) return void setTimeout(look, 5)
            expect(run.answer('/do/0/ask', {}, 'id-9')).toBe(false)
            const taken = answers.toReversed().map(({ executionId, value }) => run.answer('/do/0/ask', value, executionId))
            expect(taken).toEqual([true, true, false])
          }
          look()
        },
      },
    )
    const accepted = ran.writes.flatMap(({ children }) => children.map(({ head }) => head.id))
    expect(ran.output).toEqual(accepted.map((to) => ({ to })))
  })
})
