import { canonicalYaml } from '@millrace/dsl'
import { definitions } from '@millrace/dsl/testing/arbitrary-definition.ts'
import { breaks, broken } from '@millrace/dsl/testing/breaking.ts'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

/** Laws of documents at the interface itself: whatever is sent, what is wrong is told by its place, and what is taken comes back to the byte. */

type Document = Readonly<Record<string, unknown>>

let server: TestServer
let account: TestAccount
let elsewhere: TestAccount
let existing: string
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
  elsewhere = await server.registerAccount()
  const definition = { document: { dsl: '1.0.3', namespace: 'laws', name: 'existing', version: '1.0.0' }, do: [{ a: { set: { a: 1 } } }] }
  existing = (await account.client.workflows.create({ body: { definition } })).id
})
afterAll(() => server.close())

const path = '/api/v1/workflows'
const bounds = { numRuns: 150, interruptAfterTimeLimit: 6_000, markInterruptAsFailure: false, endOnFailure: true }
const yaml = { 'content-type': 'application/yaml' }

/** The ways in which a document comes in. */
const ways = {
  createYaml: (text: string) => account.send('POST', path, text, yaml),
  createJson: (text: string) => account.send('POST', path, text),
  createMember: (text: string) => account.send('POST', path, { definition: text, publish: false }),
  updateYaml: (text: string) => account.send('PUT', `${path}/${existing}`, text, yaml),
  updateMember: (text: string) => account.send('PUT', `${path}/${existing}`, { definition: text, publish: false }),
  import: (text: string) =>
    account.send('POST', `${path}/import`, { export: { format: 'millrace/workflow', formatVersion: 1, document: text } }),
} as const
const anyWay = fc.constantFrom(...Object.values(ways))

let names = 0

/** The document under a name that is not taken; all else as it was made. */
function renamed(made: Document): Document {
  const document = made['document']
  return typeof document === 'object' && document !== null ? { ...made, document: { ...document, name: `law-${++names}` } } : made
}

/** What holds for the answer to any document: taken, or refused with a reason for every place. */
function expectManners({ status, body }: Answer, text: string): void {
  expect([200, 400, 409, 422], JSON.stringify(body)).toContain(status)
  for (const finding of [...(body.diagnostics ?? []), ...(body.warnings ?? [])]) {
    expect(finding).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/./) })
    expect(finding.pointer).toMatch(/^(?:\/|$)/)
    expect(finding.line).toBeGreaterThanOrEqual(1)
    expect(finding.line).toBeLessThanOrEqual(text.split(/\r\n|\r|\n/).length)
    expect(finding.column).toBeGreaterThanOrEqual(1)
  }
  if (status === 422) {
    expect(body.code).toBe('workflow_invalid')
    expect(body.diagnostics.length).toBeGreaterThan(0)
  }
  if (status === 400) expect(body).toMatchObject({ code: expect.stringMatching(/^(?:request_invalid|malformed_json)$/) })
  if (status === 409) expect(body).toMatchObject({ code: 'workflow_name_taken' })
}

test('a valid document is taken, and its export comes back from an import to the byte', async () => {
  let taken = 0
  const syntaxes = fc.constantFrom('yaml', 'json')
  await fc.assert(
    fc.asyncProperty(definitions, syntaxes, fc.boolean(), async (made, syntax, asText) => {
      const document = renamed(made)
      const text = asText ? canonicalYaml(document) : JSON.stringify(document)
      const created = await ways.createMember(text)
      expectManners(created, text)
      // Functions that this installation has not got, or that want other arguments.
      if (created.status !== 200) {
        expect(['unknown_function', 'invalid_argument']).toEqual(expect.arrayContaining([...codesOf(created)]))
        return
      }
      taken++
      const first = await exported(account, created.body.id, syntax)
      const imported = await elsewhere.send('POST', `${path}/import`, { export: first })
      expect([imported.status, imported.body.code]).toEqual([200, undefined])
      const second = await exported(elsewhere, imported.body.id, syntax)
      expect({ ...second, exportedAt: '' }).toEqual({ ...first, exportedAt: '' })
    }),
    bounds,
  )
  expect(taken).toBeGreaterThan(10)
})

test('a broken document is refused with a place for every finding, whichever way it comes', async () => {
  const seen = { taken: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(
      definitions,
      fc.array(breaks, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      anyWay,
      async (made, changes, flow, way) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Breaking may leave anything; renaming looks before it touches.
        const document = renamed(changes.reduce(broken, made) as Document)
        const text = flow ? JSON.stringify(document) : canonicalYaml(document)
        const answer = await way(text)
        expectManners(answer, text)
        seen[answer.status === 200 ? 'taken' : 'refused']++
      },
    ),
    bounds,
  )
  // Were one of the two never met, the law would prove little.
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(3)
})

/** Cuts a piece out of a text and puts another in. Places are shares of the length. */
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

test('a text that is damaged anywhere is refused by its place, and never a 500', async () => {
  let sent = 0
  await fc.assert(
    fc.asyncProperty(definitions, fc.array(damages, { minLength: 1, maxLength: 3 }), anyWay, async (made, all, way) => {
      const text = all.reduce(
        (whole, { from, cut, piece }) => {
          const start = Math.floor(whole.length * from)
          return whole.slice(0, start) + piece + whole.slice(start + cut)
        },
        canonicalYaml(renamed(made)),
      )
      expectManners(await way(text), text)
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
