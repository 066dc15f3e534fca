import { compileSchema, type Json } from '@millrace/engine'
import { expect, test } from 'vitest'
import { manifest } from './manifest.ts'

test.each<[string, Json]>([
  ['no prompt', {}],
  ['an empty prompt', { prompt: '' }],
  ['an unknown role', { prompt: 'a', role: 'best' }],
  ['a message of the system', { prompt: 'a', messages: [{ role: 'system', text: 'b' }] }],
])('%s is refused', (_case, args) => {
  expect(compileSchema({ document: manifest.input })(args)).not.toEqual([])
})
