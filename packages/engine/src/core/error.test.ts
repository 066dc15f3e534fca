import { describe, expect, test } from 'vitest'
import { errorFromJson, errorToJson, located, sameErrorType, standardError, WorkflowError } from './error.ts'

const base = 'https://open-workflow-specification.org/spec/1.0.0/errors/'

describe('standard errors', () => {
  test.each([
    ['configuration', 400],
    ['validation', 400],
    ['expression', 400],
    ['authentication', 401],
    ['authorization', 403],
    ['timeout', 408],
    ['communication', 500],
    ['runtime', 500],
  ] as const)('%s has the status %i of the reference', (type, status) => {
    expect(standardError(type, 'detail', '/do/0/a').data).toEqual({
      type: base + type,
      status,
      title: expect.any(String),
      detail: 'detail',
      instance: '/do/0/a',
    })
  })

  test('have no instance unless one is given', () => {
    expect(standardError('runtime', 'detail').data).not.toHaveProperty('instance')
  })

  test('say in their message what and why', () => {
    expect(standardError('timeout', 'too late').message).toBe('Timeout: too late')
    expect(new WorkflowError({ type: 'x', status: 1, title: 'Title' }).message).toBe('Title')
  })
})

describe('the place of an error', () => {
  test('is set where it is not known', () => {
    expect(located(standardError('runtime', 'd'), '/do/0/a').data.instance).toBe('/do/0/a')
  })

  test('is kept where it is, the error with it', () => {
    const error = standardError('runtime', 'd', '/inner')
    expect(located(error, '/outer')).toBe(error)
  })

  test('is added without losing the cause or how long to wait', () => {
    const error = new WorkflowError({ type: 'x', status: 1, title: 't' }, { retryAfterMs: 7 })
    const there = located(error, '/a')
    expect(there.cause).toBe(error)
    expect(there.retryAfterMs).toBe(7)
  })
})

describe('an error as JSON', () => {
  test.each([
    [{ type: 't', status: 1, title: 'x' }],
    [{ type: 't', status: 1, title: 'x', detail: 'd' }],
    [{ type: 't', status: 1, title: 'x', instance: '/i' }],
    [{ type: 't', status: 1, title: 'x', detail: '', instance: '' }],
  ])('comes back as it was: %j', (error) => {
    expect(errorFromJson(errorToJson(error))).toEqual(error)
  })

  test('has only the members of an error', () => {
    const error = { type: 't', status: 1, title: 'x', secret: 'never' }
    expect(errorToJson(error)).toEqual({ type: 't', status: 1, title: 'x' })
  })

  test.each([null, 1, 'text', [], {}, { type: 1, status: 'x', title: null, detail: 5 }])(
    'of an odd kind (%j) becomes a runtime error',
    (value) => {
      expect(errorFromJson(value)).toEqual({ type: `${base}runtime`, status: 500, title: 'Error' })
    },
  )
})

describe('two error types are the same', () => {
  test.each([
    ['https://a.test/x', 'https://a.test/x', true],
    ['https://a.test/x', 'https://b.test/x', false],
    [`${base}timeout`, 'https://serverlessworkflow.io/dsl/errors/types/timeout', true],
    [`${base}timeout`, `${base}runtime`, false],
    ['timeout', `${base}timeout`, true],
    ['https://a.test/constructor', 'https://b.test/constructor', false],
    ['https://a.test/toString', 'https://b.test/toString', false],
    ['https://a.test/', 'https://b.test/', false],
  ])('%s and %s: %s', (one, other, same) => {
    expect(sameErrorType(one, other)).toBe(same)
    expect(sameErrorType(other, one)).toBe(same)
  })
})
