import { describe, expect, test } from 'vitest'
import { uncheckedDefinitionOf } from '#testing/run-definition.ts'
import { gives, startMs, walk } from '#testing/walk.ts'
import { variableNames } from './variables.ts'

const started = { iso8601: '2030-01-02T03:04:05.678Z', epoch: { seconds: Math.floor(startMs / 1000), milliseconds: startMs } }

describe('$workflow', () => {
  test('describes the execution and its raw input, whatever became of that', () => {
    const { output } = walk(
      `
      input: { from: '{ transformed: true }' }
      do: [{ a: { set: { id: '\${ $workflow.id }', input: '\${ $workflow.input }', started: '\${ $workflow.startedAt }', name: '\${ $workflow.definition.document.name }' } } }]`,
      {
        input: { raw: true },
        id: 'execution-7',
      },
    )
    expect(output).toEqual({ id: 'execution-7', input: { raw: true }, started, name: 'test' })
  })

  test('keeps the time of the start while the clock advances', () => {
    expect(walk(`do: [{ w: { wait: PT1H } }, { a: { set: '\${ $workflow.startedAt }' } }]`).output).toEqual(started)
  })
})

describe('$task', () => {
  test('describes the task: name, reference, definition, raw input, start', () => {
    const { output } = walk(`do: [{ o: { do: [{ a: { input: { from: .n }, set: { task: '\${ $task }' } } }] } }]`, { input: { n: 1 } })
    expect(output).toEqual({
      task: {
        name: 'a',
        reference: '/do/0/o/do/0/a',
        definition: { input: { from: '.n' }, set: { task: '${ $task }' } },
        input: { n: 1 },
        output: null,
        startedAt: started,
      },
    })
  })

  test('has the raw output when the output is made', () => {
    const { output } = walk(
      `do: [{ a: { set: { x: 1 }, output: { as: '{ raw: $task.output, dot: . }' }, export: { as: '{ raw: $task.output }' } } }, { b: { set: { o: '\${ . }', c: '\${ $context }' } } }]`,
    )
    expect(output).toEqual({ o: { raw: { x: 1 }, dot: { x: 1 } }, c: { raw: { x: 1 } } })
  })

  test('has the time at which the task began', () => {
    const { output } = walk(
      `do: [{ w: { wait: PT10S } }, { a: { call: http, with: { method: get, endpoint: { uri: 'http://a' } }, output: { as: '$task.startedAt.epoch.milliseconds' } } }]`,
      {
        call: () => gives(1, 5_000),
      },
    )
    expect(output).toBe(startMs + 10_000)
  })

  test('is the task that stands there, also in if, while and when', () => {
    const { completed } = walk(`
      do:
        - a: { if: $task.name == "a", set: { x: 1 } }
        - b: { if: $task.name == "a", set: { x: 1 } }
        - c: { for: { in: '[1]' }, while: $task.name == "c", do: [{ d: { switch: [{ e: { when: $task.name == "d", then: continue } }, { f: { then: end } }] } }] }`)
    expect(completed).toEqual(['a', 'd', 'c'])
  })
})

describe('$input', () => {
  test('is the transformed input in the body, the output and the export of a task', () => {
    const { output } = walk(
      `
      do:
        - a:
            input: { from: .n }
            set: { body: '\${ $input }' }
            output: { as: '. + { output: $input }' }
            export: { as: '{ export: $input, output: $output }' }
        - b: { set: '\${ $context }' }`,
      { input: { n: 7 } },
    )
    expect(output).toEqual({ export: 7, output: { body: 7, output: 7 } })
  })
})

