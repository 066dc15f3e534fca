import type { JsonObject } from '@millrace/engine'
import { describe, expect, test } from 'vitest'
import { adviceFor, describeWait } from './describe-wait.ts'

const filter = (filters: JsonObject, expected: JsonObject = {}, role = 'to'): JsonObject => ({ filter: { with: filters }, expected, role })
const listening = (takes: string, ...filters: readonly JsonObject[]) =>
  describeWait({ position: '/do/0/hear', topic: 'events', arguments: { takes, filters: [...filters] } })

describe('what is waited for', () => {
  test.each<[string, readonly JsonObject[], string]>([
    ['one', [filter({ type: 'paid' })], 'event paid'],
    ['one', [filter({})], 'event of any type'],
    ['one', [filter({ type: 'paid', source: 'https://s.test' }, { order: 7 })], 'event paid (source https://s.test, order 7)'],
    ['one', [filter({ type: 'a' }), filter({ type: 'b' })], 'event a or b'],
    ['each', [filter({ type: 'a' }), filter({ type: 'b' })], 'event a and b'],
    ['any', [filter({ type: 'a' }), filter({ type: 'a' }), filter({ type: 'z' }, {}, 'until')], 'event a until z'],
  ])('are events: %s of %j', (takes, filters, text) => {
    expect(listening(takes, ...filters)).toBe(text)
  })

  test('is an approval, by those who are asked', () => {
    const args = { title: 'Pay it', approvers: ['ada@example.com', { role: 'admin' }] }
    expect(describeWait({ position: '/do/0/ask', topic: 'approve', arguments: args })).toBe(
      'approval "Pay it" by ada@example.com, role admin',
    )
  })
})

test.each([
  ['events', /--event FILE\|JSON.*--events -/],
  ['approve', /--answer ask=approve.*--answer -.*terminal/],
])('there is advice on how %s can come', (topic, advice) => {
  expect(adviceFor({ topic, name: 'ask' })).toMatch(advice)
})
