import { Fault } from '@millrace/contract'
import { expect, test } from 'vitest'
import { createEventStreams, eventStreamLimitsDefault } from './event-streams.ts'

function setUp() {
  const logged: unknown[] = []
  const streams = createEventStreams({
    closing: new AbortController().signal,
    limits: eventStreamLimitsDefault,
    turns: { of: () => ({ next: () => Promise.resolve() }) },
    logError: (error, message) => logged.push([message, error]),
  })
  return { logged, streams }
}

test('an error that the caller does not cause is logged, and the caller does not see its message', () => {
  const { logged, streams } = setUp()
  const error = new TypeError('cannot read the password 4711')
  const problem = streams.problemOf(error)
  expect(problem).toMatchObject({ code: 'internal', status: 500 })
  expect(JSON.stringify(problem)).not.toContain('4711')
  expect(logged).toEqual([['stream failed', error]])
})

test.each([
  [
    'a Fault',
    new Fault('model_unavailable', { detail: 'The model is busy.' }),
    { code: 'model_unavailable', detail: 'The model is busy.' },
  ],
  ['a database that cannot be reached', Object.assign(new Error('read'), { code: 'ECONNRESET' }), { code: 'database_unavailable' }],
])('%s ends a stream with its own code and is not logged', (_what, error, problem) => {
  const { logged, streams } = setUp()
  expect(streams.problemOf(error)).toMatchObject(problem)
  expect(logged).toEqual([])
})

test('a stream that cannot be closed is logged, and its slot is free', async () => {
  const { logged, streams } = setUp()
  const error = new Error('the folder cannot be removed')
  async function* texts() {
    yield await Promise.resolve('text')
  }
  const stream = await streams.open({ accountId: 'account', credentialStands: () => Promise.resolve(true) }, () => ({
    make: texts,
    onClose: () => Promise.reject(error),
  }))
  expect(streams.count()).toBe(1)
  stream.destroy()
  await expect.poll(() => logged).toEqual([['stream could not be closed', error]])
  expect(streams.count()).toBe(0)
})
