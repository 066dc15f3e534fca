import type { JsonObject } from '#src/json.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'

/**
 * The names that an input schema has for members of the input; undefined if it means that there may be others: it says so, it gives names by patterns, or it
 * is put together from other schemas. Without `additionalProperties` other members are accepted, but nothing describes them.
 */
export function inputMembers({ format = 'json', document }: JsonObject): readonly string[] | undefined {
  if (typeof format !== 'string' || !/^json(?::|$)/.test(format) || document === undefined || !isObject(document)) return undefined
  const { properties, additionalProperties, required, type } = document
  const isObjectType = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
  if (!isObjectType || composing.some((key) => key in document)) return undefined
  if (additionalProperties !== undefined && additionalProperties !== false) return undefined
  const named = Object.keys(properties === undefined ? {} : (objectAt(document, 'properties') ?? {}))
  if (named.length === 0 && additionalProperties !== false) return undefined
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  return [...new Set([...named, ...needed])]
}

const composing = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
] as const
