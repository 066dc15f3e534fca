import { expect, test } from 'vitest'
import { createMask } from './mask.ts'

test('a secret is taken out wherever it stands', () => {
  expect(createMask(['hunter2']).text('hunter2 and again hunter2!')).toBe('*** and again ***!')
})

test('a secret added later is taken out too', () => {
  const mask = createMask([])
  mask.add('hunter2')
  expect(mask.text('a hunter2 b')).toBe('a *** b')
})

test.each([
  ['percent-encoded', encodeURIComponent('p&ss wörd')],
  ['form-encoded', 'p%26ss+w%C3%B6rd'],
  ['base64', Buffer.from('p&ss wörd').toString('base64')],
])('the %s form is taken out', (_, form) => {
  expect(createMask(['p&ss wörd']).text(`x ${form} y`)).toBe('x *** y')
})

test('a secret that contains another leaves no rest behind', () => {
  expect(createMask(['abcd', 'abcdefgh']).text('abcdefgh')).toBe('***')
  expect(createMask(['abcdefgh', 'abcd']).text('abcdefgh')).toBe('***')
})

test('characters that mean something in patterns and replacements are plain', () => {
  expect(createMask(['a.*b$&']).text('axxb a.*b$& $&')).toBe('axxb *** $&')
})

test('values of under four characters are left: masking them would tell them', () => {
  expect(createMask(['a', '', 'cat']).text('a cat sat')).toBe('a cat sat')
})

test('a secret with a lone surrogate does not fail the report', () => {
  expect(createMask(['abc\ud800def']).text('nothing')).toBe('nothing')
})
