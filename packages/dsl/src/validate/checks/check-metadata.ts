import { suggest } from '#src/diagnostics/suggest.ts'
import type { Json, JsonObject } from '#src/json.ts'
import type { Path } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import type { Facts, Finding } from '#src/validate/facts.ts'
import { quoted } from '#src/validate/wording.ts'

/** Settings in the metadata of a document. Other keys belong to the author. */
const ofDocument = ['retention', 'concurrency', 'labels', 'timeZone', 'risk', 'parameters'] as const
const ofLoop = ['concurrency'] as const
/** Words of other products for the number of things at a time. */
const otherWords = /^(?:max_?)?(?:concurren|parallel)/i

/** Warns of keys of metadata that are probably settings of ours, misspelt or at a task for which they mean nothing. */
export function checkMetadata({ tasks, findings }: Facts, document: Json): void {
  const root = isObject(document) ? (objectAt(document, 'document') ?? {}) : {}
  const at: Path = { parent: { parent: undefined, key: 'document' }, key: 'metadata' }
  findings.push(...misspelt(objectAt(root, 'metadata') ?? {}, at, ofDocument))
  for (const { task, path } of tasks) {
    const metadata = objectAt(task, 'metadata')
    if (metadata === undefined) continue
    const place: Path = { parent: path, key: 'metadata' }
    if ('for' in task) findings.push(...misspelt(metadata, place, ofLoop))
    else if ('fork' in task && 'concurrency' in metadata) findings.push(atFork({ parent: place, key: 'concurrency' }))
  }
}

function misspelt(metadata: JsonObject, path: Path, known: readonly string[]): readonly Finding[] {
  return Object.keys(metadata).flatMap((key) => {
    if (known.includes(key)) return []
    const meant = suggest(key, known) ?? (otherWords.test(key) ? 'concurrency' : undefined)
    if (meant === undefined) return []
    const message = `${quoted(key)} is no setting, and changes nothing.`
    const hint = `Did you mean ${JSON.stringify(meant)}?`
    return [
      { code: 'doubtful_metadata' as const, severity: 'warning' as const, path: { parent: path, key }, at: 'key' as const, message, hint },
    ]
  })
}

function atFork(path: Path): Finding {
  const message = 'Only a loop (for) has a number of rounds at a time: at a fork it changes nothing.'
  const hint = 'Branches all begin at once. For one after the other, write them as a list of tasks.'
  return { code: 'doubtful_metadata', severity: 'warning', path, at: 'key', message, hint }
}
