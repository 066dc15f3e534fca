import type { JsonValue } from '@millrace/contract'
import { readJson } from '#src/api/json.ts'
import { m } from '#src/messages/messages.ts'
import type { FieldSpec } from '#src/forms/field.tsx'

type Node = Readonly<Record<string, unknown>>

const nodeOf = (value: unknown): Node => (typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {})

/** The fields of a JSON Schema of an object with plain properties. */
export function fieldsOfSchema(schema: unknown): readonly FieldSpec[] {
  const { properties, required } = nodeOf(schema)
  const needed = new Set(Array.isArray(required) ? required : [])
  return Object.entries(nodeOf(properties)).map(([name, property]) => fieldOf(name, nodeOf(property), needed.has(name)))
}

function fieldOf(name: string, { title, description, enum: values, type }: Node, required: boolean): FieldSpec {
  const common = {
    name,
    label: typeof title === 'string' ? title : name,
    required,
    ...(typeof description === 'string' ? { hint: description } : {}),
  }
  if (Array.isArray(values))
    return { ...common, kind: 'select', options: [['', ''], ...values.map((value) => [String(value), String(value)] as const)] }
  if (type === 'boolean') return { ...common, kind: 'switch' }
  if (type === 'number' || type === 'integer') return { ...common, kind: 'number' }
  return type === 'object' || type === 'array' ? { ...common, kind: 'code' } : { ...common, kind: 'text' }
}

/** What was filled in, with the types of the schema. */
export function valuesOfFields(fields: readonly FieldSpec[], values: Node): Record<string, JsonValue> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind }) => {
      const value = values[name]
      if (value === undefined || value === '') return []
      return [[name, jsonOf(kind, value)]]
    }),
  )
}

function jsonOf(kind: FieldSpec['kind'], value: unknown): JsonValue {
  if (kind === 'number') return Number(value)
  if (kind === 'code') return readJson(String(value), m.editor.notJson)
  return typeof value === 'boolean' ? value : String(value)
}
