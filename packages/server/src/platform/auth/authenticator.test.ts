import { expect, test } from 'vitest'
import { bearerOf } from './authenticator.ts'

test('the scheme is read in any case, as HTTP has it', () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) expect(bearerOf(`${scheme} abc.def-_~+/==`)).toBe('abc.def-_~+/==')
})

test('other schemes, several values and control characters are no credential', () => {
  for (const header of ['', 'Bearer', 'Bearer ', 'Basic abc', 'Bearerabc', 'Bearer a b', 'Bearer a,b', 'Bearer a\u0000', 'Bearer =', 'abc'])
    expect(bearerOf(header)).toBeUndefined()
})
