import { followed } from '@millrace/jq/tracing'
import { isObject, objectAt } from '#src/shape/variables.ts'
import { importedReads, isOfRequest } from './imported-reads.ts'
import type { InputRead } from './input-read.ts'
import { walkDefinition } from './walk-definition.ts'

/** Reads that are listed at most. */
const readsMax = 200

/**
 * The parts of its input that a definition certainly reads, in the order of its tasks; of a part and what is below it only the latter. Data is followed as the
 * language says, through inputs, outputs, contexts, `$steps` and the values of expressions. What may come from elsewhere is not listed.
 * None for a definition with an input schema, which says more.
 */
export function inputReads(definition: unknown): readonly InputRead[] {
  if (!isObject(definition)) return []
  if (objectAt(definition, 'input')?.['schema'] !== undefined) return []
  const reads = new Map(importedReads(definition).map((read) => [read.path, read]))
  const isNeededAsRequest = isOfRequest(definition)
  walkDefinition(definition, followed, {
    note(path, isNeeded, { name, pointer }) {
      const needed = isNeeded || isNeededAsRequest(path)
      const known = reads.get(path)
      if (known === undefined || (needed && !known.needed)) reads.set(path, { path, needed, task: name, pointer })
    },
  })
  return withoutCovered(reads).slice(0, readsMax)
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
