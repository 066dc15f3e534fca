import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { parseChallenges } from '#effects/http/authentication/challenge.ts'
import { prepareCall } from './arguments.ts'
import { encodeBody } from './body.ts'
import { parseContent } from './content.ts'
import { parseHeaders } from './headers.ts'
import { HttpCallError } from './http-call-error.ts'
import { createTextMask } from '#core/secret-mask.ts'
import { parseMediaType } from './media-type.ts'
import { addQuery, expandUriTemplate } from './url.ts'
import { parseRetryAfter } from './retry-after.ts'

// Laws for every input, hostile ones included.

const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const wild = fc.oneof(text, fc.string({ unit: 'binary', maxLength: 40 }))
const json = fc.jsonValue({ maxDepth: 4 }).map((value): Json => JSON.parse(JSON.stringify(value)))

/** The value, or undefined for what is refused in the way that a workflow can catch; everything else is a bug. */
function orRefused<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof HttpCallError) return undefined
    throw error
  }
}

describe('addresses', () => {
  test('a variable in the path is one segment, which decodes to its value', () => {
    fc.assert(
      fc.property(text, (value) => {
        const expanded = orRefused(() => expandUriTemplate('http://h.test/a/{v}/b', { v: value }))
        const segments = new URL(expanded ?? 'http://h.test/a/refused/b').pathname.split('/')
        expect(segments).toHaveLength(4)
        if (expanded === undefined) expect(['', '.', '..']).toContain(value)
        else expect(decodeURIComponent(segments[2] ?? '')).toBe(value)
      }),
    )
  })

  test('a variable never changes host, port or scheme', () => {
    fc.assert(
      fc.property(wild, wild, (path, query) => {
        const expanded = orRefused(() => expandUriTemplate('https://h.test:8443/{path}?q={query}', { path, query }))
        expect(expanded === undefined ? 'refused' : new URL(expanded).origin).toMatch(/^(refused|https:\/\/h\.test:8443)$/)
      }),
    )
  })

  test('query parameters come out as they went in', () => {
    fc.assert(
      fc.property(fc.dictionary(text, fc.array(text, { minLength: 1, maxLength: 3 })), (query) => {
        const url = new URL('http://h.test/')
        addQuery(url, query)
        const expected = Object.entries(query).flatMap(([name, values]) => values.map((value) => [name, value]))
        expect([...url.searchParams]).toEqual(expected)
      }),
    )
  })
})

describe('headers', () => {
  test('whatever is accepted, the runtime accepts as well', () => {
    fc.assert(
      fc.property(wild, wild, (name, value) => {
        const headers = orRefused(() => parseHeaders({ [name]: value }))
        if (headers === undefined) return
        for (const [key, header] of headers) expect(new Headers([[key, header ?? '']]).get(key)).toBe(header)
      }),
    )
  })

  test('no value has a line break', () => {
    const injecting = fc.tuple(wild, fc.constantFrom('\r', '\n', '\r\n', '\0'), wild).map((parts) => parts.join(''))
    fc.assert(
      fc.property(injecting, (value) => {
        const header = orRefused(() => parseHeaders({ 'x-a': value }))?.get('x-a')
        expect(header ?? '').not.toMatch(/[\r\n\0]/)
      }),
    )
  })
})

