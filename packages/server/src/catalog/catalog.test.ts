import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { canonicalJson, type Definition, validateDefinition } from '@millrace/dsl'
import { compileSchema, type Json } from '@millrace/engine'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { builtInFunctions } from './built-in-functions.ts'
import { catalog } from './catalog.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const folders = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
// Of ours: the value is a JSON Schema, which the validation of definitions checks.
ajv.addFormat('json-schema', true)
ajv.addKeyword({ keyword: 'patternErrorMessage', schemaType: 'string' })

test('every folder of the catalog is a function of it, and every function a folder', () => {
  expect(new Set(catalog.map(({ name }) => name))).toEqual(new Set(folders))
  expect(catalog).toHaveLength(folders.length)
})

test.each(catalog)('$name says what it is in the form that editors expect', ({ name, version, summary, input }) => {
  expect(name).toMatch(/^[a-z][a-z0-9-]*$/)
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(summary).toMatch(/^[A-Z].{10,100}\.$/)
  expect(input['type']).toBe('object')
  expect(input['additionalProperties']).toBe(false)
})

describe.each(catalog)('$name', ({ name, input, output }) => {
  const page = existsSync(`${root}${name}/README.md`) ? readFileSync(`${root}${name}/README.md`, 'utf8') : ''

  test('has a manifest, a test and a page', () => {
    const files = readdirSync(root + name)
    expect(files).toContain('manifest.ts')
    expect(files).toContain('README.md')
    expect(files.some((file) => file.endsWith('.test.ts'))).toBe(true)
    expect(page.startsWith(`# ${name}\n`)).toBe(true)
  })

  test('has schemas that are JSON Schemas', () => {
    expect(() => ajv.compile(input)).not.toThrow()
    expect(() => ajv.compile(output)).not.toThrow()
  })

  test('has every argument on its page, described in the manifest as well', () => {
    for (const [argument, schema] of Object.entries(Object(input['properties']))) {
      expect(page).toContain(`\`${argument}\``)
      expect(Object(schema)).toHaveProperty('description')
    }
  })

  test('has examples on its page that validate', () => {
    const documents = blocksOf(page, 'yaml').map(definitionOf)
    const calls = documents.flatMap((document) => callsOf(JSON.parse(canonicalJson(document)), name))
    const plain = calls.filter((call) => !JSON.stringify(call).includes('${'))
    expect(plain.length).toBeGreaterThan(0)
    const validate = ajv.compile(input)
    const faultsOf = compileSchema({ document: input })
    for (const call of plain) {
      expect([call, validate(call), validate.errors]).toEqual([call, true, null])
      // Two validators, since what one of them cannot read it takes for no condition at all.
      expect(faultsOf(call)).toEqual([])
    }
  })

  test('shows outputs on its page that fit', () => {
    const validate = ajv.compile(output)
    const outputs = blocksOf(page, 'json').map((text): unknown => JSON.parse(text))
    expect(outputs.length).toBeGreaterThan(0)
    for (const shown of outputs) expect([shown, validate(shown), validate.errors]).toEqual([shown, true, null])
  })
})

/** The fenced blocks of a page in one language. */
function blocksOf(page: string, language: string): readonly string[] {
  return [...page.matchAll(/^```(?<language>\w+)\n(?<text>[\s\S]*?)^```$/gm)]
    .filter(({ groups }) => groups?.['language'] === language)
    .map(({ groups }) => groups?.['text'] ?? '')
}

/** A list of tasks as a whole definition, which has to be valid; a block that is a whole definition stands for itself. */
function definitionOf(text: string): Definition {
  const header = "document: { dsl: '1.0.3', namespace: pages, name: example, version: 1.0.0 }\ndo:\n"
  const { definition, diagnostics } = validateDefinition(text.startsWith('document:') ? text : header + text, { functions: catalog })
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  if (definition === undefined) throw new Error('the example is not a definition')
  return definition
}

/** The arguments of every call of the function, wherever it stands. */
function callsOf(value: Json, name: string): readonly Json[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap((member: Json) => callsOf(member, name))
  const { call, with: given = null } = Object(value)
  return typeof call === 'string' && call.split(/[:@]/)[0] === name ? [given, ...inside] : inside
}

const closed = builtInFunctions().filter(({ internal, output }) => internal !== true && output['additionalProperties'] === false)

// As in the editor, which has no manifests.
test.each(closed)('validation knows the members of the output of $name without its manifest', ({ name, output }) => {
  const lacking = [...Object.keys(Object(output['properties'])), 'another'].filter((member) => {
    const reading = { set: { x: `\${ .${member} }` } }
    const definition = {
      document: { dsl: '1.0.3', namespace: 'n', name: 'w', version: '1.0.0' },
      do: [{ one: { call: name } }, { two: reading }],
    }
    return validateDefinition(JSON.stringify(definition)).diagnostics.some(({ code }) => code === 'replaced_data')
  })
  expect(lacking).toEqual(['another'])
})
