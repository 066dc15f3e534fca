import { describe, expect, test } from 'vitest'
import { digestResponse, isSupported, strengthOf } from './digest-response.ts'

const request = { method: 'GET', uri: '/dir/index.html', body: '' }
const mufasa = { username: 'Mufasa', password: 'Circle of Life' }

/** The fields of an `Authorization: Digest`, unquoted. */
function fieldsOf(header: string): Record<string, string> {
  return Object.fromEntries(
    [...header.matchAll(/([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^,\s]+))/g)].map(([, name = '', quoted, bare = '']) => [name, quoted ?? bare]),
  )
}

describe('the examples of the standards', () => {
  const rfc7616 = {
    realm: 'http-auth@example.org',
    qop: 'auth, auth-int',
    nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
    opaque: 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS',
  }
  const use = { count: 1, clientNonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ' }

  test.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('RFC 7616, section 3.9.1, %s', (algorithm, response) => {
    expect(fieldsOf(digestResponse({ ...rfc7616, algorithm }, mufasa, request, use))).toEqual({
      username: 'Mufasa',
      realm: rfc7616.realm,
      uri: '/dir/index.html',
      algorithm,
      nonce: rfc7616.nonce,
      nc: '00000001',
      cnonce: use.clientNonce,
      qop: 'auth',
      response,
      opaque: rfc7616.opaque,
    })
  })

  test('RFC 7616, section 3.9.2 as corrected by erratum 4897: SHA-512-256, a user name that is hashed and not ASCII', () => {
    const challenge = {
      realm: 'api@example.org',
      qop: 'auth',
      algorithm: 'SHA-512-256',
      nonce: '5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK',
      opaque: 'HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS',
      charset: 'UTF-8',
      userhash: 'true',
    }
    const credentials = { username: 'Jäsøn Doe', password: 'Secret, or not?' }
    const signed = digestResponse(
      challenge,
      credentials,
      { ...request, uri: '/doe.json' },
      { count: 1, clientNonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v' },
    )
    expect(fieldsOf(signed)).toMatchObject({
      username: '793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b',
      userhash: 'true',
      response: '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5',
    })
  })

  test('RFC 2617, section 3.5', () => {
    const challenge = {
      realm: 'testrealm@host.com',
      qop: 'auth,auth-int',
      nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
      opaque: '5ccc069c403ebaf9f0171e9517f40e41',
    }
    const signed = digestResponse(challenge, { username: 'Mufasa', password: 'Circle Of Life' }, request, {
      count: 1,
      clientNonce: '0a4f113b',
    })
    expect(fieldsOf(signed)['response']).toBe('6629fae49393a05397450978507c4ef1')
    expect(fieldsOf(signed)).not.toHaveProperty('algorithm')
  })
})

describe('variants', () => {
  const use = { count: 255, clientNonce: 'abc' }
  const base = { realm: 'r', nonce: 'n' }

  test('without qop there is no count and no client nonce, as before RFC 2617', () => {
    const fields = fieldsOf(digestResponse(base, mufasa, request, use))
    expect(Object.keys(fields).toSorted()).toEqual(['nonce', 'realm', 'response', 'uri', 'username'])
  })

  test('a session algorithm depends on the client nonce', () => {
    const challenge = { ...base, algorithm: 'MD5-sess' }
    const first = fieldsOf(digestResponse(challenge, mufasa, request, use))
    const second = fieldsOf(digestResponse(challenge, mufasa, request, { ...use, clientNonce: 'abd' }))
    expect(first['cnonce']).toBe('abc')
    expect(first['response']).not.toBe(second['response'])
  })

  test('auth-int covers the body', () => {
    const challenge = { ...base, qop: 'auth-int' }
    const sign = (body: string | Uint8Array): string | undefined =>
      fieldsOf(digestResponse(challenge, mufasa, { ...request, body }, use))['response']
    expect(sign('a')).not.toBe(sign('b'))
    expect(sign('a')).toBe(sign(Buffer.from('a')))
  })

  test('the count is eight hexadecimal digits', () => {
    expect(fieldsOf(digestResponse({ ...base, qop: 'auth' }, mufasa, request, use))['nc']).toBe('000000ff')
  })

  test('a user name that is not ASCII is percent-encoded', () => {
    const fields = fieldsOf(digestResponse(base, { username: 'Jäsøn Doe', password: 'x' }, request, use))
    expect(fields['username*']).toBe("UTF-8''J%C3%A4s%C3%B8n%20Doe")
    expect(fields).not.toHaveProperty('username')
  })

  test('quotes and backslashes in a user name stay inside it', () => {
    expect(digestResponse(base, { username: 'a"\\b', password: 'x' }, request, use)).toContain(String.raw`username="a\"\\b"`)
  })
})

describe('what can be answered', () => {
  test.each([
    {},
    { algorithm: 'MD5' },
    { algorithm: 'sha-256' },
    { algorithm: 'SHA-512-256-sess', qop: 'auth' },
    { qop: 'auth-int' },
    { qop: 'other, auth' },
    { qop: 'AUTH' },
  ])('%j can', (params) => {
    expect(isSupported(params)).toBe(true)
  })

  test.each([{ algorithm: 'SHA3' }, { algorithm: 'toString' }, { algorithm: '' }, { qop: 'other' }, { qop: '' }])('%j cannot', (params) => {
    expect(isSupported(params)).toBe(false)
  })

  test('a stronger algorithm is better', () => {
    const strengths = [{}, { algorithm: 'SHA-256' }, { algorithm: 'SHA-512-256' }].map(strengthOf)
    expect(strengths).toEqual(strengths.toSorted((a, b) => a - b))
    expect(new Set(strengths).size).toBe(3)
  })
})
