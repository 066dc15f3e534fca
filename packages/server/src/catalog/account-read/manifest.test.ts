import { compileSchema, type Json } from '@millrace/engine'
import { expect, test } from 'vitest'
import { manifest } from './manifest.ts'

test.each<[string, Json]>([
  ['no list of operations', { operation: 'list_workflows' }],
  ['an operation that does not exist', { operation: 'list_secrets', operations: ['list_secrets'] }],
  ['an empty list', { operation: 'list_workflows', operations: [] }],
])('%s is refused', (_case, args) => {
  const faultsOf = compileSchema({ document: manifest.input })
  expect(faultsOf({ operation: 'list_workflows', operations: ['list_workflows'], arguments: {} })).toEqual([])
  expect(faultsOf(args)).not.toEqual([])
})
