import { describe, expect, test } from 'vitest'
import { fails, faultOf, gives, walk } from '#testing/walk.ts'

const spec = 'https://open-workflow-specification.org/spec/1.0.0/errors/'
const raised = { type: 'https://t.test/full', status: 418, title: 'Teapot', detail: 'short and stout', instance: '/here' }

/** A try around an effect that fails with `error`, with this catch clause. */
const attempt = (clause: string, error: Parameters<typeof fails>[0] = raised) =>
  walk(`do: [{ t: { try: [{ ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }], catch: ${clause} } }]`, {
    input: { in: 1 },
    call: () => fails(error),
  })

const caught = (clause: string, error?: Parameters<typeof fails>[0]) => attempt(clause, error).state === 'completed'

describe('the filter of a catch', () => {
  test.each([
    ['nothing', '{}', true],
    ['its type', `{ errors: { with: { type: 'https://t.test/full' } } }`, true],
    ['another type', `{ errors: { with: { type: 'https://t.test/other' } } }`, false],
    ['its status', '{ errors: { with: { status: 418 } } }', true],
    ['another status', '{ errors: { with: { status: 500 } } }', false],
    ['its title', '{ errors: { with: { title: Teapot } } }', true],
    ['another title', '{ errors: { with: { title: Kettle } } }', false],
    ['its detail', '{ errors: { with: { detail: short and stout } } }', true],
    ['another detail', '{ errors: { with: { detail: long } } }', false],
    ['its detail under its other name', '{ errors: { with: { details: short and stout } } }', true],
    ['another detail under its other name', '{ errors: { with: { details: long } } }', false],
    ['its instance', '{ errors: { with: { instance: /here } } }', true],
    ['another instance', '{ errors: { with: { instance: /there } } }', false],
    ['two that match', '{ errors: { with: { status: 418, title: Teapot } } }', true],
    ['two of which one matches', '{ errors: { with: { status: 418, title: Kettle } } }', false],
  ])('by %s', (_what, clause, catches) => {
    expect(caught(clause)).toBe(catches)
  })

  test.each([
    `${spec}communication`,
    'https://open-workflow-specification.org/dsl/errors/types/communication',
    'https://serverlessworkflow.io/spec/1.0.0/errors/communication',
    'https://serverlessworkflow.io/dsl/errors/types/communication',
  ])('knows a standard type also as %s', (type) => {
    expect(caught(`{ errors: { with: { type: '${type}' } } }`, 'communication')).toBe(true)
    expect(caught(`{ errors: { with: { type: '${type}' } } }`, 'timeout')).toBe(false)
  })

  test('compares a type that is no standard one to the letter', () => {
    expect(caught(`{ errors: { with: { type: 'https://other.test/full' } } }`)).toBe(false)
  })

  test('by instance means the task that raised the error', () => {
    const { instance: _instance, ...error } = raised
    expect(caught('{ errors: { with: { instance: /do/0/t/try/0/ask } } }', error)).toBe(true)
    expect(caught('{ errors: { with: { instance: /do/0/t } } }', error)).toBe(false)
  })

  test('that does not match leaves the error as it was', () => {
    expect(faultOf(attempt('{ errors: { with: { status: 1 } }, do: [{ never: { set: { x: 1 } } }] }'))).toEqual(raised)
  })
})

describe('when and exceptWhen', () => {
  test.each([
    [`when: 'true'`, true],
    [`when: 'false'`, false],
    ['when: $error.status == 418', true],
    ['when: $error.status == 500', false],
    ['when: .in == 1', true],
    ['when: $input.in == 2', false],
    ['exceptWhen: $error.status == 418', false],
    ['exceptWhen: $error.status == 500', true],
    ['when: $error.status == 418, exceptWhen: .in == 1', false],
    ['when: $error.status == 418, exceptWhen: .in == 2', true],
    ['as: problem, when: $problem.title == "Teapot"', true],
    ['when: $error.type == "https://t.test/full" and $error.detail == "short and stout" and $error.instance == "/here"', true],
  ])('%s: caught %s', (conditions, catches) => {
    expect(caught(`{ ${conditions} }`)).toBe(catches)
  })

  test('are not asked when the filter does not match', () => {
    expect(faultOf(attempt(`{ errors: { with: { status: 1 } }, when: 'error("asked")' }`))).toEqual(raised)
  })

  test('that fail raise their own error at the try', () => {
    expect(faultOf(attempt(`{ when: 'error("no")' }`))).toMatchObject({ title: 'Expression error', instance: '/do/0/t' })
  })
})

