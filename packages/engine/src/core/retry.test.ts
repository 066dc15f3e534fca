import { describe, expect, test } from 'vitest'
import { standardError } from './error.ts'
import { type Answer, fails, faultOf, gives, memberOf, walk, type WalkOptions } from '#testing/walk.ts'

const day = 24 * 60 * 60 * 1000

const attempts = (policy: string, catchMore = '', use = '') => `
  ${use}
  do:
    - t:
        try: [{ ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }]
        catch: { retry: ${policy}${catchMore} }`

/** Fails `times` times, then gives `done`. */
const failing = (times: number, answer: () => Answer = () => fails('communication')): WalkOptions => ({
  call: (_request, count) => (count < times ? answer() : gives({ done: true })),
})

const delays = (policy: string, times: number, id?: string) =>
  walk(attempts(policy), { ...failing(times), ...(id === undefined ? {} : { id }) }).timers.map(({ afterMs }) => afterMs)

describe('the delay before a retry', () => {
  test.each([
    ['constant when nothing else is said', '{ delay: PT2S }', [2_000, 2_000, 2_000, 2_000]],
    ['constant', '{ delay: PT2S, backoff: { constant: {} } }', [2_000, 2_000, 2_000, 2_000]],
    ['linear', '{ delay: PT2S, backoff: { linear: {} } }', [2_000, 4_000, 6_000, 8_000]],
    ['exponential', '{ delay: PT2S, backoff: { exponential: {} } }', [2_000, 4_000, 8_000, 16_000]],
    ['none', '{ limit: { attempt: { count: 9 } } }', [0, 0, 0, 0]],
    ['given in parts', '{ delay: { seconds: 1, milliseconds: 500 } }', [1_500, 1_500, 1_500, 1_500]],
    ['an expression of the input', `{ delay: '\${ .pause }' }`, [3_000, 3_000, 3_000, 3_000]],
  ])('is %s', (_what, policy, expected) => {
    const walked = walk(attempts(policy), { ...failing(4), input: { pause: 'PT3S' } })
    expect(walked.timers.map(({ afterMs }) => afterMs)).toEqual(expected)
    expect(walked.output).toEqual({ done: true })
    expect(walked.tookMs).toBe(expected.reduce((sum, ms) => sum + ms, 0))
  })

  test('may depend on the error', () => {
    const walked = walk(
      attempts(`{ delay: '\${ { seconds: ($error.status - 400) } }' }`),
      failing(1, () => fails({ type: 'https://t.test/x', status: 407, title: 'x' })),
    )
    expect(walked.timers.map(({ afterMs }) => afterMs)).toEqual([7_000])
  })

  test('grows to a day at most and stays there', () => {
    const all = delays('{ delay: PT1H, backoff: { exponential: {} } }', 12)
    expect(all.slice(0, 5)).toEqual([1, 2, 4, 8, 16].map((hours) => hours * 3_600_000))
    expect(all.slice(5)).toEqual(Array(7).fill(day))
  })

  test('of nothing stays nothing, however often it doubles', () => {
    expect(delays('{ delay: PT0S, backoff: { exponential: {} } }', 1_200).every((ms) => ms === 0)).toBe(true)
  })

  test('that is no duration faults with what it gave', () => {
    const fault = faultOf(walk(attempts(`{ delay: '\${ "soon" }' }`), failing(1)))
    expect(fault).toMatchObject({ title: 'Expression error', instance: '/do/0/t', detail: '"soon" is not a duration' })
  })

  test('has a position for each attempt', () => {
    const { timers, calls } = walk(attempts('{ delay: PT1S }'), failing(2))
    expect(timers.map(({ position }) => position)).toEqual(['/do/0/t/catch/retry', '/do/0/t!1/catch/retry'])
    expect(calls.map(({ position }) => position)).toEqual(['/do/0/t/try/0/ask', '/do/0/t!1/try/0/ask', '/do/0/t!2/try/0/ask'])
  })
})

