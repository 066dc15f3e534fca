import type { Json } from '@millrace/dsl'
import { scopeAt } from '@millrace/dsl/shapes'
import { isObject, jsonAt } from '#src/document/task-json.ts'
import { pathPart } from '#src/editor/inspector/picking/jq-path.ts'
import type { Rehearsal } from '#src/rehearse/rehearse.ts'
import { inputSchemaOf } from '#src/rehearse/samples.ts'

/** A value with the jq path that reads it. */
export interface ReadableValue {
  readonly root: string
  readonly value: Json | undefined
  /** What it may have besides, by the input schema: fields that the sample lacks can be picked too. */
  readonly schema?: Json | undefined
  /** Whether the value is missing, as null, in some runs: the step was on another way. */
  readonly uncertain?: boolean
}

/** Values of one origin. */
export interface ReadableGroup {
  readonly key: 'input' | 'steps' | 'start' | 'secrets'
  readonly title: string
  readonly values: readonly ReadableValue[]
}

/** The parts of a value that can be picked, by their keys: those of the sample, and those that only the schema names. */
export function partsOf({
  value,
  schema,
}: Pick<ReadableValue, 'value' | 'schema'>): readonly (readonly [key: string | number, Pick<ReadableValue, 'value' | 'schema'>])[] {
  if (Array.isArray(value))
    return value.slice(0, itemsMax).map((item: Json, index) => [index, { value: item, schema: jsonAt(schema, '/items') }])
  if (value !== undefined && !isObject(value)) return []
  const declared = jsonAt(schema, '/properties')
  const named = isObject(declared) ? declared : {}
  const keys = new Set([...Object.keys(value ?? {}), ...Object.keys(named)])
  return [...keys].slice(0, childrenMax).map((key) => [key, { value: value?.[key], schema: named[key] }])
}

const itemsMax = 3
const childrenMax = 40

/** What the step at a pointer can read: its input, variables of loops and catches, the steps before it, the input and context of the run, and secrets. */
export function readableValues(
  reference: string,
  {
    json,
    rehearsal,
    input,
    undrawn = new Map(),
  }: {
    readonly json: Json | undefined
    readonly rehearsal: Rehearsal | undefined
    readonly input: Json | undefined
    /** Tasks that are not drawn themselves: they pass on what they get, and no one knows their names. */
    readonly undrawn?: ReadonlyMap<string, unknown>
  },
  titles: Readonly<Record<ReadableGroup['key'], string>>,
): readonly ReadableGroup[] {
  const { locals = [], steps = [] } = (json === undefined ? undefined : scopeAt(json, reference)) ?? {}
  const secrets = jsonAt(json, '/use/secrets')
  const outputOf = (pointer: string) => rehearsal?.steps.get(pointer)?.output
  const context: readonly ReadableValue[] = exportsContext(json) ? [{ root: '$context', value: undefined }] : []
  const schema = inputSchemaOf(json)
  const own = rehearsal?.steps.get(reference)?.input
  const groups: readonly ReadableGroup[] = [
    {
      key: 'input',
      title: titles.input,
      values: [
        { root: '.', value: own, ...(isSame(own, input) && jsonAt(json, '/input/from') === undefined ? { schema } : {}) },
        ...locals.map((name) => ({ root: `$${name}`, value: undefined })),
      ],
    },
    {
      key: 'steps',
      title: titles.steps,
      values: steps
        .filter(({ pointer }) => !undrawn.has(pointer))
        .map(({ name, pointer, certain }) => ({
          root: `$steps${pathPart(name)}`,
          value: outputOf(pointer),
          ...(certain ? {} : { uncertain: true }),
        })),
    },
    {
      key: 'start',
      title: titles.start,
      values: [{ root: '$workflow.input', value: input, ...(schema === undefined ? {} : { schema }) }, ...context],
    },
    {
      key: 'secrets',
      title: titles.secrets,
      values: (Array.isArray(secrets) ? secrets : []).map((name) => ({ root: `$secrets${pathPart(String(name))}`, value: undefined })),
    },
  ]
  return groups.filter(({ values }) => values.length > 0)
}

/** Whether a step gets what the workflow started with. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other)
}

/** Whether a task exports something: until then the context is the input. */
function exportsContext(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (isObject(value) && value['export'] !== undefined) || Object.values(value).some(exportsContext)
}
