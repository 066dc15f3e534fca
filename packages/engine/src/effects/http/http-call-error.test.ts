import { expect, test } from 'vitest'
import { HttpCallError, invalidArgument, invalidPolicy, type StandardError } from './http-call-error.ts'

test.each<[StandardError, number]>([
  ['configuration', 400],
  ['validation', 400],
  ['expression', 400],
  ['authentication', 401],
  ['authorization', 403],
  ['timeout', 408],
  ['communication', 500],
])('an error of the kind %s has the type and the status %d of the reference', (kind, status) => {
  const { error } = new HttpCallError(kind, 'what happened')
  expect(error).toMatchObject({
    type: `https://open-workflow-specification.org/spec/1.0.0/errors/${kind}`,
    status,
    detail: 'what happened',
  })
  expect(error.title.length).toBeGreaterThan(0)
  expect(error).not.toHaveProperty('instance')
})

test('status, title, wait and cause can be set', () => {
  const cause = new Error('below')
  const failure = new HttpCallError('communication', 'x', { status: 503, title: 'Busy', retryAfterMs: 5, cause })
  expect(failure).toMatchObject({ name: 'HttpCallError', message: 'x', retryAfterMs: 5, cause, error: { status: 503, title: 'Busy' } })
})

test('the same error in other words keeps everything else', () => {
  const cause = new Error('below')
  const original = new HttpCallError('timeout', 'with a secret', { status: 504, title: 'Slow', retryAfterMs: 5, cause })
  const other = original.withDetail('without')
  expect(other).toMatchObject({
    kind: 'timeout',
    message: 'without',
    retryAfterMs: 5,
    cause,
    error: { ...original.error, detail: 'without' },
  })
  expect(other).toBeInstanceOf(HttpCallError)
})

test('arguments and policies have errors of their own', () => {
  expect(invalidArgument('a').kind).toBe('validation')
  expect(invalidPolicy('p').kind).toBe('configuration')
})
