import { compileSchema, type Json } from '@millrace/engine'
import { expect, test } from 'vitest'
import { manifest } from './manifest.ts'

test.each<[string, Json]>([
  ['no goal', { tools: [] }],
  ['a tool without a decision about approvals', { goal: 'a', tools: [{ kind: 'http', name: 'a', description: 'b' }] }],
])('%s is refused', (_case, args) => {
  const faultsOf = compileSchema({ document: manifest.input })
  expect(faultsOf({ goal: 'a', data: null, tools: [] })).toEqual([])
  expect(faultsOf(args)).not.toEqual([])
})
