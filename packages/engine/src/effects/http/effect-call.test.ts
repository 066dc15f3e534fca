import { describe, expect, test } from 'vitest'
import { WorkflowError } from '#core/error.ts'
import type { EffectCall } from '#durable/ports/effects.ts'
import { createCredentialCache } from '#effects/http/authentication/credential-cache.ts'
import { contextOf, type HttpEffectDeps, toWorkflowError } from './effect-call.ts'
import { HttpCallError } from './http-call-error.ts'
import { createTextMask } from '#core/secret-mask.ts'
import { withMaskedErrors } from './call-http.ts'
import { fetchPort } from './testing-port.ts'

const deps: HttpEffectDeps = {
  http: fetchPort,
  clock: () => 0,
  randomId: () => 'a-fixed-id-for-this-test',
  limits: { timeoutMs: 1_000, maxResponseBytes: 1_000 },
}

function context(secrets: EffectCall['secrets']) {
  const call: EffectCall = {
    accountId: 'account',
    executionId: 'execution',
    arguments: {},
    input: { a: 1 },
    secrets,
    idempotencyKey: 'key',
    signal: new AbortController().signal,
  }
  return contextOf(call, deps, createCredentialCache(deps.clock))
}

describe('the context of an effect', () => {
  test('has what the call has', () => {
    expect(context({})).toMatchObject({ idempotencyKey: 'key', uriVariables: { a: 1 }, limits: deps.limits })
  })

  test('reads the secrets of the workflow and nothing that objects inherit', async () => {
    const { secret } = context({ token: 'abcd' })
    expect(await secret('token')).toBe('abcd')
    expect(await secret('other')).toBeUndefined()
    expect(await secret('constructor')).toBeUndefined()
  })

  test('takes every text in a secret for secret', () => {
    expect(context({ a: 'abcd', b: { c: ['efgh', 'ij', 7, null] }, d: true }).sensitive).toEqual(['abcd', 'efgh', 'ij'])
  })

  test('has no policies of its own: they are in their places already', () => {
    expect(context({}).authentication('any')).toBeUndefined()
  })
})

describe('an error', () => {
  test('of a call is one that a workflow can catch, with how long to wait', () => {
    const failed = new HttpCallError('communication', 'gone', { status: 503, title: 'Away', retryAfterMs: 7 })
    const error = toWorkflowError(failed)
    expect(error).toBeInstanceOf(WorkflowError)
    expect(error).toMatchObject({ retryAfterMs: 7, cause: failed, data: { status: 503, title: 'Away', detail: 'gone' } })
  })

  test.each([[new TypeError('a bug')], [undefined], ['text']])('that is another stays what it is: %s', (other) => {
    expect(toWorkflowError(other)).toBe(other)
  })

  test('of a call loses what is masked and keeps the rest', async () => {
    const mask = createTextMask(['hush-hush'])
    const failed = new HttpCallError('communication', 'the token hush-hush', { status: 503, retryAfterMs: 7 })
    const work = withMaskedErrors(mask, () => Promise.reject(failed))
    await expect(work).rejects.toMatchObject({ retryAfterMs: 7, error: { status: 503, detail: 'the token ***' } })
  })

  test('of the work learns what the mask learnt in the meantime', async () => {
    const mask = createTextMask([])
    const work = withMaskedErrors(mask, async () => {
      mask.add('learnt-later')
      throw new HttpCallError('communication', 'it says learnt-later')
    })
    await expect(work).rejects.toThrow('it says ***')
  })
})
