import type { JsonObject } from '@millrace/engine'
import { connectionArgument } from '#modules/connectors/functions/function-manifest.ts'

export const rowsDefault = 1_000
export const rowsMax = 10_000
export const secondsDefault = 30
export const secondsMax = 300

/** @param placeholder how the statement refers to a parameter. */
export function sqlInput(placeholder: string): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['connection', 'statement'],
    properties: {
      connection: connectionArgument,
      statement: { type: 'string', minLength: 1, maxLength: 100_000, description: `One statement; ${placeholder} stands for a parameter.` },
      parameters: { type: 'array', maxItems: 1_000, description: 'The values of the placeholders; objects and lists are sent as JSON.' },
      rowsMax: {
        type: 'integer',
        minimum: 1,
        maximum: rowsMax,
        description: `Rows that may come back, ${rowsDefault} unless given; more are an error.`,
      },
      timeoutSeconds: {
        type: 'integer',
        minimum: 1,
        maximum: secondsMax,
        description: `Time for the statement, ${secondsDefault} seconds unless given.`,
      },
    },
  }
}

export const sqlOutput: JsonObject = {
  type: 'object',
  required: ['rows', 'rowCount'],
  additionalProperties: false,
  properties: {
    rows: { type: 'array', items: { type: 'object' }, description: 'Rows by the names of their columns; bytes are base64.' },
    rowCount: { type: 'integer', description: 'Rows that were returned or changed.' },
  },
}
