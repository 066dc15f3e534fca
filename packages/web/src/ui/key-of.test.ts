import { expect, test } from 'vitest'
import { keyOf } from './key-of.ts'

test.each([
  ['a Latin keyboard', 'k', 'KeyK', false, 'k'],
  ['a capital letter', 'Z', 'KeyZ', true, 'Z'],
  ['a Latin keyboard with other places', 'z', 'KeyY', false, 'z'],
  ['an Arabic keyboard', 'ن', 'KeyK', false, 'k'],
  ['an Arabic keyboard with Shift', '~', 'KeyZ', true, '~'],
  ['another letter of the Arabic keyboard', 'ئ', 'KeyZ', false, 'z'],
  ['a Russian keyboard with Shift', 'Я', 'KeyZ', true, 'Z'],
  ['the slash of an Arabic keyboard', 'ظ', 'Slash', false, '/'],
  ['a key with a name', 'ArrowDown', 'ArrowDown', false, 'ArrowDown'],
  ['a letter of several characters', 'لا', 'KeyB', false, 'b'],
])('a press on %s', (_name, key, code, shiftKey, known) => {
  expect(keyOf({ key, code, shiftKey })).toBe(known)
})
