import { compileSchema, type Json } from '@millrace/engine'
import { expect, test } from 'vitest'
import { manifest } from './manifest.ts'

const http = { kind: 'http', name: 'orders', description: 'Reads orders.', url: 'https://shop.example.com/orders/{id}' }
const faultsOf = compileSchema({ document: manifest.input })

test('a complete call is accepted', () => {
  const approval = { policy: 'always', approvers: ['ada@example.com', { role: 'admin' }], deadline: 'PT2H' }
  const limits = { steps: 5, tokens: 1000, cost: 0.5, duration: 'PT10M' }
  expect(faultsOf({ goal: 'a', data: [1], quality: 'fast', tools: [http], limits, approval })).toEqual([])
})

test.each<[string, Json]>([
  ['no goal', {}],
  ['more steps than an agent may have', { goal: 'a', limits: { steps: 51 } }],
  ['a policy without approvals', { goal: 'a', approval: { policy: 'never' } }],
  ['a host that the model chooses', { goal: 'a', tools: [{ ...http, url: 'https://{host}/x' }] }],
  ['a header with a line break', { goal: 'a', tools: [{ ...http, headers: { 'X-A': 'a\r\nb' } }] }],
  ['an unknown kind of tool', { goal: 'a', tools: [{ kind: 'shell', name: 'a' }] }],
])('%s is refused', (_case, args) => {
  expect(faultsOf(args)).not.toEqual([])
})
