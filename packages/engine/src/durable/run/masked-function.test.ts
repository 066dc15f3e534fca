import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { standardError, WorkflowError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import { withMaskedOutcomes as maskedFunction } from './masked-function.ts'
import type { EffectCall, EffectFunction } from '#durable/ports/effects.ts'

const token = 'hunter2hunter2'
const secrets = { token, login: { password: 'correct horse battery' } }

function callOf(more: Partial<EffectCall> = {}): EffectCall {
  const signal = new AbortController().signal
  return { accountId: 'a', executionId: 'e', arguments: null, input: null, secrets, idempotencyKey: 'k', signal, ...more }
}

function masked(perform: EffectFunction, call: EffectCall = callOf()): Promise<Json> {
  return maskedFunction(perform)(call)
}

async function failing(error: unknown): Promise<unknown> {
  try {
    return await masked(async () => {
      throw error
    })
  } catch (reason) {
    return reason
  }
}

test('the result of a function is masked', async () => {
  const echo = { headers: { authorization: `Bearer ${token}` }, list: ['correct horse battery', 7, null] }
  expect(await masked(() => Promise.resolve(echo))).toEqual({ headers: { authorization: 'Bearer ***' }, list: ['***', 7, null] })
})

test('a secret of five characters is masked in outcomes, errors and bugs that are logged', async () => {
  const call = callOf({ secrets: { token: 'hush5' } })
  expect(await masked(() => Promise.resolve({ echo: 'Bearer hush5' }), call)).toEqual({ echo: 'Bearer ***' })
  const declared = standardError('communication', 'the key hush5 is unknown')
  for (const thrown of [declared, new TypeError('cannot read hush5')]) {
    const error = await masked(() => Promise.reject(thrown), call).catch((reason: unknown) => reason)
    expect(inspect(error, { depth: 10 })).not.toContain('hush5')
    expect(String(error)).toContain('***')
  }
})

test('a function receives its secrets unmasked', async () => {
  const seen: unknown[] = []
  await masked(async (call) => {
    seen.push(call.secrets)
    return null
  })
  expect(seen).toEqual([secrets])
})

test('without secrets the result of a function is passed on unchanged', async () => {
  const output = { token }
  expect(await masked(() => Promise.resolve(output), callOf({ secrets: {} }))).toBe(output)
})

describe('an error', () => {
  test('a WorkflowError is masked and otherwise unchanged', async () => {
    const { data } = standardError('communication', `The service says: ${token} is not known`)
    const error = await failing(new WorkflowError({ ...data, status: 403, instance: '/do/0/a' }, { retryAfterMs: 7000, cause: token }))
    expect(error).toBeInstanceOf(WorkflowError)
    expect(error).toMatchObject({
      data: { ...data, status: 403, instance: '/do/0/a', detail: 'The service says: *** is not known' },
      retryAfterMs: 7000,
    })
    expect(inspect(error, { depth: 10 })).not.toContain(token)
  })

  test('an unexpected error is masked, with its stack', async () => {
    const error = await failing(Object.assign(new TypeError(`cannot read ${token}`), { request: { token } }))
    expect(error).toMatchObject({ name: 'TypeError', message: 'cannot read ***' })
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(token)
    expect(String(Object(error).stack)).toContain('masked-function.test.ts')
  })

  test('the reason of an abort is passed on unchanged', async () => {
    const reason = new Error('cancelled')
    const perform = () => Promise.reject(reason)
    await expect(masked(perform, callOf({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
  })
})
