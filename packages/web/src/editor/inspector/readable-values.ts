import type { Json } from '@millrace/dsl'
import { isObject, jsonAt } from '#src/document/task-json.ts'
import { pathPart } from '#src/editor/inspector/insert-path.ts'
import { type DrawnEntry, flatEntries } from '#src/flow/drawing.ts'
import type { Rehearsal } from '#src/rehearse/rehearse.ts'

/** Values of one origin, each with the jq path that reads it. */
export interface ReadableGroup {
  readonly key: 'input' | 'steps' | 'start' | 'secrets'
  readonly title: string
  readonly values: readonly { readonly root: string; readonly value: Json | undefined }[]
}

/** What a step can read: its input, loop variables, the steps before it in its list and the lists around it, the input of the run, and secrets. */
export function readableValues(
  entries: readonly DrawnEntry[],
  entry: DrawnEntry,
  {
    json,
    rehearsal,
    input,
  }: { readonly json: Json | undefined; readonly rehearsal: Rehearsal | undefined; readonly input: Json | undefined },
  titles: Readonly<Record<ReadableGroup['key'], string>>,
): readonly ReadableGroup[] {
  const all = [...flatEntries(entries)]
  const before = all.filter((other) => other.index < positionWithin(entry, other.list) && other.path !== entry.path)
  const loops = all
    .filter((other) => other.kind === 'for' && entry.reference.startsWith(`${other.reference}/do/`))
    .flatMap((loop) => loopVariables(json, loop))
  const steps = before.map(({ name, reference }) => ({ root: `$steps${pathPart(name)}`, value: rehearsal?.steps.get(reference)?.output }))
  const secrets = jsonAt(json, '/use/secrets')
  const groups: readonly ReadableGroup[] = [
    { key: 'input', title: titles.input, values: [{ root: '.', value: rehearsal?.steps.get(entry.reference)?.input }, ...loops] },
    { key: 'steps', title: titles.steps, values: steps.toReversed() },
    { key: 'start', title: titles.start, values: [{ root: '$workflow.input', value: input }] },
    {
      key: 'secrets',
      title: titles.secrets,
      values: (Array.isArray(secrets) ? secrets : []).map((name) => ({ root: `$secrets${pathPart(String(name))}`, value: undefined })),
    },
  ]
  return groups.filter(({ values }) => values.length > 0)
}

/** The index in a list of the task that is the entry or is around it; 0 for a list that is not around it. */
function positionWithin({ reference }: DrawnEntry, list: string): number {
  if (!reference.startsWith(`${list}/`)) return 0
  return Number(reference.slice(list.length + 1).split('/')[0])
}

function loopVariables(
  json: Json | undefined,
  { reference }: DrawnEntry,
): readonly { readonly root: string; readonly value: Json | undefined }[] {
  const loop = jsonAt(json, `${reference}/for`)
  if (!isObject(loop)) return []
  const { each, at } = loop
  return [`$${typeof each === 'string' ? each : 'item'}`, `$${typeof at === 'string' ? at : 'index'}`].map((root) => ({
    root,
    value: undefined,
  }))
}
