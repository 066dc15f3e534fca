import { followed, objectOf, type Traced } from '@millrace/jq/tracing'
import type { JsonObject } from '#src/json.ts'
import { timeout } from '#src/shape/data-shapes.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import { readBelow, type Sight, valueOfData, valueOfTransformation, variablesOf } from './expressions.ts'
import { walkMain } from './walk-tasks.ts'

/** A part of its input that a workflow reads. */
export interface InputRead {
  /** Such as `customer.email` or `items[].price`; `["order-id"]` for a name that is not a plain word. */
  readonly path: string
  /** Whether every run reads it and has no default where it is absent. */
  readonly needed: boolean
  /** Name of the first task that reads it; undefined for the workflow itself. */
  readonly task: string | undefined
  /** JSON Pointer of that task. */
  readonly pointer: string
}

/** Nodes of expressions that are followed: far more than those of the largest definitions that people write. */
const nodesMax = 100_000

/** Reads that are listed at most. */
const readsMax = 200

/**
 * The parts of its input that a definition certainly reads, in the order of its tasks; of a part and what is below it only the latter. Data is followed as the
 * language says, through inputs, outputs, contexts, `$steps` and the values of expressions. What may come from elsewhere is not listed.
 * None for a definition with an input schema, which says more.
 */
export function inputReads(definition: unknown): readonly InputRead[] {
  if (!isObject(definition)) return []
  const given = objectAt(definition, 'input') ?? {}
  if (given['schema'] !== undefined) return []
  const reads = new Map<string, InputRead>()
  readDefinition(definition, given, (path, needed, { name, pointer }) => {
    const known = reads.get(path)
    if (known === undefined || (needed && !known.needed)) reads.set(path, { path, needed, task: name, pointer })
  })
  return withoutCovered(reads).slice(0, readsMax)
}

type Note = (path: string, needed: boolean, by: { readonly name: string | undefined; readonly pointer: string }) => void

function readDefinition(definition: JsonObject, { from }: JsonObject, note: Note): void {
  const budget = { left: nodesMax }
  const workflow = objectOf(new Map([['input', followed]]), false)
  const sightAt = (dot: Traced, pointer: string, context?: Traced): Sight => ({
    dot,
    variables: variablesOf(Object.entries({ workflow, ...(context === undefined ? {} : { context }) })),
    budget,
    found: (path, sure) => note(path, sure, { name: undefined, pointer }),
  })
  const metadata = objectAt(objectAt(definition, 'document') ?? {}, 'metadata') ?? {}
  const labels = sightAt(followed, '/document/metadata/labels')
  // An execution without the value has no such label.
  valueOfData(metadata['labels'] ?? null, { ...labels, found: (path) => labels.found(path, false) })
  const input = from === undefined ? followed : valueOfTransformation(from, sightAt(followed, '/input/from'))
  if (definition['timeout'] !== undefined) readBelow(timeout, definition['timeout'], sightAt(input, '/timeout'))
  const extensions = objectAt(definition, 'use')?.['extensions']
  const isExtended = Array.isArray(extensions) && extensions.length > 0
  const ended = walkMain({ note, workflow, isExtended, budget }, definition['do'] ?? [], input)
  const as = objectAt(definition, 'output')?.['as']
  if (as !== undefined) valueOfTransformation(as, sightAt(ended.output, '/output/as', ended.context))
}

/** Leaves out what a longer path says more exactly. */
function withoutCovered(reads: ReadonlyMap<string, InputRead>): readonly InputRead[] {
  const covered = new Set<string>()
  for (const { path, needed } of reads.values())
    for (let at = path.length - 1; at > 0; at--) {
      if (path[at] !== '.' && path[at] !== '[') continue
      const above = reads.get(path.slice(0, at))
      if (above !== undefined && (needed || !above.needed)) covered.add(above.path)
    }
  return [...reads.values()].filter(({ path }) => !covered.has(path))
}
