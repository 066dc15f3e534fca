import { compileSchema, type Json } from '@millrace/engine'
import { expect, test } from 'vitest'
import { manifest } from './manifest.ts'

test.each<[string, Json]>([
  ['no function', { arguments: {} }],
  ['a function that is not of a connector', { function: 'http', arguments: {} }],
  ['arguments that are no object', { function: 'slack.post', arguments: ['a'] }],
])('%s is refused', (_case, args) => {
  const faultsOf = compileSchema({ document: manifest.input })
  expect(faultsOf({ function: 'slack.post', connection: 'team', arguments: { text: 'a' } })).toEqual([])
  expect(faultsOf(args)).not.toEqual([])
})
