import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { Fault } from '@millrace/contract'
import { canonicalYaml } from '@millrace/dsl'
import { performJob } from '@millrace/engine'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { documentOf, greets } from '#testing/definitions.ts'
import { assertRunnable, definitionOf, definitionRead } from './definition.ts'

const none: ReadonlySet<string> = new Set()

function readDefinition(given: string | object, secrets: ReadonlySet<string>) {
  return definitionRead(performJob({ kind: 'definition', given, functions: [] }), secrets)
}

function refusalOf(act: () => unknown): Fault {
  try {
    act()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('nothing was refused')
}

const Diagnostics = z.array(
  z.object({ code: z.string(), severity: z.string(), line: z.int().min(1), column: z.int().min(1), message: z.string().min(1) }),
)
const diagnosticsOf = ({ details }: Fault) => Diagnostics.parse(details.extensions?.['diagnostics'])

const header = { dsl: '1.0.3', namespace: 'tests', name: 'read', version: '1.0.0' }

describe('reading a definition', () => {
  test('a definition is stored as written and in a canonical form that is equal for equal meanings', () => {
    const yaml = readDefinition(`# comment\n${documentOf(greets, 'same')}`, none)
    const json = readDefinition(JSON.stringify(yaml.definition), none)
    expect(yaml.stored).toMatchObject({ syntax: 'yaml', source: expect.stringContaining('# comment'), warnings: [] })
    expect(json.stored.syntax).toBe('json')
    expect([json.stored.json, json.stored.checksum]).toEqual([yaml.stored.json, yaml.stored.checksum])
    expect(yaml.stored.checksum).toMatch(/^[0-9a-f]{64}$/)
    expect(definitionOf(yaml.stored)).toEqual(yaml.definition)
  })

  test('definitions with different meanings have different checksums', () => {
    const [one, other] = [documentOf(greets, 'same'), documentOf(greets.replace('Hello', 'Bye'), 'same')].map((text) =>
      readDefinition(text, none),
    )
    expect(one?.stored.checksum).not.toBe(other?.stored.checksum)
  })

  test('errors of a definition object have positions in its canonical YAML', () => {
    const object = { document: header, do: [{ one: { set: { a: 1 }, then: 'nowhere' } }] }
    const refusal = refusalOf(() => readDefinition(object, none))
    expect(refusal.code).toBe('workflow_invalid')
    const [diagnostic] = diagnosticsOf(refusal)
    expect(diagnostic?.code).toBe('dangling_then')
    const line = canonicalYaml(object)
      .split('\n')
      .at((diagnostic?.line ?? 0) - 1)
    expect(line?.slice((diagnostic?.column ?? 0) - 1)).toContain('nowhere')
  })

  test.each([
    ['YAML', 'document: { dsl: 1.0.3, namespace: t, name: t, version: 1.0.0 }\ndo:\n  - a: { set: { x: "\\ud800" } }\n', 3],
    ['a key of YAML', 'document: { dsl: 1.0.3, namespace: t, name: t, version: 1.0.0 }\ndo:\n  - "a\\0": { set: { x: 1 } }\n', 3],
    ['JSON', '{ "document": 1,\n "do": "\\udfff" }', 2],
    ['a comment', 'do: [] # \0', 1],
  ])('refuses text in %s that the database cannot keep, with its place', (_, text, line) => {
    const [diagnostic] = diagnosticsOf(refusalOf(() => readDefinition(text, none)))
    expect(diagnostic).toMatchObject({ code: 'invalid_text', line })
  })

  test('an object is checked against the limits before its much longer canonical YAML is made', () => {
    const deep = Array.from({ length: 150 }).reduce<unknown>(
      (inner) => [inner],
      Array.from({ length: 49_000 }, () => [1, 1]),
    )
    const [diagnostic] = diagnosticsOf(refusalOf(() => readDefinition({ document: header, do: [], deep }, none)))
    expect(diagnostic).toMatchObject({ code: 'document_too_large', severity: 'error' })
  })

  test('a value that is not a document is refused with a position', () => {
    for (const given of [
      '',
      ' ',
      'null',
      '[]',
      '{}',
      '"x"',
      '\u0000',
      {},
      { do: [] },
      { document: {} },
      '{"a":1,"a":2}',
      'a: &x [*x]',
      '- !!js x',
    ]) {
      const refusal = refusalOf(() => readDefinition(given, none))
      expect([given, refusal.code, diagnosticsOf(refusal).length > 0]).toEqual([given, 'workflow_invalid', true])
    }
  })

  test('a definition of 500 tasks is read within its time limit', () => {
    const tasks = Array.from({ length: 500 }, (_, index) => `  - task-${index}: { set: { a: '\${ .a + ${index} }' } }\n`)
    const text = documentOf(`do:\n${tasks.join('')}`)
    readDefinition(text, none)
    const startedAt = startProcessorTime()
    readDefinition(text, none)
    // The budget of validation alone is 20 ms on an idle machine; this one also parses, compiles and prints.
    expect(startedAt()).toBeLessThan(1_000)
  })
})

describe('a definition that this installation cannot run', () => {
  const uses = documentOf(`use: { secrets: [known, lost] }
do:
  - grpc: { call: grpc, with: { proto: { endpoint: 'https://example.com/a.proto' }, service: { name: s, host: h }, method: m } }
  - shell: { run: { shell: { command: ls } } }
`)

  test('a schedule by events can be published without a warning', () => {
    const read = readDefinition(
      documentOf('schedule: { on: { one: { with: { type: a.b } } } }\ndo:\n  - a: { set: { x: 1 } }\n'),
      new Set(),
    )
    expect(read.stored.warnings).toEqual([])
    expect(() => assertRunnable(read)).not.toThrow()
    expect(read.triggers).toEqual(['manual', 'event'])
  })

  test('a definition with unsupported features is valid with warnings, and is refused on publication', () => {
    const read = readDefinition(uses, new Set(['known']))
    expect(read.stored.warnings.map(({ code, pointer, severity }) => [code, pointer, severity])).toEqual([
      ['unknown_secret', '/use/secrets/1', 'warning'],
      ['unsupported_feature', '/do/0/grpc/call', 'warning'],
      ['unsupported_feature', '/do/1/shell/run/shell', 'warning'],
    ])
    const refusal = refusalOf(() => assertRunnable(read))
    expect(diagnosticsOf(refusal).map(({ severity, line }) => [severity, line])).toEqual([
      ['error', 2],
      ['error', 4],
      ['error', 5],
    ])
  })

  test('is nothing of a definition that can', () => {
    expect(() => assertRunnable(readDefinition(documentOf(greets), none))).not.toThrow()
  })
})