describe('$steps', () => {
  test('has the transformed outputs of tasks of the list and of lists around it', () => {
    const { output } = walk(`
      do:
        - first: { set: { n: 1 }, output: { as: .n } }
        - list:
            do:
              - second: { set: { n: 2 } }
              - read: { set: { steps: '\${ [$steps.first, $steps.second] }' } }`)
    expect(output).toEqual({ steps: [1, { n: 2 }] })
  })

  test('has nothing of a list that has ended, nor of tasks that were skipped into the next one', () => {
    const { output } = walk(
      uncheckedDefinitionOf(`
      do:
        - list: { do: [{ inner: { set: { n: 1 } } }] }
        - read: { set: { keys: '\${ $steps | keys }' } }`),
    )
    expect(output).toEqual({ keys: ['list'] })
  })

  test('is null for a task that has not run yet', () => {
    expect(walk(`do: [{ read: { set: { got: '\${ $steps.later }' } } }, { later: { if: 'false', set: { n: 1 } } }]`).output).toEqual({
      got: null,
    })
  })

  test('has the output of the last visit', () => {
    const { output } = walk(`
      do:
        - count: { set: '\${ { n: (($steps.count.n // 0) + 1) } }' }
        - again: { switch: [{ more: { when: .n < 3, then: count } }] }
        - read: { set: '\${ $steps.count }' }`)
    expect(output).toEqual({ n: 3 })
  })

  test('begins empty in each iteration', () => {
    const { output } = walk(
      `do: [{ loop: { for: { in: '[1, 2]' }, do: [{ a: { set: '\${ { seen: [(.seen // [])[], $steps.b.n] } }' } }, { b: { set: '\${ . + { n: $item } }' } }] } }]`,
    )
    expect(output).toEqual({ seen: [null, null], n: 2 })
  })
})

describe('$secrets', () => {
  test('has the secrets of the execution', () => {
    const { output } = walk(`use: { secrets: [token] }\ndo: [{ a: { set: { t: '\${ $secrets.token }' } } }]`, {
      secrets: { token: 'hush' },
    })
    expect(output).toEqual({ t: 'hush' })
  })

  test('may be read where the input of the workflow is made', () => {
    const { output } = walk(`use: { secrets: [token] }\ninput: { from: '{ t: $secrets.token }' }\ndo: [{ a: { set: '\${ . }' } }]`, {
      secrets: { token: 'hush' },
    })
    expect(output).toEqual({ t: 'hush' })
  })
})

test('$runtime describes what runs the workflow', () => {
  const runtime = { name: 'millrace', version: '1.2.3', metadata: { a: 1 } }
  expect(walk(`do: [{ a: { set: '\${ $runtime }' } }]`, { runtime }).output).toEqual(runtime)
})

test('$authorization is null without authorization', () => {
  expect(walk(`do: [{ a: { set: { x: '\${ $authorization }' } } }]`).output).toEqual({ x: null })
})

test('what a task binds hides what the language gives', () => {
  const { output } = walk(
    uncheckedDefinitionOf(`do: [{ loop: { for: { each: context, in: '[7]' }, do: [{ a: { set: { x: '\${ $context }' } } }] } }]`),
  )
  expect(output).toEqual({ x: 7 })
})

test.each(['__proto__', 'constructor', 'toString', '_'])('a task may bind a variable called %s', (name) => {
  const { output } = walk(
    uncheckedDefinitionOf(
      `do: [{ loop: { for: { each: ${name}, in: '[{ "n": 7 }]' }, do: [{ a: { set: { x: '\${ $${name}.n }' } } }] } }]`,
    ),
  )
  expect(output).toEqual({ x: 7 })
})

test('the names are those of the specification, steps and variables', () => {
  expect([...variableNames].toSorted()).toEqual([
    'authorization',
    'context',
    'input',
    'output',
    'runtime',
    'secrets',
    'steps',
    'task',
    'variables',
    'workflow',
  ])
})

test('now is the time of the last outcome, the same in every walk', () => {
  const { output } = walk(
    `do: [{ a: { set: { at: '\${ now }' } } }, { c: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }, { b: { set: '\${ { before: $steps.a.at, after: now } }' } }]`,
    {
      call: () => gives({}, 2_500),
    },
  )
  expect(output).toEqual({ before: startMs / 1_000, after: (startMs + 2_500) / 1_000 })
})
