import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { expect, test } from 'vitest'
import { parseChallenges } from './challenge.ts'

test('schemes with their parameters, quoted or not', () => {
  expect(parseChallenges('Digest realm="a b", qop="auth,auth-int", algorithm=SHA-256, stale=TRUE, nonce="x=="')).toEqual([
    { scheme: 'digest', params: { realm: 'a b', qop: 'auth,auth-int', algorithm: 'SHA-256', stale: 'TRUE', nonce: 'x==' } },
  ])
})

test('several challenges in one header, and several headers joined to one', () => {
  expect(parseChallenges('Basic realm="simple", Newauth realm="apps", type=1, title="Login to \\"apps\\"", Negotiate, Bearer')).toEqual([
    { scheme: 'basic', params: { realm: 'simple' } },
    { scheme: 'newauth', params: { realm: 'apps', type: '1', title: 'Login to "apps"' } },
    { scheme: 'negotiate', params: {} },
    { scheme: 'bearer', params: {} },
  ])
})

test('a scheme with a token instead of parameters', () => {
  expect(parseChallenges('Negotiate YIIab+/=, Digest nonce="n"')).toEqual([
    { scheme: 'negotiate', params: {} },
    { scheme: 'digest', params: { nonce: 'n' } },
  ])
})

test('odd spacing, empty elements and commas within quotes', () => {
  expect(parseChallenges(' ,, Digest  realm = "a, b" ,, nonce= "n" ,')).toEqual([
    { scheme: 'digest', params: { realm: 'a, b', nonce: 'n' } },
  ])
})

test.each(['', ' ', '"', '=', '"abc', ', ,'])('%j has none', (header) => {
  expect(parseChallenges(header)).toEqual([])
})

test('what cannot be read ends the list and keeps what came before', () => {
  expect(parseChallenges('Digest realm="a", nonce="n", "broken')).toEqual([{ scheme: 'digest', params: { realm: 'a', nonce: 'n' } }])
})

test('a parameter named __proto__ is a parameter', () => {
  expect(parseChallenges('Digest __proto__="x", nonce="n"')[0]?.params['nonce']).toBe('n')
})

test('a hostile header of 64 kB is read in no time', () => {
  const started = startProcessorTime()
  parseChallenges(`Digest ${'a="\\"'.repeat(16_000)}`)
  parseChallenges(`Digest a${' '.repeat(64_000)}b`)
  parseChallenges('a '.repeat(32_000))
  expect(started()).toBeLessThan(1_000)
})
