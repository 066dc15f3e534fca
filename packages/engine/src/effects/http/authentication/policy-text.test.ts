import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { authorityUrl, optionalText, policyUrl, requiredText, section, textList } from './policy-text.ts'

describe('text', () => {
  test.each<[Json, string]>([
    ['abc', 'abc'],
    ['', ''],
    [1234, '1234'],
    [0, '0'],
  ])('%j is read as %j', (value, expected) => {
    expect(requiredText({ name: value }, 'basic', 'name')).toBe(expected)
    expect(optionalText({ name: value }, 'basic', 'name')).toBe(expected)
  })

  test.each<[Json]>([[null]])('%j counts as absent', (value) => {
    expect(optionalText({ name: value }, 'basic', 'name')).toBeUndefined()
    expect(optionalText({}, 'basic', 'name')).toBeUndefined()
    expect(() => requiredText({ name: value }, 'basic', 'name')).toThrow('"basic" authentication needs "name".')
    expect(() => requiredText({}, 'basic', 'name')).toThrow('"basic" authentication needs "name".')
  })

  test.each<[Json]>([[true], [{}], [['a']]])('%j is refused without being repeated', (value) => {
    expect(() => optionalText({ password: value }, 'basic', 'password')).toThrow(
      /^"password" of "basic" authentication must be a string\.$/,
    )
  })
})

describe('lists', () => {
  test.each<[Json, string[]]>([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [[], []],
    [null, []],
    ['a', ['a']],
  ])('%j is read as %j', (value, expected) => {
    expect(textList({ scopes: value }, 'oidc', 'scopes')).toEqual(expected)
  })

  test.each<[Json]>([[[1]], [{}], [[['a']]], [true]])('%j is refused', (value) => {
    expect(() => textList({ scopes: value }, 'oidc', 'scopes')).toThrow('"scopes" of "oidc" authentication must be a list of strings')
  })
})

describe('sections', () => {
  test('are objects, empty when absent', () => {
    expect(section({ client: { id: 'a' } }, 'oidc', 'client')).toEqual({ id: 'a' })
    expect(section({}, 'oidc', 'client')).toEqual({})
    expect(section({ client: null }, 'oidc', 'client')).toEqual({})
  })

  test.each<[Json]>([['a'], [[]], [1]])('%j is refused', (value) => {
    expect(() => section({ client: value }, 'oidc', 'client')).toThrow('"client" of "oidc" authentication must be an object')
  })
})

describe('addresses', () => {
  test('of an endpoint stay as they are, of an authority lose the slash at the end', () => {
    expect(policyUrl('a', 'https://id.test/token/')).toBe('https://id.test/token/')
    expect(authorityUrl('a', 'https://id.test/realm//')).toBe('https://id.test/realm')
    expect(authorityUrl('a', 'http://id.test')).toBe('http://id.test')
  })

  test.each(['', 'id.test', '/token', 'file:///etc/passwd', 'javascript:alert(1)', 'http://'])(
    '%j is refused with the name of the setting',
    (url) => {
      expect(() => policyUrl('oauth2.authority', url)).toThrow(expect.objectContaining({ kind: 'configuration' }))
      expect(() => authorityUrl('oauth2.authority', url)).toThrow(`"oauth2.authority" is ${JSON.stringify(url)}`)
    },
  )
})
