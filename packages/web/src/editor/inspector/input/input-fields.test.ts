import type { Json } from '@millrace/dsl'
import type { Edit } from '@millrace/dsl/edit'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { applyEdits } from '#src/document/apply-edits.ts'
import {
  addField,
  changeChoices,
  changeKind,
  describeField,
  inputFields,
  type InputKind,
  inputKinds,
  limitField,
  type LimitKey,
  removeField,
  renameField,
  requireField,
  restrictFiles,
} from '#src/editor/inspector/input/input-fields.ts'
import { readLimits } from '#src/editor/inspector/input/input-limits.ts'
import { lineOfMember } from '#src/editor/inspector/input/line-of-member.ts'
import { fieldsOfSchema } from '#src/forms/schema-fields.ts'
import { loadMessages } from '#src/messages/messages.ts'

await loadMessages()

const bare = `document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }
do:
- note: { set: { noted: true } }
`

const declared = `document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }
input:
  schema:
    document:
      $schema: https://json-schema.org/draft/2020-12/schema
      type: object
      # who asks
      required: [email, address]
      properties:
        email: { type: string, format: email, title: Mail, minLength: 6 } # kept
        # where to
        address:
          type: object
          properties: { city: { type: string } }
        days:
          type: integer
          minimum: 1
        size: { $ref: '#/$defs/size' }
      $defs: { size: { enum: [s, m] } }
      if: { required: [size] }
do:
- note: { set: { noted: true } }
`

function after(text: string, ...plans: readonly ((now: Json) => readonly Edit[])[]): string {
  return plans.reduce((now, plan) => {
    const applied = applyEdits(now, 'yaml', plan(parse(now)))
    if ('fault' in applied) throw new Error(applied.fault.message)
    return applied.text
  }, text)
}

const rows = (text: string) => inputFields(parse(text))

/** How the form of a run asks for a field. */
const controls: Readonly<Record<InputKind, string>> = {
  text: 'text',
  lines: 'textarea',
  email: 'email',
  url: 'url',
  number: 'number',
  integer: 'number',
  yesNo: 'switch',
  date: 'day',
  dateTime: 'date',
  choice: 'select',
  // By its format the form of a run makes an upload of it.
  file: 'text',
}

