import type { Json } from '@millrace/dsl'
import { scopeAt } from '@millrace/dsl/shapes'
import { isObject, jsonAt } from '#src/document/task-json.ts'
import { pathPart } from '#src/editor/inspector/picking/jq-path.ts'
import type { Rehearsal } from '#src/rehearse/rehearse.ts'

/** A value with the jq path that reads it. */
export interface ReadableValue {
  readonly root: string
  readonly value: Json | undefined
  /** Whether the value is missing, as null, in some runs: the step was on another way. */
  readonly uncertain?: boolean
}

/** Values of one origin. */
export interface ReadableGroup {
  readonly key: 'input' | 'steps' | 'start' | 'secrets'
  readonly title: string
  readonly values: readonly ReadableValue[]
}

/** What the step at a pointer can read: its input, variables of loops and catches, the steps before it, the input and context of the run, and secrets. */
export function readableValues(
  reference: string,
  {
    json,
    rehearsal,
    input,
  }: { readonly json: Json | undefined; readonly rehearsal: Rehearsal | undefined; readonly input: Json | undefined },
  titles: Readonly<Record<ReadableGroup['key'], string>>,
): readonly ReadableGroup[] {
  const { locals = [], steps = [] } = (json === undefined ? undefined : scopeAt(json, reference)) ?? {}
  const secrets = jsonAt(json, '/use/secrets')
  const outputOf = (pointer: string) => rehearsal?.steps.get(pointer)?.output
  const context: readonly ReadableValue[] = exportsContext(json) ? [{ root: '$context', value: undefined }] : []
  const groups: readonly ReadableGroup[] = [
    {
      key: 'input',
      title: titles.input,
      values: [
        { root: '.', value: rehearsal?.steps.get(reference)?.input },
        ...locals.map((name) => ({ root: `$${name}`, value: undefined })),
      ],
    },
    {
      key: 'steps',
      title: titles.steps,
      values: steps.map(({ name, pointer, certain }) => ({
        root: `$steps${pathPart(name)}`,
        value: outputOf(pointer),
        ...(certain ? {} : { uncertain: true }),
      })),
    },
    { key: 'start', title: titles.start, values: [{ root: '$workflow.input', value: input }, ...context] },
    {
      key: 'secrets',
      title: titles.secrets,
      values: (Array.isArray(secrets) ? secrets : []).map((name) => ({ root: `$secrets${pathPart(String(name))}`, value: undefined })),
    },
  ]
  return groups.filter(({ values }) => values.length > 0)
}

/** Whether a task exports something: until then the context is the input. */
function exportsContext(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (isObject(value) && value['export'] !== undefined) || Object.values(value).some(exportsContext)
}
