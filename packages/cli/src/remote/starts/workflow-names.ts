import type { Json, JsonObject } from '@millrace/engine'
import { isObject } from '@millrace/engine/definition'
import type { Connection } from '#remote/connect.ts'
import { readWorkflow } from '#remote/find-workflow.ts'

/** The starts of a file with the ids of the workflows whose ends they take, in place of their names. */
export async function withIds(connection: Connection, starts: readonly Json[]): Promise<readonly Json[]> {
  return inTurn(starts, async (start) => {
    if (!isObject(start)) return start
    return changeWorkflows(start, async (name) =>
      typeof name === 'string' && name.includes('/') ? (await readWorkflow(connection, name)).id : name,
    )
  })
}

/** A start with the names of the workflows whose ends it takes, in place of their ids. A workflow that was deleted keeps its id. */
export async function withNames({ client }: Connection, start: JsonObject): Promise<JsonObject> {
  return changeWorkflows(start, async (id) => {
    const found = typeof id === 'string' ? await client.workflows.get({ params: { id } }).catch(() => undefined) : undefined
    return documentName(found?.definition) ?? id
  })
}

/** `namespace/name` of a definition; undefined for a text that is not a definition. */
export function documentName(definition: Json | undefined): string | undefined {
  const { document } = isObject(definition) ? definition : {}
  const { namespace, name } = isObject(document) ? document : {}
  return typeof namespace === 'string' && typeof name === 'string' ? `${namespace}/${name}` : undefined
}

async function changeWorkflows(start: JsonObject, change: (workflow: Json) => Promise<Json>): Promise<JsonObject> {
  const { event } = start
  if (!isObject(event) || !Array.isArray(event['workflows'])) return start
  return { ...start, event: { ...event, workflows: await inTurn(event['workflows'], change) } }
}

async function inTurn<A, B>(all: readonly A[], act: (one: A) => Promise<B>): Promise<readonly B[]> {
  const done: B[] = []
  for (const one of all) done.push(await act(one))
  return done
}
