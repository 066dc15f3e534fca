import { expect, test } from 'vitest'
import { askedConnection, askedVariable, newAsked } from './new-asked.ts'

test('the address that asks for a new variable leads to its dialog with name and kind', () => {
  expect(askedVariable(newAsked('secrets', 'STRIPE/KEY'))).toEqual({ name: 'STRIPE/KEY', kind: 'secret' })
  expect(askedVariable(newAsked('variables', 'rate'))).toEqual({ name: 'rate', kind: 'text' })
  expect([undefined, 'new/other/x', 'new/connections/x', '/do/0/x'].map(askedVariable)).toEqual(Array.from({ length: 4 }))
})

test('the address that asks for a new connection leads to its dialog with the name', () => {
  expect(askedConnection(newAsked('connections', 'office-postgres'))).toBe('office-postgres')
  expect([undefined, 'new/secrets/x', '/do/0/x'].map(askedConnection)).toEqual(Array.from({ length: 3 }))
})
