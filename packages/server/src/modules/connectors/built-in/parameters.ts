import type { JsonObject } from '@millrace/engine'

/** A parameter of an operation of a manifest. */
interface Parameter {
  readonly in: 'path' | 'query' | 'body'
  readonly required?: boolean
  readonly schema: JsonObject
  readonly description?: string
}

const parameter =
  (place: Parameter['in'], required: boolean) =>
  (schema: JsonObject, description?: string): Parameter => ({
    in: place,
    ...(required ? { required } : {}),
    schema,
    ...(description === undefined ? {} : { description }),
  })

export const inPath = (description?: string): Parameter =>
  parameter('path', true)({ type: 'string', minLength: 1, maxLength: 500 }, description)
export const inQuery = parameter('query', false)
export const neededInQuery = parameter('query', true)
export const inBody = parameter('body', false)
export const neededInBody = parameter('body', true)

export const text = (maxLength = 500): JsonObject => ({ type: 'string', maxLength })
export const filled = (maxLength = 500): JsonObject => ({ type: 'string', minLength: 1, maxLength })
export const whole = (minimum: number, maximum: number): JsonObject => ({ type: 'integer', minimum, maximum })
export const flag: JsonObject = { type: 'boolean' }
export const record: JsonObject = { type: 'object' }
export const list = (maxItems: number, items: JsonObject = {}): JsonObject => ({ type: 'array', maxItems, items })
