import { rowKeyMax, rowSortMax, tableNamePattern, tableNameWords } from '@millrace/contract'
import type { JsonObject } from '@millrace/engine'
import { objectOf } from '#modules/connectors/code/data/csv-manifests.ts'

const table = {
  type: 'string',
  pattern: tableNamePattern.source,
  patternErrorMessage: `must ${tableNameWords}`,
  description: 'Name of the table, such as orders. Its first row creates it.',
}
const key = {
  type: 'string',
  minLength: 1,
  maxLength: rowKeyMax,
  pattern: String.raw`^[^\x00-\x1f\x7f]+$`,
  patternErrorMessage: 'must not contain control characters',
  description: 'Key of the row, such as the number of an order.',
}
const columns = { type: 'object', description: 'The columns of the row and their values.' }
const expiresIn = {
  type: 'string',
  maxLength: 40,
  format: 'duration',
  description: 'After which time the row is deleted, such as P30D; it is kept unless given.',
}
const revision = { type: 'integer', description: 'Incremented by every change of the row.' }
const about = {
  key: { type: 'string' },
  columns,
  revision,
  updatedAt: { type: 'string' },
  expiresAt: { type: ['string', 'null'] },
}
const described = objectOf(Object.keys(about), about)
const created = { type: 'boolean', description: 'Whether no row with this key existed.' }

export const getInput = objectOf(['table', 'key'], { table, key })
export const getOutput = objectOf(['found', 'row'], {
  found: { type: 'boolean' },
  row: { oneOf: [described, { type: 'null' }], description: 'Null if there is no such row.' },
})

export const putInput = objectOf(['table', 'key', 'columns'], {
  table,
  key,
  columns,
  expiresIn,
  ifRevision: {
    type: 'integer',
    minimum: 0,
    description: 'Only if the row is at this revision; 0: only if there is no such row. An error (409) otherwise.',
  },
})
export const putOutput = objectOf(['created', 'row'], { created, row: described })

export const addInput = objectOf(['table', 'key', 'columns'], { table, key, columns, expiresIn })
export const addOutput = objectOf(['created', 'row'], {
  created,
  row: { ...described, description: 'The new row, or the one that was there.' },
})

export const updateInput = objectOf(['table', 'key', 'columns'], {
  table,
  key,
  columns: { ...columns, description: 'The columns to set; all others stay, and null removes one.' },
})

export const incrementInput = objectOf(['table', 'key', 'column'], {
  table,
  key,
  column: { type: 'string', minLength: 1, maxLength: 200, description: 'The column with the number; 0 if it does not exist.' },
  by: { type: 'number', description: 'What is added; 1 unless given.' },
  expiresIn: { ...expiresIn, description: 'After which time a row that this creates is deleted, such as P1D.' },
})
export const incrementOutput = objectOf(['value', 'created'], { value: { type: 'number', description: 'The number afterwards.' }, created })

export const deleteInput = objectOf(['table', 'key'], { table, key })
export const deleteOutput = objectOf(['deleted', 'row'], {
  deleted: { type: 'boolean' },
  row: { oneOf: [described, { type: 'null' }], description: 'The row that was deleted; null if it did not exist.' },
})

const bound = { type: ['number', 'string'], maxLength: 200 }
const range = {
  type: 'object',
  maxProperties: 10,
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    properties: {
      from: { ...bound, description: 'At least this number or text.' },
      to: { ...bound, description: 'At most this number or text.' },
      above: { ...bound, description: 'More than this number or text.' },
      below: { ...bound, description: 'Less than this number or text.' },
    },
  },
  description:
    'Only rows whose columns are within bounds, such as { total: { from: 100, below: 500 } }. Texts, such as dates, are compared by their characters.',
}
const createdAt = { type: 'string', maxLength: 40, format: 'date-time' }
/** Which rows of the table are meant. */
const wanted = {
  prefix: { type: 'string', maxLength: rowKeyMax, description: 'Only keys that begin with this text.' },
  where: { type: 'object', description: 'Only rows with these columns and values.' },
  range,
  createdFrom: { ...createdAt, description: 'Only rows that were first written at this time or later, such as 2026-03-01T00:00:00Z.' },
  createdBefore: { ...createdAt, description: 'Only rows that were first written before this time.' },
}

export const listInput: JsonObject = objectOf(['table'], {
  table,
  ...wanted,
  sort: {
    type: 'string',
    minLength: 1,
    maxLength: rowSortMax,
    description: 'The column by which the rows are sorted, such as total, or total:desc for the largest first.',
  },
  limit: { type: 'integer', minimum: 1, maximum: 1_000, description: 'Rows of one page; 100 unless given.' },
  cursor: { type: 'string', maxLength: 4_096, description: 'The nextCursor of the page before.' },
})
export const countInput: JsonObject = objectOf(['table'], { table, ...wanted })
export const countOutput = objectOf(['count'], { count: { type: 'integer', description: 'How many rows there are.' } })

export const listOutput = objectOf(['rows', 'nextCursor'], {
  rows: { type: 'array', items: described, description: 'In the order of their keys, or as sort says.' },
  nextCursor: { type: ['string', 'null'], description: 'For the next page; null on the last.' },
})
