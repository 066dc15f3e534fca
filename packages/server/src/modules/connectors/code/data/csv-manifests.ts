import type { JsonObject } from '@millrace/engine'
import { charactersMax, columnsMax, rowsMax } from './limits.ts'

export const cells: JsonObject = { type: ['object', 'array'], description: 'An object by the names of columns, or a list of cells.' }
export const rows: JsonObject = { type: 'array', maxItems: rowsMax, items: cells }
export const header: JsonObject = {
  type: 'boolean',
  description: 'Whether the first row has the names of the columns, which makes objects of the others. True unless given.',
}
export const columns: JsonObject = {
  type: 'array',
  minItems: 1,
  maxItems: columnsMax,
  items: { type: 'string', maxLength: 500 },
  description: 'Names of the columns in their order; all names of the objects unless given.',
}
const delimiter: JsonObject = { type: 'string', enum: [',', ';', '\t', '|'], description: 'Between the cells; a comma unless given.' }

/** An object of these members and no others. */
export function objectOf(required: readonly string[], properties: JsonObject): JsonObject {
  return { type: 'object', additionalProperties: false, required: [...required], properties }
}

export const textOutput = objectOf(['text'], { text: { type: 'string' } })

export const csvParse = objectOf(['text'], {
  text: { type: 'string', maxLength: charactersMax, description: 'The rows as text.' },
  header,
  delimiter,
})
export const csvWrite = objectOf(['rows'], {
  rows: { ...rows, description: 'All objects or all lists.' },
  columns,
  delimiter,
  escapeFormulas: {
    type: 'boolean',
    description: 'Whether texts that a spreadsheet would take for formulas get an apostrophe before them. False unless given.',
  },
})