describe('an error that is caught', () => {
  test('and not handled is swallowed: the output is the input of the try', () => {
    expect(attempt('{}')).toMatchObject({ state: 'completed', output: { in: 1 }, completed: ['t'] })
  })

  test('is handled by tasks that see it and the input of the try', () => {
    expect(attempt(`{ do: [{ h: { set: { error: '\${ $error }', input: '\${ . }' } } }] }`).output).toEqual({
      error: raised,
      input: { in: 1 },
    })
    expect(attempt(`{ as: problem, do: [{ h: { set: { status: '\${ $problem.status }' } } }] }`).output).toEqual({ status: 418 })
  })

  test('leaves the tasks behind it in the try undone', () => {
    const { completed } = walk(`
      do:
        - t:
            try:
              - a: { set: { x: 1 } }
              - r: { raise: { error: { type: 'https://t.test/x', status: 400 } } }
              - b: { set: { x: 2 } }
            catch: {}
        - after: { set: { x: 3 } }`)
    expect(completed).toEqual(['a', 't', 'after'])
  })

  test('an error in the handler is raised to the task around the try', () => {
    const walked = attempt(`{ do: [{ h: { raise: { error: { type: 'https://t.test/second', status: 500, title: Second } } } }] }`)
    expect(faultOf(walked)).toMatchObject({ title: 'Second', instance: '/do/0/t/catch/do/0/h' })
  })

  test('by the inner of two tries is not seen by the outer', () => {
    const { completed } = walk(`
      do:
        - outer:
            try:
              - inner:
                  try: [{ r: { raise: { error: { type: 'https://t.test/x', status: 400 } } } }]
                  catch: { do: [{ i: { set: { x: 1 } } }] }
            catch: { do: [{ o: { set: { x: 2 } } }] }`)
    expect(completed).toEqual(['i', 'inner', 'outer'])
  })

  test('by the outer when the inner does not match, with the place of the task that raised it', () => {
    const { output } = walk(`
      do:
        - outer:
            try:
              - inner:
                  try: [{ r: { raise: { error: { type: 'https://t.test/x', status: 400 } } } }]
                  catch: { errors: { with: { status: 500 } } }
            catch: { do: [{ o: { set: { where: '\${ $error.instance }' } } }] }`)
    expect(output).toEqual({ where: '/do/0/outer/try/0/inner/try/0/r' })
  })

  test('hides the error of the try around it, which is seen again behind', () => {
    const raise = (status: number) => `raise: { error: { type: 'https://t.test/x', status: ${status} } }`
    const { output } = walk(`
      do:
        - outer:
            try: [{ r: { ${raise(401)} } }]
            catch:
              do:
                - inner: { try: [{ r2: { ${raise(402)} } }], catch: { do: [{ i: { set: { inner: '\${ $error.status }' } } }] } }
                - o: { set: '\${ . + { outer: $error.status } }' }`)
    expect(output).toEqual({ inner: 402, outer: 401 })
  })

  test.each([
    ['an expression that fails', `set: { x: '\${ error("no") }' }`],
    ['an input that does not fit', `input: { schema: { document: { type: string } } }, set: { x: 1 }`],
    ['an output that does not fit', `set: { x: 1 }, output: { schema: { document: { type: string } } }`],
    ['a loop over nothing', `for: { in: .missing }, do: [{ b: { set: { x: 1 } } }]`],
    ['a timeout', `wait: PT2S, timeout: { after: PT1S }`],
  ])('may be %s', (_what, task) => {
    expect(walk(`do: [{ t: { try: [{ a: { ${task} } }], catch: { do: [{ h: { set: { caught: true } } }] } } }]`).output).toEqual({
      caught: true,
    })
  })
})

describe('catch.then', () => {
  const tasks = (clause: string, then: string, fail: boolean) => `
    do:
      - t:
          try: [{ a: { ${fail ? `raise: { error: { type: 'https://t.test/x', status: 400 } }` : 'set: { x: 1 }'} } }]
          catch: ${clause}
          ${then}
      - b: { set: { x: 2 }, then: end }
      - c: { set: { x: 3 }, then: end }`
  const path = (clause: string, then: string, fail: boolean) =>
    walk(tasks(clause, then, fail)).completed.filter((name) => name === 'b' || name === 'c')

  test('is followed when an error was caught, the then of the task when none was', () => {
    expect(path('{ then: c }', 'then: b', true)).toEqual(['c'])
    expect(path('{ then: c }', 'then: b', false)).toEqual(['b'])
  })

  test('is followed after the tasks that handle the error', () => {
    expect(walk(tasks('{ do: [{ h: { set: { x: 9 } } }], then: c }', '', true)).completed).toEqual(['h', 't', 'c'])
  })

  test('may end or leave', () => {
    expect(path('{ then: end }', '', true)).toEqual([])
    expect(path('{ then: exit }', '', true)).toEqual([])
  })

  test('left out: the then of the task is followed in both cases', () => {
    expect(path('{}', 'then: c', true)).toEqual(['c'])
    expect(path('{}', 'then: c', false)).toEqual(['c'])
  })

  test('is not followed by an error that was not caught', () => {
    expect(faultOf(walk(tasks('{ errors: { with: { status: 1 } }, then: c }', '', true))).status).toBe(400)
  })
})

test('a try without an error gives the output of its tasks', () => {
  const { output } = walk(`do: [{ t: { try: [{ a: { set: { x: 1 } } }, { b: { set: '\${ .x += 1 }' } }], catch: {} } }]`, {
    call: () => gives(1),
  })
  expect(output).toEqual({ x: 2 })
})
