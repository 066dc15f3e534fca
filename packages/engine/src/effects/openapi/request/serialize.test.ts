import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import type { Parameter, ParameterPlace, Serialization, Style } from '#effects/openapi/operation/operation.ts'
import { headerText, pathText, queryPairs } from './serialize.ts'

// The table "Style Examples" of OpenAPI 3.0.4 and 3.1.1, row by row.

const text = 'blue'
const list = ['blue', 'black', 'brown']
const object = { R: 100, G: 200, B: 150 }

function parameter(place: ParameterPlace, style: Style, explode: boolean): Parameter {
  return { name: 'color', in: place, required: true, serialization: { kind: 'style', style, explode, allowReserved: false } }
}

describe('a parameter of the path', () => {
  test.each<[Style, boolean, string, string, string, string]>([
    ['matrix', false, ';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['matrix', true, ';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['label', false, '.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label', true, '.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['simple', false, '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ])('is written in the style %s, explode %s, as OpenAPI has it', (style, explode, empty, one, several, fields) => {
    const color = parameter('path', style, explode)
    expect([pathText(color, ''), pathText(color, text), pathText(color, list), pathText(color, object)]).toEqual([
      empty,
      one,
      several,
      fields,
    ])
  })

  test.each<[Style, Json, string]>([
    ['simple', 'a/b', 'a%2Fb'],
    ['simple', '?a=b#c', '%3Fa%3Db%23c'],
    ['simple', ['a,b', 'c'], 'a%2Cb,c'],
    ['simple', { 'k,1': 'v,1' }, 'k%2C1,v%2C1'],
    ['label', 'a.b/c', '.a.b%2Fc'],
    ['matrix', 'a;b=c', ';color=a%3Bb%3Dc'],
    ['simple', "!'()*", '%21%27%28%29%2A'],
    ['simple', '\ud800', '%EF%BF%BD'],
    ['simple', 'ü', '%C3%BC'],
    ['simple', '%2F', '%252F'],
  ])('in the style %s cannot get out of its place with %j', (style, value, written) => {
    expect(pathText(parameter('path', style, false), value)).toBe(written)
  })

  test.each<[Json, string]>([
    [1, '1'],
    [-1.5, '-1.5'],
    [true, 'true'],
    [false, 'false'],
    [[1, true, null, 'x'], '1,true,x'],
    [{ a: 1, b: null, c: false }, 'a,1,c,false'],
  ])('writes %j as text', (value, written) => {
    expect(pathText(parameter('path', 'simple', false), value)).toBe(written)
  })
})

describe('a parameter of the query', () => {
  test.each<[Style, boolean, string | undefined, string, string | undefined]>([
    ['form', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
    ['form', true, 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
    ['spaceDelimited', false, 'color=blue', 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
    ['pipeDelimited', false, 'color=blue', 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
    ['deepObject', true, 'color=blue', 'color=blue&color=black&color=brown', 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    // Swagger 2.0's tsv.
    ['tabDelimited', false, 'color=blue', 'color=blue%09black%09brown', 'color=R%09100%09G%09200%09B%09150'],
  ])('is written in the style %s, explode %s, as OpenAPI has it', (style, explode, one, several, fields) => {
    const { serialization } = parameter('query', style, explode)
    const write = (value: Json) => queryPairs('color', serialization, value).join('&')
    expect([write(text), write(list), write(object)]).toEqual([one, several, fields])
  })

  test.each<Style>(['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'])(
    'in the style %s is there without a text when it is empty',
    (style) => {
      expect(queryPairs('color', parameter('query', style, false).serialization, '')).toEqual(['color='])
    },
  )

  test.each<[Style, boolean, Json]>([
    ['form', true, []],
    ['form', false, []],
    ['form', true, {}],
    ['form', false, {}],
    ['form', true, [null]],
    ['pipeDelimited', false, []],
    ['deepObject', true, {}],
    ['deepObject', true, { a: null }],
  ])('in the style %s, explode %s, is not there when %j has nothing in it', (style, explode, value) => {
    expect(queryPairs('color', parameter('query', style, explode).serialization, value)).toEqual([])
  })

  test.each<[Json, string]>([
    ['a&b=c', 'color=a%26b%3Dc'],
    [['a,b', 'c&d'], 'color=a%2Cb,c%26d'],
    ['a b+c', 'color=a%20b%2Bc'],
    ['#', 'color=%23'],
    [{ 'a&x': 'b' }, 'color=a%26x,b'],
  ])('cannot become another with %j', (value, written) => {
    expect(queryPairs('color', parameter('query', 'form', false).serialization, value)).toEqual([written])
  })

  test('has its own name encoded', () => {
    expect(queryPairs('filter[a]&b', parameter('query', 'form', true).serialization, 'x')).toEqual(['filter%5Ba%5D%26b=x'])
  })

  test.each<[Json, string[]]>([
    [{ a: { b: 1 } }, ['filter%5Ba%5D%5Bb%5D=1']],
    [{ a: ['x', 'y'] }, ['filter%5Ba%5D=x', 'filter%5Ba%5D=y']],
    [{ a: { b: ['x', null] }, c: null, d: true }, ['filter%5Ba%5D%5Bb%5D=x', 'filter%5Bd%5D=true']],
    [{ 'k&l': 'a=b' }, ['filter%5Bk%26l%5D=a%3Db']],
  ])('in the style deepObject carries %j', (value, pairs) => {
    expect(queryPairs('filter', parameter('query', 'deepObject', true).serialization, value)).toEqual(pairs)
  })

  test.each<[string, string]>([
    [`:/?@!$'()*,;=`, `color=:/?@!$'()*,;=`],
    ['[x]', 'color=[x]'],
    ['a b', 'color=a%20b'],
    ['a%20b', 'color=a%20b'],
    ['100%', 'color=100%25'],
    ['a&b#c+d', 'color=a%26b%23c%2Bd'],
    ['üñ', 'color=%C3%BC%C3%B1'],
    ['"<>\\^`{|}', 'color=%22%3C%3E%5C%5E%60%7B%7C%7D'],
  ])('that may have reserved characters has those of %j that do not end it', (value, written) => {
    const serialization: Serialization = { kind: 'style', style: 'form', explode: true, allowReserved: true }
    expect(queryPairs('color', serialization, value)).toEqual([written])
  })
})

describe('a header', () => {
  test.each<[Style, boolean, Json, string]>([
    ['simple', false, text, 'blue'],
    ['simple', false, list, 'blue,black,brown'],
    ['simple', false, object, 'R,100,G,200,B,150'],
    ['simple', true, list, 'blue,black,brown'],
    ['simple', true, object, 'R=100,G=200,B=150'],
    ['simple', false, 'a b/ü', 'a b/ü'],
    ['spaceDelimited', false, list, 'blue black brown'],
    ['tabDelimited', false, list, 'blue\tblack\tbrown'],
    ['pipeDelimited', false, list, 'blue|black|brown'],
  ])('in the style %s, explode %s, has the value of %j', (style, explode, value, written) => {
    expect(headerText(parameter('header', style, explode), value)).toBe(written)
  })
})

describe('a parameter with a media type', () => {
  const json: Serialization = { kind: 'content', mediaType: 'application/json' }
  const plain: Serialization = { kind: 'content', mediaType: 'text/plain' }
  const at = (place: ParameterPlace, serialization: Serialization): Parameter => ({ name: 'p', in: place, required: true, serialization })

  test('of JSON carries any value wherever it stands', () => {
    const value = { a: [1, { b: 'ü' }] }
    const encoded = encodeURIComponent(JSON.stringify(value))
    expect(queryPairs('p', json, value)).toEqual([`p=${encoded}`])
    expect(pathText(at('path', json), value)).toBe(encoded)
    expect(headerText(at('header', json), value)).toBe(JSON.stringify(value))
  })

  test('of JSON has quotes around a text', () => {
    expect(queryPairs('p', json, 'x')).toEqual(['p=%22x%22'])
  })

  test('of another type carries text as it is, and no object', () => {
    expect(queryPairs('p', plain, 'a b')).toEqual(['p=a%20b'])
    expect(() => queryPairs('p', plain, { a: 1 })).toThrow('"p" has an object inside it')
  })
})

describe('what no style can carry is refused with the name of the parameter', () => {
  test.each<[Style, Json, string]>([
    ['simple', [[1]], 'a list'],
    ['simple', { a: { b: 1 } }, 'an object'],
    ['label', { a: [1] }, 'a list'],
    ['matrix', [{ a: 1 }], 'an object'],
  ])('in the path, %s, %j', (style, value, what) => {
    expect(() => pathText(parameter('path', style, true), value)).toThrow(`The parameter "color" has ${what} inside it`)
  })

  test.each<[Style, Json]>([
    ['form', [{ a: 1 }]],
    ['form', { a: { b: 1 } }],
    ['pipeDelimited', [[1]]],
    ['deepObject', { a: [{ b: 1 }] }],
    ['deepObject', [[1]]],
  ])('in the query, %s, %j', (style, value) => {
    expect(() => queryPairs('color', parameter('query', style, true).serialization, value)).toThrow('The parameter "color" has')
  })
})
