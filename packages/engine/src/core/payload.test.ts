import { expect, test } from 'vitest'
import { runDefinition } from '#testing/run-definition.ts'
import { checkPayload, PAYLOAD_MAX } from './payload.ts'
import type { Json } from './json.ts'

test('a value within the bound passes, whatever it is made of', () => {
  for (const value of [null, 1, 'x'.repeat(PAYLOAD_MAX - 16), { a: [true, { b: 'c' }] }] satisfies Json[]) {
    expect(() => checkPayload(value, 'it', '/')).not.toThrow()
  }
})

test('a text beyond the bound is refused and named', () => {
  expect(() => checkPayload('x'.repeat(PAYLOAD_MAX), 'the output of the workflow', '/output')).toThrow(
    'the output of the workflow would be larger than 16 MiB',
  )
})

test('a value that shares its parts is measured as it would print, and the measuring is bounded', () => {
  let value: Json = 'x'
  for (let doubling = 0; doubling < 200; doubling++) value = [value, value]
  const begunAt = performance.now()
  expect(() => checkPayload(value, 'it', '/')).toThrow('larger')
  expect(performance.now() - begunAt).toBeLessThan(5_000)
})

const doubling = Array.from({ length: 40 }, (_, index) => `  - double${index}: { set: { a: '\${ . }', b: '\${ . }' } }`).join('\n')

test('a workflow whose output would print larger than any memory faults, and the process goes on', async () => {
  const ran = await runDefinition(`do:\n${doubling}\n`)
  expect(ran).toMatchObject({ state: 'faulted', error: { status: 500, detail: 'the output of the workflow would be larger than 16 MiB' } })
})

test('arguments that would print larger than any memory fault their task', async () => {
  const calling = `do:\n${doubling}\n  - send: { call: http, with: { method: post, endpoint: 'http://x/', body: '\${ . }' } }\n`
  const ran = await runDefinition(calling, { http: async () => null })
  expect(ran).toMatchObject({
    state: 'faulted',
    error: { detail: 'what the call is given would be larger than 16 MiB', instance: '/do/40/send' },
  })
})
