import { type ConformanceData, describeConformance } from '@millrace/jq/testing/conformance.ts'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { graphOf } from './graph/graph-of.ts'
import { parseDefinition } from './parse/parse-definition.ts'
import { optionalFeatures } from './features/optional-features.ts'
import { validateDefinition } from './validate/validate-definition.ts'

/** The sources of the scenarios of the conformance kit: blocks of YAML that begin with `document:`. */
function scenarios(data: ConformanceData): (readonly [name: string, text: string])[] {
  const features = ['branch', 'call', 'data-flow', 'do', 'emit', 'flow', 'for', 'raise', 'set', 'switch', 'try']
  return features.flatMap((feature) => {
    const blocks = data.read(`ows/${feature}.feature`).matchAll(/Scenario: (.*)\n[^]*?"""yaml\n( *)(document:[^]*?)\n *"""/g)
    return [...blocks].map(
      (match) => [`${feature}: ${match[1]}`, `${match[2]}${match[3]}`.replaceAll(`\n${match[2]}`, '\n').trimStart()] as const,
    )
  })
}

/** Examples have their credentials in plain sight, one puts data into an address, and some expect text to be evaluated that the specification takes as written. */
const ofExamples: ReadonlySet<string> = new Set(['plain_credential', 'looks_like_expression', 'unencoded_value'])

describeConformance('the official examples', (data) => {
  const names = data.list('ows/examples', '.yaml')

  test('are all there', () => {
    expect(names.length).toBeGreaterThanOrEqual(65)
  })

  test.each(names)('%s parses and validates, with nothing to remark', (name) => {
    const text = data.read(`ows/examples/${name}`)
    const parsed = parseDefinition(text)
    expect(parsed.document).toEqual(parse(text))
    const { definition, diagnostics } = validateDefinition(parsed)
    expect(diagnostics.filter(({ code }) => !ofExamples.has(code))).toEqual([])
    if (definition === undefined) throw new Error('There is no definition.')
    expect(graphOf(definition).nodes.length).toBeGreaterThan(0)
  })

  test('those that need what an installation lacks say so with a position', () => {
    const lacking = names.filter((name) => {
      const { diagnostics } = validateDefinition(data.read(`ows/examples/${name}`), { lacking: optionalFeatures })
      const lacks = diagnostics.filter(({ code }) => !ofExamples.has(code))
      for (const { code, line, column } of lacks) {
        expect(code).toBe('unsupported_feature')
        expect(line).toBeGreaterThan(5)
        expect(column).toBeGreaterThan(0)
      }
      return lacks.length > 0
    })
    expect(lacking.filter((name) => name.startsWith('run-')).length).toBeGreaterThan(8)
    expect(lacking).not.toContain('do-single.yaml')
  })
})

describeConformance('the scenarios of the conformance kit', (data) => {
  const all = scenarios(data)

  test('are all found', () => {
    expect(all.length).toBeGreaterThanOrEqual(20)
  })

  test.each(all)('%s', (_, text) => {
    const { definition, diagnostics } = validateDefinition(text)
    // One of them says nothing about colours that its cases do not name.
    expect(diagnostics.filter(({ code }) => code !== 'switch_falls_through')).toEqual([])
    expect(definition).toBeDefined()
  })
})
