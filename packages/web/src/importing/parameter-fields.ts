import type { groups, JsonValue, Reply } from '@millrace/contract'
import type { FieldKind, FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'

export type Parameter = Reply<(typeof groups)['templates']['get']>['parameters'][number]

const kinds: Readonly<Record<Parameter['kind'], FieldKind>> = {
  text: 'text',
  email: 'email',
  url: 'url',
  number: 'number',
  boolean: 'switch',
  list: 'textarea',
}

/** A field for each value that an import writes into the definition. */
export function fieldsOfParameters(parameters: readonly Parameter[]): readonly FieldSpec[] {
  return parameters.map(({ name, kind, description, required, example }) => ({
    name,
    kind: kinds[kind],
    label: description.replace(/\.$/, ''),
    required,
    placeholder: exampleText(example),
    ...(kind === 'list' ? { rows: 3, hint: m.importing.oneEachLine } : required ? {} : { hint: m.importing.keepsExample }),
  }))
}

const exampleText = (example: JsonValue): string => {
  if (Array.isArray(example)) return example.map(String).join('\n')
  return typeof example === 'object' ? '' : String(example)
}

/** What was filled in, with the kinds of the parameters; what was left empty keeps its value of the definition. */
export function valuesOfParameters(
  parameters: readonly Parameter[],
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(
    parameters.flatMap(({ name, kind }) => {
      const value = values[name]
      if (typeof value === 'boolean') return [[name, value]]
      return typeof value !== 'string' || value.trim() === '' ? [] : [[name, valueOf(kind, value)]]
    }),
  )
}

function valueOf(kind: Parameter['kind'], text: string): JsonValue {
  if (kind === 'number') return Number(text)
  if (kind !== 'list') return text.trim()
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