describe('bodies', () => {
  const fields = fc.dictionary(text, text, { maxKeys: 5 })

  test('JSON goes there and back', () => {
    fc.assert(
      fc.property(json, (value) => {
        const encoded = encodeBody([value], undefined, () => 'b')
        expect(parseContent(Buffer.from(encoded?.body ?? ''), encoded?.contentType)).toEqual(JSON.parse(JSON.stringify([value])))
      }),
    )
  })

  test('a form goes there and back', () => {
    fc.assert(
      fc.property(fields, (form) => {
        const encoded = encodeBody(form, 'application/x-www-form-urlencoded', () => 'b')
        expect([...new URLSearchParams(String(encoded?.body))]).toEqual(Object.entries(form))
      }),
    )
  })

  test('a multipart body goes there and back', async () => {
    const names = fc.dictionary(
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }).filter((name) => !name.includes('%')),
      text,
      { maxKeys: 4 },
    )
    await fc.assert(
      fc.asyncProperty(names, async (form) => {
        const encoded = encodeBody(form, 'multipart/form-data', () => 'boundary-that-no-text-has')
        const headers = { 'content-type': encoded?.contentType ?? '' }
        const read = await new Response(Buffer.from(encoded?.body ?? ''), { headers }).formData()
        expect([...read.keys()].length).toBe(Object.keys(form).length)
        for (const [name, value] of Object.entries(form)) expect(read.get(name)).toBe(value)
      }),
      { numRuns: 50 },
    )
  })

  test('any bytes of any type are read, or refused as a reply that is wrong', () => {
    const types = fc.oneof(fc.constantFrom('application/json', 'text/plain; charset=utf-16', 'image/png', 'text/html; charset="x"'), wild)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), types, (body, type) => {
        const content = orRefused(() => parseContent(body, type))
        expect(() => JSON.stringify(content ?? null)).not.toThrow()
      }),
    )
  })
})

describe('nothing that comes in throws what is not an error of the call', () => {
  const context = { idempotencyKey: 'k', uriVariables: { a: 1 }, randomId: () => 'r' }

  test('arguments of any shape', () => {
    fc.assert(
      fc.property(json, (args) => {
        expect(() => orRefused(() => prepareCall(args, context))).not.toThrow()
      }),
    )
  })

  test('arguments of nearly the right shape', () => {
    const args = fc.record(
      {
        method: fc.oneof(fc.constantFrom('get', 'post'), json),
        endpoint: fc.oneof(fc.constantFrom('http://h.test/{a}', 'http://h.test'), fc.webUrl(), json),
        headers: fc.oneof(fc.dictionary(text, json), json),
        query: fc.oneof(fc.dictionary(text, json), json),
        body: json,
        output: fc.oneof(fc.constantFrom('raw', 'content', 'response'), json),
        redirect: fc.oneof(fc.boolean(), json),
      },
      { requiredKeys: ['method', 'endpoint'] },
    )
    fc.assert(
      fc.property(args, (given) => {
        expect(() => orRefused(() => prepareCall(given, context))).not.toThrow()
      }),
    )
  })

  test('challenges, types and waits of any text', () => {
    fc.assert(
      fc.property(wild, (header) => {
        expect(Array.isArray(parseChallenges(header))).toBe(true)
        parseMediaType(header)
        const wait = parseRetryAfter(header, 0)
        if (wait !== undefined) expect(wait).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('secrets', () => {
  test('no secret is left in what is reported, however it is surrounded', () => {
    const secret = fc
      .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 20 })
      .filter((value) => !'***'.repeat(7).includes(value) && !value.includes('*'))
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), text, (secrets, around) => {
        const report = createTextMask(secrets).text(secrets.map((one) => `${around}${one}${encodeURIComponent(one)}`).join(around))
        for (const one of secrets) expect(report.includes(one) && !around.includes(one)).toBe(false)
      }),
    )
  })

  test('no short secret is left as a word of its own', () => {
    const secret = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_&'), minLength: 4, maxLength: 7 })
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(' ', '"', '/', '=', '%20', '\\n'),
        (secrets, around) => {
          const report = createTextMask(secrets).text(secrets.map((one) => `${around}${one}${around}`).join(' '))
          for (const one of secrets) expect(report.split(/[^\w&*-]+/)).not.toContain(one)
        },
      ),
    )
  })

  test('text without secrets is left alone', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(createTextMask(['never-in-any-text-of-these']).text(value)).toBe(value)
      }),
    )
  })
})