describe('jitter', () => {
  const jitter = '{ delay: PT1S, jitter: { from: PT0.1S, to: PT0.5S } }'

  test('adds to the delay something between its bounds', () => {
    const all = delays(jitter, 200)
    expect(Math.min(...all)).toBeGreaterThanOrEqual(1_100)
    expect(Math.max(...all)).toBeLessThanOrEqual(1_500)
    expect(new Set(all).size).toBeGreaterThan(50)
  })

  test('is the same in every walk, and another in another execution', () => {
    expect(delays(jitter, 20, 'one')).toEqual(delays(jitter, 20, 'one'))
    expect(delays(jitter, 20, 'one')).not.toEqual(delays(jitter, 20, 'two'))
  })

  test('with equal bounds is that', () => {
    expect(delays('{ delay: PT1S, jitter: { from: PT0.2S, to: PT0.2S } }', 3)).toEqual([1_200, 1_200, 1_200])
  })

  test('makes no delay longer than a day', () => {
    expect(delays('{ delay: P2D, jitter: { from: PT1S, to: PT2S } }', 1)).toEqual([day])
  })
})

describe('what limits retries', () => {
  test.each([1, 2, 5])('a count of %i, the first attempt not included; then the error is raised again', (count) => {
    const walked = walk(attempts(`{ delay: PT1S, limit: { attempt: { count: ${count} } } }`), failing(99))
    expect(walked.calls).toHaveLength(count + 1)
    expect(faultOf(walked)).toMatchObject({ title: 'Communication error', instance: '/do/0/t/try/0/ask' })
  })

  test('a duration from the first attempt on, waits included', () => {
    const walked = walk(
      attempts('{ delay: PT2S, limit: { duration: PT7S } }'),
      failing(99, () => fails('communication', 500)),
    )
    expect(walked.calls).toHaveLength(3)
    expect(walked).toMatchObject({ state: 'faulted', tookMs: 5_500 })
  })

  test('a duration that ends in the middle of a wait is not waited for', () => {
    expect(walk(attempts('{ delay: PT8S, limit: { duration: PT7S } }'), failing(99)).tookMs).toBe(0)
  })

  test('a duration of one attempt, which ends it as a timeout and counts as a failure', () => {
    const walked = walk(attempts('{ delay: PT1S, limit: { attempt: { count: 2, duration: PT3S } } }'), { call: () => gives(1, 10_000) })
    expect(faultOf(walked)).toMatchObject({
      status: 408,
      title: 'Timeout',
      instance: '/do/0/t',
      detail: 'the attempt did not end within 3000 ms',
    })
    expect(walked.tookMs).toBe(3 * 3_000 + 2 * 1_000)
    expect(walked.abandoned).toEqual(['/do/0/t/try/0/ask', '/do/0/t!1/try/0/ask', '/do/0/t!2/try/0/ask'])
  })

  test('a duration of one attempt leaves one alone that ends in time', () => {
    const walked = walk(attempts('{ limit: { attempt: { duration: PT3S } } }'), { call: () => gives({ in: 'time' }, 2_999) })
    expect(walked).toMatchObject({ output: { in: 'time' }, tookMs: 2_999, abandoned: ['/do/0/t/try/timeout'] })
  })

  test.each([
    ['when: $error.status == 500', 2],
    ['when: $error.status == 404', 1],
    ['exceptWhen: $error.status == 500', 1],
    ['exceptWhen: $error.status == 404', 2],
  ])('%s: %i attempts', (condition, expected) => {
    expect(walk(attempts(`{ delay: PT1S, ${condition} }`), failing(1)).calls).toHaveLength(expected)
  })

  test('nothing: it is tried until it works', () => {
    expect(walk(attempts('{ delay: PT1S }'), failing(300)).calls).toHaveLength(301)
  })
})

