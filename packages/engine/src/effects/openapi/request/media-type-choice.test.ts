import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import type { BodyContent } from '#effects/openapi/operation/operation.ts'
import { chooseContent } from './media-type-choice.ts'

const properties = { object: true, names: new Set<string>(), open: true, files: new Set<string>() }
const contents = (types: readonly string[]): BodyContent[] =>
  types.map((mediaType) => ({ mediaType, properties, required: [], encodings: new Map() }))
const choose = (types: readonly string[], asked?: string, value?: Json) => {
  const chosen = chooseContent(contents(types), asked, value)
  return chosen === undefined ? undefined : [chosen.mediaType, chosen.content.mediaType]
}

describe('of its own accord', () => {
  const order = [
    'application/json',
    'application/problem+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'text/plain',
    'application/octet-stream',
  ]

  test.each(order.map((type, index) => [type, order.slice(index)] as const))('%s goes before the rest of the order', (type, rest) => {
    expect(choose(rest)).toEqual([type, type])
    expect(choose(rest.toReversed())).toEqual([type, type])
  })

  test('the first of equals is taken', () => {
    expect(choose(['image/png', 'image/gif'])).toEqual(['image/png', 'image/png'])
    expect(choose(['application/b+json', 'application/a+json'])).toEqual(['application/b+json', 'application/b+json'])
  })

  test('the case of a type does not count, and it is sent as the document writes it', () => {
    expect(choose(['text/plain', 'Application/JSON'])).toEqual(['Application/JSON', 'Application/JSON'])
  })

  test('of nothing nothing is chosen', () => {
    expect(choose([])).toBeUndefined()
  })

  test.each<[string, Json | undefined, string]>([
    ['*/*', { a: 1 }, 'application/json'],
    ['*/*', 'text', 'text/plain'],
    ['*/*', { base64: 'YQ==' }, 'application/octet-stream'],
    ['application/*', { base64: 'YQ==' }, 'application/octet-stream'],
    ['IMAGE/*', { base64: 'YQ==', contentType: 'image/PNG' }, 'image/png'],
  ])('a range, %s, becomes the type of %j', (range, value, type) => {
    expect(choose([range], undefined, value)).toEqual([type, range])
  })
})

describe('when it is asked for', () => {
  test.each([
    [['application/json', 'text/csv'], 'text/csv', 'text/csv'],
    [['application/json', 'text/csv'], 'TEXT/CSV; header=present', 'text/csv'],
    [['application/json; charset=utf-8'], 'application/json', 'application/json; charset=utf-8'],
    [['text/*', 'text/csv'], 'text/csv', 'text/csv'],
    [['text/*', '*/*'], 'text/csv', 'text/*'],
    [['*/*'], 'x-own/thing', '*/*'],
  ])('of %j, %s is that of %s, and is sent as it was asked for', (types, asked, content) => {
    expect(choose(types, asked)).toEqual([asked, content])
  })

  test.each([
    [['application/json'], 'text/csv'],
    [['text/*'], 'texts/csv'],
    [['text/*'], 'application/text'],
    [[], 'text/csv'],
  ])('of %j, %s is refused', (types, asked) => {
    expect(() => choose(types, asked)).toThrow(`does not take a body of type "${asked}"`)
  })
})
