import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { expect, test } from 'vitest'
import { runDefinition } from '#testing/run-definition.ts'
import { checkPayload, excessOf, isCopyLarger, NESTING_MAX, PAYLOAD_MAX, showable } from './payload.ts'
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
  const begunAt = startProcessorTime()
  expect(() => checkPayload(value, 'it', '/')).toThrow('larger')
  expect(begunAt()).toBeLessThan(5_000)
})

const doubling = Array.from({ length: 40 }, (_, index) => `  - double${index}: { set: { a: '\${ . }', b: '\${ . }' } }`).join('\n')

test('a workflow whose output would print larger than any memory faults, and the process survives', async () => {
  const ran = await runDefinition(`do:\n${doubling}\n`)
  expect(ran).toMatchObject({ state: 'faulted', error: { status: 500, detail: 'the output of the workflow would be larger than 16 MiB' } })
})

test('arguments that would print larger than any memory fault their task', async () => {
  const calling = `do:\n${doubling}\n  - send: { call: http, with: { method: post, endpoint: 'http://x/', body: '\${ . }' } }\n`
  const ran = await runDefinition(calling, { http: async () => null })
  expect(ran).toMatchObject({
    state: 'faulted',
    error: { detail: 'the arguments of the call would be larger than 16 MiB', instance: '/do/40/send' },
  })
})

function nested(levels: number): Json {
  let value: Json = 0
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

test('a value that is too large or too deep is shown as a text that states the limit', () => {
  expect(showable(nested(NESTING_MAX))).toEqual(nested(NESTING_MAX))
  expect(showable(nested(NESTING_MAX + 2))).toBe(`(nests deeper than ${NESTING_MAX} levels)`)
  expect(showable('x'.repeat(PAYLOAD_MAX + 1))).toBe('(larger than 16 MiB)')
})

test('the excess of a value is its number of values or its levels', () => {
  expect(excessOf([1, 2, 3], 10)).toBeUndefined()
  expect(excessOf([1, 2, 3], 2)).toBe('values')
  expect(excessOf(nested(NESTING_MAX + 2), 1_000_000)).toBe('levels')
})

test('a payload that is nested too deep is refused and named', () => {
  expect(() => checkPayload(nested(NESTING_MAX + 2), 'the output of the task', '/do/0/a')).toThrow(
    `the output of the task nests deeper than ${NESTING_MAX} levels`,
  )
})

test('the members of a large object count more for a copy than those of a small one, and text counts by its length', () => {
  const objectOf = (members: number) => Object.fromEntries(Array.from({ length: members }, (_, index) => [`k${index}`, 0]))
  expect(isCopyLarger(objectOf(100), 300)).toBe(false)
  expect(isCopyLarger(objectOf(2_000), 6_000)).toBe(true)
  expect(isCopyLarger('x'.repeat(64_000), 500)).toBe(true)
  expect(isCopyLarger([1, 'x', null], 10)).toBe(false)
})
