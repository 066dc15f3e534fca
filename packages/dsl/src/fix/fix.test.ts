import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { applyChanges } from '#src/edit/apply-changes.ts'
import { correctableMistakes } from '#src/testing/correctable-mistakes.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'
import { fixesFor } from './fixes-for.ts'
import { fixText } from './fix-text.ts'

const head = "document: { dsl: '1.0.3', namespace: test, name: mistake, version: '1.0.0' }\n"
const said = (text: string) => validateDefinition(text).diagnostics.map(({ code, message }) => `${code} ${message}`)

describe('a fix of a real mistake', () => {
  test.each(correctableMistakes)('$code in $text is corrected to $fixed by "$title"', ({ text, code, title, fixed, safe }) => {
    const whole = head + text
    const diagnostic = validateDefinition(whole).diagnostics.find((one) => one.code === code)
    if (diagnostic === undefined) throw new Error(`no ${code} in: ${said(whole).join('; ')}`)
    const [fix] = fixesFor(whole, diagnostic, { syntax: 'yaml' })
    const after = applyChanges(whole, fix?.changes ?? [])
    expect([fix?.title, fix?.safe, after]).toEqual([title, safe, head + fixed])
    expect(said(after)).toEqual(said(whole).toSpliced(said(whole).indexOf(`${code} ${diagnostic.message}`), 1))
  })

  test('in a text with a byte order mark is corrected at its place, and the mark stays', () => {
    const text = (name: string) => `\uFEFF${head}do:\n  - one: { ${name}: PT1S }\n`
    expect(fixText(text('wiat'), { syntax: 'yaml' })).toMatchObject({ text: text('wait'), left: [] })
  })

  test('the same mistake in JSON is corrected in JSON', () => {
    const text =
      '{ "document": { "dsl": "1.0.3", "namespace": "a", "name": "b", "version": "1.0.0" }, "do": [{ "a": { "wiat": "PT1S" } }] }'
    const [diagnostic] = validateDefinition(text).diagnostics
    if (diagnostic === undefined) throw new Error('no diagnostic')
    const [fix] = fixesFor(text, diagnostic, { syntax: 'json' })
    expect(applyChanges(text, fix?.changes ?? [])).toBe(text.replace('wiat', 'wait'))
  })
})

const mistakes = readFileSync(new URL('../validate/mistakes.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): { readonly task: string } => JSON.parse(line))

test.each(mistakes)('every fix of $task removes its diagnostic and nothing else', ({ task }) => {
  const text = `${head}do:\n  - task: ${task}\n  - other: { wiat: PT1S }\n`
  const before = said(text)
  for (const diagnostic of validateDefinition(text).diagnostics)
    for (const { changes } of fixesFor(text, diagnostic, { syntax: 'yaml' }))
      expect(said(applyChanges(text, changes)).toSorted()).toEqual(
        before.toSpliced(before.indexOf(`${diagnostic.code} ${diagnostic.message}`), 1).toSorted(),
      )
})

test('a text is corrected where that can only mean one thing; what removes or adds something has to be asked for', () => {
  const text = `${head}# kept
do:
  - one: { wiat: PT1S }
  - two: { if: "\${ .a && .b }", set: { x: 1 }, color: red }
`
  const careful = fixText(text, { syntax: 'yaml' })
  expect(careful.text).toBe(`${head}# kept
do:
  - one: { wait: PT1S }
  - two: { if: "\${ .a and .b }", set: { x: 1 }, color: red }
`)
  expect(careful.left.map(({ code }) => code)).toEqual(['unknown_property'])
  const whole = fixText(text, { syntax: 'yaml', all: true })
  expect([whole.fixed.length, whole.left]).toEqual([3, []])
})

describe('data that a step replaced', () => {
  const text = (one: string, two: string) => `${head}do:\n  - zero: { call: http.request }\n  - one: ${one}\n  - two: ${two}\n`
  const fixesOf = (whole: string) => {
    const diagnostic = validateDefinition(whole).diagnostics.find(({ code }) => code === 'replaced_data')
    if (diagnostic === undefined) throw new Error('no diagnostic')
    return fixesFor(whole, diagnostic, { syntax: 'yaml' })
  }

  test('is kept for every read behind it, or read from each step that may have it', () => {
    const whole = text('{ call: tables.put }', "{ set: { x: '${ .total }', y: '${ .other }' } }")
    const fixes = fixesOf(whole)
    expect(fixes.map(({ title }) => title)).toEqual([
      'Keep the data in one: ${ $input }',
      'Write $steps.zero.total',
      'Write $workflow.input.total',
    ])
    expect(said(applyChanges(whole, fixes[0]?.changes ?? [])).filter((one) => one.startsWith('replaced_data'))).toEqual([])
    expect(fixes.every(({ safe }) => !safe)).toBe(true)
  })

  test.each([
    ['that has an output of its own', "{ call: tables.put, output: { as: '${ { kept: 1 } }' } }", '{ if: .total, set: { x: 1 } }'],
    ['whose input is not the data', "{ input: { from: { kept: 1 } }, set: { x: '${ .total }' } }", '{ set: { x: 1 } }'],
  ])('is not kept by a step %s', (_, one, two) => {
    expect(fixesOf(text(one, two)).filter(({ title }) => title.startsWith('Keep'))).toEqual([])
  })
})

test('a text that cannot be read, and a diagnostic of another text, have no fixes', () => {
  const [broken] = validateDefinition('do: [').diagnostics
  const [other] = validateDefinition(`${head}do: [{ a: { wiat: PT1S } }]\n`).diagnostics
  if (broken === undefined || other === undefined) throw new Error('no diagnostic')
  expect(fixesFor('do: [', broken, { syntax: 'yaml' })).toEqual([])
  expect(fixesFor(`${head}do: [{ a: { wait: PT1S } }]\n`, other, { syntax: 'yaml' })).toEqual([])
})
