import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isObject, itemsOf, type Json, parseJson, textOf } from '#core/json.ts'
import { createValidator } from './validator.ts'

/**
 * The official JSON-Schema-Test-Suite, draft 2020-12 with its optional parts, as the Perl distribution Test-JSON-Schema-Acceptance 1.019 ships it: one
 * group a line. Copyright (c) 2012 Julian Berman, MIT licence. No package of the npm registry contains this draft.
 */
const lines = readFileSync(new URL('testing/json-schema-test-suite.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

const anotherDocument = 'refers to another document: only references within a schema are followed'
const longNames = 'names Unicode categories by their long names, which RE2 does not know'
const otherFormats = 'is about a format that is not asserted'
const vocabularies = 'needs a meta-schema with other vocabularies'

/** What is deliberately different: by file, or by file and group. */
const exceptions: Readonly<Record<string, string>> = {
  refRemote: anotherDocument,
  'defs: validate definition against metaschema': anotherDocument,
  'dynamicRef: strict-tree schema, guards against misspelled properties': anotherDocument,
  'dynamicRef: tests for implementation dynamic anchor and reference link': anotherDocument,
  'dynamicRef: $ref and $dynamicAnchor are independent of order - $defs first': anotherDocument,
  'dynamicRef: $ref and $dynamicAnchor are independent of order - $ref first': anotherDocument,
  'id: Valid use of empty fragments in location-independent $id': anotherDocument,
  'id: Unnormalized $ids are allowed but discouraged': anotherDocument,
  'ref: remote ref, containing refs itself': anotherDocument,
  'optional/cross-draft: refs to historic drafts are processed as historic drafts': anotherDocument,
  'optional/ecmascript-regex: patterns always use unicode semantics with pattern': longNames,
  'optional/ecmascript-regex: patterns always use unicode semantics with patternProperties': longNames,
  'optional/ecmascript-regex: pattern with non-ASCII digits': longNames,
  'optional/ecmascript-regex: patternProperties with non-ASCII digits': longNames,
  'optional/format/idn-email': otherFormats,
  'optional/format/idn-hostname': otherFormats,
  'optional/format/iri': otherFormats,
  'optional/format/iri-reference': otherFormats,
  vocabulary: vocabularies,
}

interface Group {
  readonly file: string
  readonly name: string
  readonly schema: Json
  readonly cases: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[]
}

const groups = lines.map((line): Group => {
  const group = parseJson(line)
  if (!isObject(group)) throw new Error(`no group of tests: ${line}`)
  const cases = itemsOf(group['tests']).map((one) => {
    if (!isObject(one) || one['data'] === undefined) throw new Error(`no test: ${line}`)
    return { description: textOf(one['description']) ?? '', data: one['data'], valid: one['valid'] === true }
  })
  const file = textOf(group['file']) ?? ''
  return { file, name: `${file}: ${textOf(group['description']) ?? ''}`, schema: group['schema'] ?? null, cases }
})
const exceptionOf = ({ file, name }: Group) => exceptions[file] ?? exceptions[name]

describe('the official test suite', () => {
  test.each(groups.filter((group) => exceptionOf(group) === undefined).map((group) => [group.name, group] as const))(
    '%s',
    (_name, { schema, cases }) => {
      const faultsOf = createValidator(schema)
      for (const { description, data, valid } of cases) {
        const faults = faultsOf(data)
        expect(faults.length === 0, `${description}: ${JSON.stringify(faults)}`).toBe(valid)
      }
    },
  )

  test('passes over 1,500 cases without exceptions', () => {
    const run = groups.filter((group) => exceptionOf(group) === undefined)
    expect(run.flatMap(({ cases }) => cases).length).toBeGreaterThan(1_500)
  })

  test('fails somewhere in everything that is excepted, so that no exception outlives its reason', () => {
    for (const exception of Object.keys(exceptions)) {
      const excepted = groups.filter(({ file, name }) => file === exception || name === exception)
      const failing = excepted.flatMap(({ schema, cases }) =>
        cases.filter(({ data, valid }) => (createValidator(schema)(data).length === 0) !== valid),
      )
      expect(failing.length, exception).toBeGreaterThan(0)
    }
  })

  test.each(
    groups
      .filter((group) => exceptionOf(group) === anotherDocument && !group.name.startsWith('ref: '))
      .map((group) => [group.name, group] as const),
  )('says so where another document is referred to: %s', (_name, { schema, cases }) => {
    const details = cases.flatMap(({ data }) => createValidator(schema)(data)).map(({ detail }) => detail)
    expect(details.join('\n')).toContain('leads out of the schema')
  })
})
