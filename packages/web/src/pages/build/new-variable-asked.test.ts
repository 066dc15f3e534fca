import { expect, test } from 'vitest'
import { askedVariable, newVariableAsked } from './new-variable-asked.ts'

test('the address that asks for a new variable leads to its dialog with name and kind', () => {
  expect(askedVariable(newVariableAsked('secrets', 'STRIPE/KEY'))).toEqual({ name: 'STRIPE/KEY', kind: 'secret' })
  expect(askedVariable(newVariableAsked('variables', 'rate'))).toEqual({ name: 'rate', kind: 'text' })
  expect([undefined, 'new/other/x', '/do/0/x'].map(askedVariable)).toEqual([undefined, undefined, undefined])
})
