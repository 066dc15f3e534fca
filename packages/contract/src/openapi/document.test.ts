import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { errorsOf, pathParameters } from '#src/derived.ts'
import { errorCatalogue } from '#src/errors.ts'
import { groups } from '#src/groups/index.ts'
import { alias, type AnyOperation, operation } from '#src/operation.ts'
import { interfaceVersion, toOpenApi } from './document.ts'

const document = toOpenApi(groups)
const operations = Object.values(groups).flatMap((group) => Object.values(group))

/** Everything that a person or program can follow: references must resolve. */
function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => (key === '$ref' && typeof member === 'string' ? [member] : referencesIn(member)))
}

function at(pointer: string, root: unknown = document): unknown {
  let node = root
  for (const token of pointer.slice(2).split('/'))
    node = typeof node === 'object' && node !== null ? Reflect.get(node, token.replaceAll('~1', '/')) : undefined
  return node
}

describe('the published description', () => {
  test('is OpenAPI 3.1 of interface version 7.0.0, and no server repeats the prefix of the paths', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.version).toBe(interfaceVersion)
    for (const server of document.servers) expect(server.url).not.toContain('/api/v1')
  })

  test('defines every schema that it references', () => {
    const references = new Set(referencesIn(document))
    expect(references.size).toBeGreaterThan(10)
    expect([...references].filter((reference) => at(reference) === undefined)).toEqual([])
  })

  test('describes every form in which events are accepted, and the headers of the binary one', () => {
    const publish = at('#/paths/~1api~1v1~1events/post')
    const content = at('#/requestBody/content', publish)
    expect(Object.keys(Object(content))).toEqual([
      'application/json',
      'application/cloudevents+json',
      'application/cloudevents-batch+json',
      '*/*',
    ])
    expect(Reflect.get(Object(content), 'application/cloudevents+json')).toEqual({ schema: { $ref: '#/components/schemas/CloudEvent' } })
    const names = z
      .array(z.looseObject({ name: z.string().optional() }))
      .parse(at('#/parameters', publish))
      .map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['ce-specversion', 'ce-id', 'ce-source', 'ce-type']))
  })

  test.each(operations.map((op) => [op.id, op] as const))(
    '%s: every error by status with an example, parameters, rate class, request id',
    (_, op) => {
      const described = document.paths[op.path]?.[op.method.toLowerCase()]
      expect(described).toMatchObject({
        operationId: op.id,
        summary: op.summary,
        'x-rate-limit-class': op.rateLimit,
        'x-stability': op.stability,
      })
      for (const code of errorsOf(op)) {
        const { status } = errorCatalogue[code]
        expect(described?.responses).toMatchObject({
          [status]: { content: { 'application/problem+json': { examples: { [code]: { $ref: `#/components/examples/${code}` } } } } },
        })
      }
      const examples = document.components.examples ?? {}
      for (const code of errorsOf(op)) expect(examples[code]).toMatchObject({ value: { code, status: errorCatalogue[code].status } })
      expect(described?.responses).toMatchObject({ 200: { headers: { 'X-Request-ID': {}, 'RateLimit-Remaining': {} } } })
      const names = Array.isArray(described?.parameters) ? described.parameters.map((parameter: { name?: string }) => parameter.name) : []
      expect(names).toEqual(expect.arrayContaining([...pathParameters(op)]))
    },
  )

  test.each(operations.map((op) => [op.id, op] as const))(
    '%s: the examples of its body and its response match their schemas',
    (_, op: AnyOperation) => {
      const described = document.paths[op.path]?.[op.method.toLowerCase()]
      const exampleAt = (part: unknown) => at(`#/content/application~1json/example`, part)
      const answered = at(`#/responses/200/content/${(op.media ?? 'application/json').replace('/', '~1')}/example`, described)
      expect(op.reply.safeParse(answered).error).toBeUndefined()
      expect(op.body?.safeParse(exampleAt(at('#/requestBody', described))).error).toBeUndefined()
    },
  )

  test('shows a member with a default as optional in requests and as present in responses', () => {
    const Body = z.object({ size: z.int().default(3) }).meta({ id: 'TestSized' })
    const op = operation({
      id: 'test.sized',
      method: 'POST',
      path: '/sized',
      summary: 'x',
      stability: 'beta',
      auth: 'public',
      rateLimit: 'default',
      flag: 'isSized',
      audit: 'none',
      idempotency: 'keyed',
      body: Body,
      reply: Body,
      errors: [],
    })
    const described = toOpenApi({ test: { op, again: alias(op, { id: 'test.again', path: '/again' }) } })
    const schemas = described.components.schemas
    expect(schemas).toMatchObject({ TestSized: expect.anything(), TestSizedInput: expect.anything() })
    const required = JSON.stringify([schemas?.TestSized, schemas?.TestSizedInput])
    expect(required.match(/"required":\["size"\]/g)).toHaveLength(1)
    expect(described.paths['/sized']?.post).toMatchObject({ 'x-feature-flag': 'isSized', security: [] })
    expect(described.paths['/again']?.post).toMatchObject({ operationId: 'test.again', 'x-alias-of': 'test.sized' })
  })
})
