import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, test } from 'vitest'
import { isCommonPassword, judgePassword } from './password-policy.ts'

const accepted = (password: string, about: readonly string[] = []) => judgePassword(password, about).length === 0

test('seven characters are too few and eight are enough (ASVS 6.2.1)', () => {
  expect(judgePassword('xkqvwzj', [])).toEqual([expect.stringContaining('at least 8')])
  expect(accepted('xkqvwzjf')).toBe(true)
})

test('characters count as people see them, not as UTF-16 does', () => {
  expect(accepted('🦊🐻🐼🐨')).toBe(false)
  expect(accepted('🦊🐻🐼🐨🐯🦁🐮🐷')).toBe(true)
})

test('no kind of character is demanded or forbidden (ASVS 6.2.5)', () => {
  for (const password of ['aqzwkxvjhm', '8302759164', '¡¿§±×÷«»†‡', 'гора летит', '        spaces        ', 'ẑ̷͎̥a̸l̶g̴o̵ text'])
    expect(accepted(password)).toBe(true)
})

test('64 and 256 characters are accepted, and more are not (ASVS 6.2.9)', () => {
  expect(accepted('k7 q'.repeat(16))).toBe(true)
  expect(accepted('🦊🐻🐼🐨'.repeat(64))).toBe(true)
  expect(accepted(`${'🦊🐻🐼🐨'.repeat(64)}🦊`)).toBe(false)
})

test.each(['aaaaaaaaaaaa', '        ', 'abababababab', 'AaBbAaBbAaBb', '111222111222', '🦊🐻🐼'.repeat(5)])(
  '%j has fewer than four different characters and is refused',
  (password) => {
    expect(judgePassword(password, [])).toEqual([expect.stringContaining('at least 4 different')])
  },
)

test('the list of common passwords has at least 3,000 that the other rules would let through (ASVS 6.2.4)', () => {
  const long = dictionary['passwords-common'].filter((entry) => [...entry].length >= 8)
  expect(long.length).toBeGreaterThanOrEqual(3000)
  for (const entry of long) expect(isCommonPassword(entry)).toBe(true)
})

test('a common password is refused in any case', () => {
  for (const password of ['iloveyou', 'ILoveYou', 'QWERTYUIOP', '1234567890']) expect(accepted(password)).toBe(false)
})

test('a password that is little more than a word of the user or the product is refused (ASVS 6.2.11)', () => {
  const about = ['ada.lovelace@analytical.example', 'Ada Lovelace', 'Analytical Engines']
  for (const password of [
    'lovelace1815',
    'Ada.Lovelace1',
    'ANALYTICAL!!',
    'AnalyticalEngines1',
    'millrace2026',
    'MillraceMillrace1',
    'adalovelace@1',
  ])
    expect(judgePassword(password, about)).toEqual([expect.stringContaining('easy to guess')])
  for (const password of ['lovelace swims in winter', 'xkqvwzjf lovelace', 'millrace, horse, battery'])
    expect(accepted(password, about)).toBe(true)
})

test('short words of the user, which are in everything, refuse nothing', () => {
  expect(accepted('adamantly blue', ['ad@x.io', 'Ad A'])).toBe(true)
})

test('half a character is refused, since every half is hashed alike', () => {
  expect(accepted(`xkqvwzjf\ud800`)).toBe(false)
})