describe('when retries are used up', () => {
  const limit = '{ limit: { attempt: { count: 1 } } }'

  test('the tasks of the catch run, once, with the last error', () => {
    const walked = walk(attempts(limit, `, do: [{ h: { set: { error: '\${ $error.detail }' } } }]`), {
      call: (_request, count) => fails(standardError('communication', `failure ${count}`).data),
    })
    expect(walked.output).toEqual({ error: 'failure 1' })
    expect(walked.completed).toEqual(['h', 't'])
    expect(walked.events.find(({ name }) => name === 'h')?.position).toBe('/do/0/t!1/catch/do/0/h')
  })

  test('an outer try may catch, and retry the whole of it', () => {
    const { calls } = walk(
      `do: [{ outer: { try: [{ inner: { try: [{ ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }], catch: { retry: ${limit} } } }], catch: { retry: { delay: PT1S, limit: { attempt: { count: 1 } } } } } }]`,
      failing(3),
    )
    expect(calls.map(({ position }) => position)).toEqual([
      '/do/0/outer/try/0/inner/try/0/ask',
      '/do/0/outer/try/0/inner!1/try/0/ask',
      '/do/0/outer!1/try/0/inner/try/0/ask',
      '/do/0/outer!1/try/0/inner!1/try/0/ask',
    ])
  })

  test('catch.then is followed', () => {
    const walked = walk(attempts(limit, `, do: [{ h: { set: { x: 1 } } }], then: end`), failing(99))
    expect(walked.completed).toEqual(['h', 't'])
  })
})

test('an error that the catch does not match is not retried', () => {
  expect(walk(attempts('{ delay: PT1S }', ', errors: { with: { status: 503 } }'), failing(1)).calls).toHaveLength(1)
})

test('every attempt begins with the input of the try and the context as it is', () => {
  const { calls } = walk(
    `do:
      - t:
          try:
            - count: { set: '\${ .n += 1 }', export: { as: '{ tries: (($context.tries // 0) + 1) }' } }
            - ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' }, query: { n: '\${ .n }', tries: '\${ $context.tries }' } } }
          catch: { retry: { delay: PT1S } }`,
    { ...failing(2), input: { n: 0 } },
  )
  expect(calls.map((call) => memberOf(call.arguments, 'query'))).toEqual([
    { n: 1, tries: 1 },
    { n: 1, tries: 2 },
    { n: 1, tries: 3 },
  ])
})

test('a policy is found by its name', () => {
  const walked = walk(
    attempts('patient', '', 'use: { retries: { patient: { delay: PT9S, limit: { attempt: { count: 1 } } } } }'),
    failing(99),
  )
  expect(walked).toMatchObject({ state: 'faulted', tookMs: 9_000 })
})

describe('a failure that asks to be retried later', () => {
  const later = (retryAfterMs: number): Answer => fails('communication', 0, retryAfterMs)
  const waited = (policy: string, retryAfterMs: number) =>
    walk(
      attempts(policy),
      failing(1, () => later(retryAfterMs)),
    ).timers[0]?.afterMs

  test.each([
    ['longer than the policy would: as asked', '{ delay: PT1S }', 5_000, 5_000],
    ['shorter than the policy would: as the policy says', '{ delay: PT9S }', 5_000, 9_000],
    ['by less than the jitter makes it: as the jitter makes it', '{ delay: PT1S, jitter: { from: PT6S, to: PT6S } }', 5_000, 7_000],
    ['for ever: a day', '{ delay: PT1S }', Number.MAX_SAFE_INTEGER, day],
  ])('waits %s', (_what, policy, retryAfterMs, expected) => {
    expect(waited(policy, retryAfterMs)).toBe(expected)
  })

  test('is not tried again when it asks for more than the policy allows', () => {
    expect(waited('{ delay: PT1S, limit: { duration: PT4S } }', 5_000)).toBeUndefined()
  })

  test('a requested delay has no effect without a policy, and the workflow cannot read it', () => {
    const { output, timers } = walk(
      `do: [{ t: { try: [{ ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }], catch: { do: [{ h: { set: { keys: '\${ $error | keys }' } } }] } } }]`,
      { call: () => later(5_000) },
    )
    expect(timers).toEqual([])
    expect(output).toEqual({ keys: ['detail', 'instance', 'status', 'title', 'type'] })
  })

  test('is heard by a try further out', () => {
    const { timers } = walk(
      `do: [{ outer: { try: [{ both: { fork: { branches: [{ d: { do: [{ ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }] } }] } } }], catch: { retry: { delay: PT1S } } } }]`,
      failing(1, () => later(5_000)),
    )
    expect(timers[0]?.afterMs).toBe(5_000)
  })
})
