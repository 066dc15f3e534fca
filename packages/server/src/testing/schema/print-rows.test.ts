import { describe, expect, test } from 'vitest'
import type { Catalogue, Column, Definition } from './catalogue.ts'
import { printRows } from './print-rows.ts'

const plain: Column = {
  table: 'things',
  name: 'a',
  type: 'text',
  declaredType: 'text',
  nullable: false,
  defaultExpression: null,
  identity: '',
  generated: false,
  comment: null,
}

function catalogueOf(column: Partial<Column>, constraints: readonly Definition[] = []): Catalogue {
  const table = {
    name: 'things',
    kind: 'table',
    unlogged: false,
    options: null,
    partitionedBy: null,
    rowSecurity: false,
    comment: null,
    definition: null,
  } as const
  const none = { indexes: [], policies: [], grants: [], triggers: [], functions: [] }
  return { ...none, tables: [table], columns: [{ ...plain, ...column }], constraints }
}

function typeOf(column: Partial<Column>, constraints: readonly Definition[] = []): string | undefined {
  return /^ {2}readonly a: (.*)$/m.exec(printRows(catalogueOf(column, constraints)))?.[1]
}

test.each([
  ['uuid', 'string'],
  ['json', 'string'],
  ['jsonb', 'Jsonb'],
  ['bigint', 'number'],
  ['numeric', 'string'],
  ['timestamp with time zone', 'Timestamp'],
  ['text[]', 'string[]'],
  ['bytea', 'Buffer'],
])('%s is %s', (type, expected) => {
  expect(typeOf({ type })).toBe(expected)
})

test('an unknown type is an error that contains the column', () => {
  expect(() => typeOf({ type: 'money' })).toThrow('Column things.a has type money')
})

test.each([
  ['a default may be left out', { defaultExpression: 'now()' }, 'Defaulted<string>'],
  ['an identity that may be given', { identity: 'd' }, 'Defaulted<string>'],
  ['an identity that may not', { identity: 'a' }, 'Computed<string>'],
  ['a generated column', { generated: true, defaultExpression: 'lower(b)' }, 'Computed<string>'],
  ['a nullable column', { nullable: true }, 'Nullable<string>'],
] as const)('%s', (_what, column, expected) => {
  expect(typeOf(column)).toBe(expected)
})

describe('a check for one of several words', () => {
  const check = (definition: string, table = 'things') => ({ table, name: 'a_check', definition })

  test('is a union of literals', () => {
    const constraint = check(`CHECK ((a = ANY (ARRAY['x'::text, 'it''s'::text, 'a \\ b'::text])))`)
    expect(typeOf({}, [constraint])).toBe(`'x' | 'it\\'s' | 'a \\\\ b'`)
    expect(typeOf({ nullable: true }, [constraint])).toBe(`Nullable<'x' | 'it\\'s' | 'a \\\\ b'>`)
  })

  test.each([
    ['of another column', check(`CHECK ((b = ANY (ARRAY['x'::text])))`)],
    ['of another table', check(`CHECK ((a = ANY (ARRAY['x'::text])))`, 'others')],
    ['that is one condition of several', check(`CHECK (((a = ANY (ARRAY['x'::text])) OR (b > 0)))`)],
  ])('does not count when it is %s', (_what, constraint) => {
    expect(typeOf({}, [constraint])).toBe('string')
  })
})

test('a comment cannot end the comment that it is printed in', () => {
  expect(printRows(catalogueOf({ comment: 'a */ b' }))).toContain('/** a * / b */')
})

test('tables are named as types are', () => {
  expect(printRows(catalogueOf({}))).toContain('readonly things: ThingsTable')
})
