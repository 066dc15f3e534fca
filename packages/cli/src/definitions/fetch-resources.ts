import type { FetchResource, Json, JsonObject } from '@millrace/engine'
import { gatherResources } from '@millrace/engine/local'
import { Failure } from '#command/failure.ts'
import type { CheckedDefinition } from './check-definition.ts'

export interface ResourceSource {
  readonly fetchResource: FetchResource
  /** Those that the definition lists are for the authentication of what it names itself. */
  readonly secrets: JsonObject
}

/** Fetches what a definition takes from elsewhere, by URI, as a server does when it is published. Throws a failure that names every place where that did not work. */
export async function fetchResources(
  { definition, file, parsed, known: { functions } }: CheckedDefinition,
  source: ResourceSource,
): Promise<Readonly<Record<string, Json>>> {
  if (definition === undefined) return {}
  const listed = definition.use?.secrets ?? []
  const secrets = Object.fromEntries(Object.entries(source.secrets).filter(([name]) => listed.includes(name)))
  const { resources, failures } = await gatherResources(definition, { fetchResource: source.fetchResource, secrets, functions })
  const lines = failures.map(({ pointer, message }) => {
    const { line, column } = parsed.positions.nearest(pointer).start
    return `${file}:${line}:${column}: ${message}`
  })
  if (lines.length > 0) throw new Failure(lines.join('\n       '))
  return Object.fromEntries(Object.entries(resources).map(([uri, { content }]) => [uri, content]))
}
