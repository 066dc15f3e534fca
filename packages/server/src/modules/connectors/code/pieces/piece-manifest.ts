import type { Json, JsonObject } from '@millrace/engine'
import { connectionArgument } from '#modules/connectors/functions/function-manifest.ts'
import type { PieceAction, PieceProperty } from './messages.ts'

const textMax = 1_000_000

/** What an action takes: its properties, and a connection if the piece needs credentials. */
export function inputOf({ properties }: PieceAction, hasAuth: boolean): JsonObject {
  const shown = Object.entries(properties).filter(([, { type }]) => type !== 'MARKDOWN')
  const required = shown.flatMap(([name, property]) => (property.required && !property.hasDefault ? [name] : []))
  return {
    type: 'object',
    additionalProperties: false,
    required: [...(hasAuth ? ['connection'] : []), ...required],
    properties: {
      ...(hasAuth ? { connection: connectionArgument } : {}),
      ...Object.fromEntries(shown.map(([name, property]) => [name, schemaOf(property)])),
    },
  }
}

function schemaOf(property: PieceProperty): JsonObject {
  const description = [property.displayName, property.description.trim()]
    .filter((text) => text !== '')
    .join(': ')
    .slice(0, 1_000)
  return { ...typeOf(property), ...(description === '' ? {} : { description }) }
}

function typeOf({ type, values }: PieceProperty): JsonObject {
  switch (type) {
    case 'SHORT_TEXT':
    case 'LONG_TEXT':
    case 'DATE_TIME':
    case 'COLOR':
      return { type: 'string', maxLength: textMax }
    case 'NUMBER':
      return { type: 'number' }
    case 'CHECKBOX':
      return { type: 'boolean' }
    case 'ARRAY':
    case 'MULTI_SELECT_DROPDOWN':
      return { type: 'array', maxItems: 10_000 }
    case 'STATIC_DROPDOWN':
      return values === undefined ? {} : { enum: values.filter(isJson) }
    case 'STATIC_MULTI_SELECT_DROPDOWN':
      return { type: 'array', maxItems: 10_000, ...(values === undefined ? {} : { items: { enum: values.filter(isJson) } }) }
    case 'OBJECT':
    case 'DYNAMIC':
      return { type: 'object' }
    case 'FILE':
      return {
        type: 'object',
        additionalProperties: false,
        required: ['filename', 'contentBase64'],
        properties: { filename: { type: 'string', maxLength: 255 }, contentBase64: { type: 'string', maxLength: textMax } },
      }
    // DROPDOWN and JSON take any value.
    default:
      return {}
  }
}

function isJson(value: unknown): value is Json {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
