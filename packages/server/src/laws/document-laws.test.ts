import { canonicalYaml } from '@millrace/dsl'
import { definitions } from '@millrace/dsl/testing/arbitrary-definition.ts'
import { breaks, broken } from '@millrace/dsl/testing/breaking.ts'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Answer, createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

/** Laws of documents over HTTP: every fault of a document is reported with its position, and an accepted document is exported byte for byte. */

type Document = Readonly<Record<string, unknown>>

let server: TestServer
let account: TestAccount
let otherAccount: TestAccount
let existing: string
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
  otherAccount = await server.registerAccount()
  const definition = { document: { dsl: '1.0.3', namespace: 'laws', name: 'existing', version: '1.0.0' }, do: [{ a: { set: { a: 1 } } }] }
  existing = (await account.client.workflows.create({ body: { definition } })).id
})
afterAll(() => server.close())

const path = '/api/v1/workflows'
// A number of runs and no limit of time, so that a busy machine tests as much as a quiet one.
const bounds = { numRuns: inject('deep') ? 500 : 60, endOnFailure: true }
const timeout = inject('deep') ? 1_200_000 : 300_000
const yaml = { 'content-type': 'application/yaml' }

/** Every operation that accepts a document. */
const uploads = {
  createYaml: (text: string) => account.send('POST', path, text, yaml),
  createJson: (text: string) => account.send('POST', path, text),
  createMember: (text: string) => account.send('POST', path, { definition: text, publish: false }),
  updateYaml: (text: string) => account.send('PUT', `${path}/${existing}`, text, yaml),
  updateMember: (text: string) => account.send('PUT', `${path}/${existing}`, { definition: text, publish: false }),
  import: (text: string) =>
    account.send('POST', `${path}/import`, { export: { format: 'millrace/workflow', formatVersion: 1, document: text } }),
} as const
const anyUpload = fc.constantFrom(...Object.values(uploads))

let names = 0

/** The document under an unused name. */
function renamed(made: Document): Document {
  const document = made['document']
  return typeof document === 'object' && document !== null ? { ...made, document: { ...document, name: `law-${++names}` } } : made
}

/** Asserts that a document is accepted, or refused with a position for every diagnostic. */
function expectValidResponse({ status, body }: Answer, text: string): void {
  expect([200, 400, 409, 422], JSON.stringify(body)).toContain(status)
  for (const diagnostic of [...(body.diagnostics ?? []), ...(body.warnings ?? [])]) {
    expect(diagnostic).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/./) })
    expect(diagnostic.pointer).toMatch(/^(?:\/|$)/)
    expect(diagnostic.line).toBeGreaterThanOrEqual(1)
    expect(diagnostic.line).toBeLessThanOrEqual(text.split(/\r\n|\r|\n/).length)
    expect(diagnostic.column).toBeGreaterThanOrEqual(1)
  }
  if (status === 422) {
    expect(body.code).toBe('workflow_invalid')
    expect(body.diagnostics.length).toBeGreaterThan(0)
  }
  if (status === 400) expect(body).toMatchObject({ code: expect.stringMatching(/^(?:request_invalid|malformed_json)$/) })
  if (status === 409) expect(body).toMatchObject({ code: 'workflow_name_taken' })
}

test('a valid document is accepted, and an import of its export is exported byte for byte', { timeout }, async () => {
  let accepted = 0
  const syntaxes = fc.constantFrom('yaml', 'json')
  await fc.assert(
    fc.asyncProperty(definitions, syntaxes, fc.boolean(), async (made, syntax, asText) => {
      const document = renamed(made)
      const text = asText ? canonicalYaml(document) : JSON.stringify(document)
      const created = await uploads.createMember(text)
      expectValidResponse(created, text)
      // Functions that this installation does not have, or that take other arguments.
      if (created.status !== 200) {
        expect(['unknown_function', 'invalid_argument']).toEqual(expect.arrayContaining([...codesOf(created)]))
        return
      }
      accepted++
      const first = await exported(account, created.body.id, syntax)
      const imported = await otherAccount.send('POST', `${path}/import`, { export: first })
      expect([imported.status, imported.body.code]).toEqual([200, undefined])
      const second = await exported(otherAccount, imported.body.id, syntax)
      expect({ ...second, exportedAt: '' }).toEqual({ ...first, exportedAt: '' })
    }),
    // Six requests and two parsers for each document.
    { ...bounds, numRuns: inject('deep') ? 500 : 20 },
  )
  expect(accepted).toBeGreaterThan(5)
})

test('a broken document is refused with a position for every diagnostic by every operation', { timeout }, async () => {
  const seen = { accepted: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(
      definitions,
      fc.array(breaks, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      anyUpload,
      async (made, changes, flow, upload) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A broken document may be any value; `renamed` checks it.
        const document = renamed(changes.reduce(broken, made) as Document)
        const text = flow ? JSON.stringify(document) : canonicalYaml(document)
        const response = await upload(text)
        expectValidResponse(response, text)
        seen[response.status === 200 ? 'accepted' : 'refused']++
      },
    ),
    bounds,
  )
  // Both outcomes must occur, or the law proves little.
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(2)
})

/** Replaces a piece of a text. Positions are fractions of its length. */
const damages = fc.record({
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(40),
  piece: fc.oneof(
    fc.constantFrom(
      '',
      '\t',
      '\n',
      '"',
      "'",
      '${',
      '}',
      ': ',
      '- ',
      '&a ',
      '*a',
      '!!js ',
      '%YAML 1.1\n',
      '---\n',
      '\u0000',
      '\u2028',
      '\ud800',
      '<<: ',
    ),
    fc.string({ maxLength: 10 }),
    fc.string({ unit: 'binary', maxLength: 6 }),
  ),
})

test('a damaged text is refused with a position, and never with a 500', { timeout }, async () => {
  let sent = 0
  await fc.assert(
    fc.asyncProperty(definitions, fc.array(damages, { minLength: 1, maxLength: 3 }), anyUpload, async (made, all, upload) => {
      const text = all.reduce(
        (whole, { from, cut, piece }) => {
          const start = Math.floor(whole.length * from)
          return whole.slice(0, start) + piece + whole.slice(start + cut)
        },
        canonicalYaml(renamed(made)),
      )
      expectValidResponse(await upload(text), text)
      sent++
    }),
    bounds,
  )
  expect(sent).toBeGreaterThan(10)
})

function codesOf({ body }: Answer): readonly unknown[] {
  const errors: readonly Document[] = body.diagnostics.filter(({ severity }: Document) => severity === 'error')
  return [...new Set(errors.map((error) => error['code']))]
}

async function exported(owner: TestAccount, id: string, syntax: string) {
  const { status, body } = await owner.send('GET', `${path}/${id}/export?syntax=${syntax}`)
  expect(status).toBe(200)
  return body
}
