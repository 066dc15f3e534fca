import type { Json, JsonObject } from '@millrace/dsl'
import { isObject } from '#src/document/task-json.ts'
import { inputSchemaOf } from '#src/rehearse/samples.ts'
import { exampleOf } from '#src/values/schema-example.ts'

/** What a rehearsal starts with while no sample is given: the example of the input schema, or a value that its members make up. */
export function exampleInput(document: Json | undefined): Json {
  return madeUp(inputSchemaOf(document), 'input') ?? {}
}

const ofFormats: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00Z',
  time: '09:30:00Z',
  duration: 'PT1H',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}
const depthMax = 5
/** A longer text is not made up. */
const textMax = 1000

/** A value that fits a schema as far as its type, format and bounds say; undefined where they do not say enough. Its example or default comes first. */
function madeUp(schema: Json | undefined, name: string, depth = 0): Json | undefined {
  if (!isObject(schema) || depth > depthMax) return undefined
  const { const: only, enum: choices } = schema
  const given = exampleOf(schema) ?? only ?? (Array.isArray(choices) ? choices[0] : undefined)
  if (given !== undefined) return given
  switch (typeOf(schema)) {
    case 'string':
      return textOf(schema, name)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return false
    case 'array':
      return listOf(schema, name, depth)
    case 'object':
      return objectOf(schema, depth)
    default:
      return undefined
  }
}

function typeOf({ type, properties }: JsonObject): Json | undefined {
  const one = Array.isArray(type) ? type.find((each) => each !== 'null') : type
  return one ?? (properties === undefined ? undefined : 'object')
}

/** The name of the member says what the text would be. */
function textOf({ format, pattern, minLength = 0, maxLength }: JsonObject, name: string): string | undefined {
  if (pattern !== undefined) return undefined
  if (typeof format === 'string') return ofFormats[format]
  if (Number(minLength) > textMax) return undefined
  const text = name.padEnd(Number(minLength), ' …')
  return maxLength === undefined ? text : text.slice(0, Number(maxLength))
}

function numberOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: JsonObject): number | undefined {
  if (multipleOf !== undefined) return undefined
  if (typeof minimum === 'number') return Math.ceil(minimum)
  if (typeof exclusiveMinimum === 'number') return Math.floor(exclusiveMinimum) + 1
  if (typeof maximum === 'number' && maximum < 1) return Math.floor(maximum)
  return typeof exclusiveMaximum === 'number' && exclusiveMaximum <= 1 ? Math.ceil(exclusiveMaximum) - 1 : 1
}

function listOf({ items, minItems = 1 }: JsonObject, name: string, depth: number): Json | undefined {
  const item = madeUp(items, name, depth + 1)
  return item === undefined ? undefined : Array.from({ length: Math.min(10, Math.max(1, Number(minItems))) }, () => item)
}

function objectOf({ properties }: JsonObject, depth: number): Json {
  const members = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]): [string, Json][] => {
    const value = madeUp(member, name, depth + 1)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(members)
}
