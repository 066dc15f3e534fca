import { objectOf, type Traced } from '@millrace/jq/tracing'
import type { JsonObject } from '#src/json.ts'
import type { Path } from '#src/parse/pointer.ts'
import { timeout } from '#src/shape/data-shapes.ts'
import { objectAt } from '#src/shape/variables.ts'
import { knownNames } from '#src/tasks/called-function.ts'
import type { CatalogFunction } from '#src/validate/options.ts'
import { readBelow, type Sight, valueOfData, valueOfTransformation, variablesOf } from './expressions.ts'
import { type DataLack, type Maker, walkMain } from './walk-tasks.ts'

/** Nodes of expressions that are followed: far more than those of the largest definitions that people write. */
const nodesMax = 100_000

export interface Notes {
  readonly note: (path: string, sure: boolean, by: { readonly name: string | undefined; readonly pointer: string }) => void
  /** Called for reads of members that are certainly absent; other expressions are not followed then. */
  readonly lacks?: (lack: DataLack) => void
  /** Called for each member that an expression reads by a fixed name, with what is known of the value that it is read from. */
  readonly member?: (of: Traced, name: string) => void
  /** Functions whose outputs are known by their schemas. */
  readonly catalog?: readonly CatalogFunction[] | undefined
}

/** A thousand inner lists behind a thousand tasks are within it. */
const handedMax = 2_000_000

/** Follows data from the input of a workflow through all tasks, as far as it is known. */
export function walkDefinition(definition: JsonObject, given: Traced, { note, lacks, member, catalog = [] }: Notes): void {
  const budget = { left: nodesMax }
  const makers = new Map<Traced, readonly Maker[]>()
  const workflow = objectOf(new Map([['input', given]]), false)
  const sightAt = (dot: Traced, pointer: string, context?: Traced): Sight => ({
    dot,
    variables: () => variablesOf(Object.entries({ workflow, ...(context === undefined ? {} : { context }) })),
    budget,
    member,
    found: (path, sure) => note(path, sure, { name: undefined, pointer }),
    lacks:
      lacks === undefined
        ? undefined
        : ({ name, of }, at) => {
            if (of === dot)
              lacks({ name, at, data: dot, task: undefined, makers: makers.get(dot) ?? [], start: given, steps: new Map(), sources: [] })
          },
  })
  const metadata = objectAt(objectAt(definition, 'document') ?? {}, 'metadata') ?? {}
  const labels = sightAt(given, '/document/metadata/labels')
  // An execution without the value has no such label.
  if (lacks === undefined) valueOfData(metadata['labels'] ?? null, { ...labels, found: (path) => labels.found(path, false) }, undefined)
  const from = objectAt(definition, 'input')?.['from']
  const input = from === undefined ? given : valueOfTransformation(from, sightAt(given, '/input/from'), pathOf('input', 'from'))
  if (definition['timeout'] !== undefined) readBelow(timeout, definition['timeout'], sightAt(input, '/timeout'), pathOf('timeout'))
  const use = objectAt(definition, 'use') ?? {}
  const isExtended = Array.isArray(use['extensions']) && use['extensions'].length > 0
  const handed = { left: handedMax }
  const walk = {
    note,
    member,
    lacks: isExtended ? undefined : lacks,
    makers,
    workflow,
    start: input,
    isExtended,
    functions: { ...knownNames(use), catalog },
    budget,
    handed,
  }
  const ended = walkMain(walk, definition['do'] ?? [], input)
  const as = objectAt(definition, 'output')?.['as']
  if (as !== undefined) valueOfTransformation(as, sightAt(ended.output, '/output/as', ended.context), pathOf('output', 'as'))
}

function pathOf(...keys: readonly string[]): Path | undefined {
  return keys.reduce<Path | undefined>((parent, key) => ({ parent, key }), undefined)
}
