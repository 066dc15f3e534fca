import { Fault, type InvalidPart, type JsonValue, type parameterKinds } from '@millrace/contract'
import { applyChanges, type Edit, editText } from '@millrace/dsl/edit'
import { escapePointer } from '#platform/json-pointer.ts'

export type ParameterKind = (typeof parameterKinds)[number]

/** A value that an import writes into a definition, at each of the places. */
export interface Parameter {
  readonly name: string
  readonly kind: ParameterKind
  readonly description: string
  readonly required: boolean
  /** JSON Pointers into the definition. */
  readonly at: readonly string[]
  readonly example: JsonValue
}

export type ParameterValues = Readonly<Record<string, JsonValue>>

const textCharactersMax = 10_000
const listEntriesMax = 100

/** Writes values into the text of a definition and leaves the rest as it is. Fault `parameters_invalid` names everything that is missing or does not fit. */
export function fillParameters(
  source: string,
  parameters: readonly Parameter[],
  values: ParameterValues,
  syntax: 'yaml' | 'json' = 'yaml',
): string {
  const errors = faultsOf(parameters, values)
  if (errors.length > 0) throw new Fault('parameters_invalid', { errors })
  let text = source
  for (const { name, at } of parameters) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value !== undefined) for (const pointer of at) text = edited(text, syntax, { kind: 'set', pointer, value })
  }
  return text
}

/** The text after an edit that is known to be possible. */
export function edited(text: string, syntax: 'yaml' | 'json', edit: Edit): string {
  const result = editText(text, syntax, edit)
  if ('fault' in result) throw new Error(`the definition cannot be edited: ${result.fault.message}`)
  return applyChanges(text, result.changes)
}

function faultsOf(parameters: readonly Parameter[], values: ParameterValues): InvalidPart[] {
  const names = new Set(parameters.map(({ name }) => name))
  const unknown = Object.keys(values)
    .filter((name) => !names.has(name))
    .map((name) => ({
      pointer: pointerOf(name),
      detail: names.size === 0 ? 'There are no parameters.' : `There is no such parameter. There are: ${[...names].join(', ')}.`,
    }))
  return [...unknown, ...parameters.flatMap((parameter) => faultOf(parameter, values))]
}

function faultOf({ name, kind, description, required, example }: Parameter, values: ParameterValues): InvalidPart[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  if (value === undefined)
    return required ? [{ pointer: pointerOf(name), detail: `Is required: ${description} Example: ${JSON.stringify(example)}.` }] : []
  return checks[kind](value) ? [] : [{ pointer: pointerOf(name), detail: `Must be ${expectations[kind]}.` }]
}

const pointerOf = (name: string) => `/parameters/${escapePointer(name)}`

const expectations: Readonly<Record<ParameterKind, string>> = {
  text: 'a text of at most 10000 characters that is no expression',
  email: 'a mail address, such as ada@example.com',
  url: 'an absolute URL with http or https',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list of 1 to 100 texts',
}

const checks: Readonly<Record<ParameterKind, (value: JsonValue) => boolean>> = {
  text: isPlainText,
  email: (value) => isPlainText(value) && /^[^\s@<>]{1,64}@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/.test(value),
  url: (value) => isPlainText(value) && URL.canParse(value) && /^https?:\/\//i.test(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value) && value.length > 0 && value.length <= listEntriesMax && value.every((entry) => isPlainText(entry)),
}

/** A text that is not an expression: a value must not become code. */
function isPlainText(value: JsonValue): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= textCharactersMax && !value.includes('${')
}