describe('the fields of the input', () => {
  test.each(inputKinds)('of the kind %s are read as they were written, and asked for as such when a run starts', (kind) => {
    const text = after(
      bare,
      (now) => addField(now, 'one'),
      (now) => changeKind(now, 'one', kind, ['a', 'b']),
      (now) => describeField(now, 'one', 'title', 'One'),
      (now) => describeField(now, 'one', 'description', 'The first'),
      (now) => requireField(now, 'one', true),
    )
    expect(rows(text)).toMatchObject([
      { name: 'one', required: true, row: { kind, title: 'One', description: 'The first', choices: kind === 'choice' ? ['a', 'b'] : [] } },
    ])
    expect(fieldsOfSchema(parse(text).input.schema.document)).toMatchObject([
      { kind: controls[kind], label: 'One', hint: 'The first', required: true },
    ])
  })

  test('are gone without a trace when the last one is removed', () => {
    expect(
      after(
        bare,
        (now) => addField(now, 'one'),
        (now) => removeField(now, 'one'),
      ),
    ).toBe(bare)
  })

  test('are changed in their place, and everything else of the schema stays as it is written', () => {
    const text = after(
      declared,
      (now) => renameField(now, 'email', 'mail'),
      (now) => requireField(now, 'days', true),
      (now) => describeField(now, 'days', 'title', 'Days'),
      (now) => changeKind(now, 'days', 'number', []),
      (now) => addField(now, 'note'),
    )
    expect(text).toBe(
      declared
        .replace('[email, address]', '[mail, address, days]')
        .replace('email: { type', 'mail: { type')
        .replace('type: integer\n          minimum: 1', 'type: number\n          minimum: 1\n          title: Days')
        .replace("/size' }\n", "/size' }\n        note:\n          type: string\n"),
    )
    expect(
      after(
        text,
        (now) => removeField(now, 'note'),
        (now) => removeField(now, 'mail'),
      ),
    ).not.toMatch(/mail|note:$/m)
  })

  test('have no row where it would lose something, and say what a row does not show', () => {
    expect(rows(declared)?.map(({ name, row }) => [name, row?.kind, row?.more])).toEqual([
      ['email', 'email', ['minLength']],
      ['address', undefined, undefined],
      ['days', 'integer', []],
      ['size', undefined, undefined],
    ])
    expect(lineOfMember(declared, '/input/schema/document/properties/address')).toBe(12)
  })

  test('have limits, of which those that changed are written and empty ones go', () => {
    const limited = after(declared, (now) =>
      limitField(now, 'days', [
        ['minimum', 1],
        ['maximum', 30],
      ]),
    )
    expect(limited).toBe(declared.replace('minimum: 1\n', 'minimum: 1\n          maximum: 30\n'))
    expect(rows(limited)?.map(({ row }) => row?.limits)).toEqual([
      [],
      undefined,
      [
        ['minimum', 1],
        ['maximum', 30],
      ],
      undefined,
    ])
    expect(
      after(limited, (now) =>
        limitField(now, 'days', [
          ['minimum', 1],
          ['maximum', undefined],
        ]),
      ),
    ).toBe(declared)
    expect(rows(declared.replace('minimum: 1', "minimum: 'one'"))?.[2]?.row).toMatchObject({
      limits: [['maximum', undefined]],
      more: ['minimum'],
    })
  })

  test.each<[InputKind, readonly [LimitKey, string][], object]>([
    [
      'number',
      [
        ['minimum', '1.5'],
        ['maximum', ''],
      ],
      {},
    ],
    [
      'integer',
      [
        ['minimum', '31'],
        ['maximum', '30'],
      ],
      { maximum: 'crossed' },
    ],
    [
      'number',
      [
        ['minimum', 'one'],
        ['maximum', '30'],
      ],
      { minimum: 'number' },
    ],
    ['text', [['maxLength', '0']], { maxLength: 'count' }],
    ['text', [['maxLength', '201']], { maxLength: 'isLong' }],
    ['lines', [['maxLength', '200']], { maxLength: 'isShort' }],
    ['lines', [['maxLength', '']], { maxLength: 'isShort' }],
    ['lines', [['maxLength', ' 300 ']], {}],
  ])('of the kind %s with the limits %j have the problems %j', (kind, typed, problems) => {
    expect(readLimits(kind, typed).problems).toEqual(problems)
  })

  test('lose the limits of another type with their kind, and a choice gets its values', () => {
    const text = after(
      declared,
      (now) => changeKind(now, 'days', 'choice', ['few']),
      () => changeChoices('days', ['few', 'many']),
    )
    expect(parse(text).input.schema.document.properties.days).toEqual({ type: 'string', enum: ['few', 'many'] })
  })

  test('for files have kinds and a largest size, which other kinds lose', () => {
    const text = after(
      declared,
      (now) => changeKind(now, 'days', 'file', []),
      (now) => restrictFiles(now, 'days', { types: 'image/*', bytesMax: 5_000_000 }),
    )
    const schema = (written: string) => parse(written).input.schema.document.properties.days
    expect(schema(text)).toMatchObject({ format: 'file', contentMediaType: 'image/*', maxBytes: 5_000_000 })
    expect(rows(text)?.find(({ name }) => name === 'days')?.row).toMatchObject({
      files: { types: 'image/*', bytesMax: 5_000_000 },
      more: [],
    })
    const open = after(text, (now) => restrictFiles(now, 'days', { types: '', bytesMax: undefined }))
    expect(schema(open)).not.toHaveProperty('contentMediaType')
    expect(schema(after(text, (now) => changeKind(now, 'days', 'text', [])))).not.toHaveProperty('maxBytes')
  })

  test.each([
    ['a list', '{ document: { type: array } }'],
    ['a reference', "{ document: { $ref: 'https://example.com/a.json' } }"],
    ['a schema elsewhere', '{ resource: { endpoint: https://example.com/a.json } }'],
    ['another kind of schema', '{ format: avro, document: {} }'],
  ])('are not shown where the input is %s', (_what, schema) => {
    expect(rows(`${bare}input: { schema: ${schema} }\n`)).toBeUndefined()
  })
})
