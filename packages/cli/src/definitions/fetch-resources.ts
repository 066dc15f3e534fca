import { parseDefinition, parseFunction, type Resource, resourcesOf, type Task } from '@millrace/dsl'
import { compileSchema, type Json, type JsonObject, WorkflowError } from '@millrace/engine/definition'
import type { FetchResource } from '@millrace/engine/local'
import { catalog } from '@millrace/server/catalog'
import { Failure } from '#command/failure.ts'
import type { CheckedDefinition } from './check-definition.ts'

export interface ResourceSource {
  readonly fetchResource: FetchResource
  /** Those that the definition lists are for the authentication of what it names itself. */
  readonly secrets: JsonObject
}

/** What one definition may take from elsewhere, and what one fetch may take; those of a server. */
const limits = { resources: 50, depth: 8, characters: 1024 * 1024, timeoutMs: 10_000 } as const

/** Fetches what a definition takes from elsewhere, by URI, as a server does when it is published. Throws a failure that names every place where that did not work. */
export async function fetchResources(checked: CheckedDefinition, source: ResourceSource): Promise<Readonly<Record<string, Json>>> {
  const { definition } = checked
  if (definition === undefined) return {}
  const listed = definition.use?.secrets ?? []
  const secrets = Object.fromEntries(Object.entries(source.secrets).filter(([name]) => listed.includes(name)))
  const state: Fetching = { fetchResource: source.fetchResource, secrets, resources: {}, failures: [] }
  for (const resource of resourcesOf(definition)) if (resource.kind !== 'openapi') await fetchOne(state, resource, resource.pointer, [])
  if (state.failures.length > 0) throw new Failure(state.failures.map((failure) => inFile(checked, failure)).join('\n       '))
  return state.resources
}

interface FetchFailure {
  /** To the property of the definition that leads to it. */
  readonly pointer: string
  readonly message: string
}

interface Fetching extends ResourceSource {
  readonly resources: Record<string, Json>
  readonly failures: FetchFailure[]
}

function inFile({ file, parsed }: CheckedDefinition, { pointer, message }: FetchFailure): string {
  const { line, column } = parsed.positions.nearest(pointer).start
  return `${file}:${line}:${column}: ${message}`
}

/** @param path addresses of the functions that led here. */
async function fetchOne(state: Fetching, resource: Resource, pointer: string, path: readonly string[]): Promise<void> {
  const { uri, kind, literal } = resource
  const fail = (message: string) => void state.failures.push({ pointer, message })
  if (!literal) return fail('The address has to be known before the workflow runs: it can hold neither expressions nor variables.')
  if (path.includes(uri)) return fail(`The function at ${uri} leads back to itself.`)
  if (Object.hasOwn(state.resources, uri)) return
  if (path.length >= limits.depth) return fail(`Functions lead to functions more than ${limits.depth} levels deep.`)
  if (Object.keys(state.resources).length >= limits.resources)
    return fail(`A definition takes at most ${limits.resources} things from elsewhere.`)
  const text = await textOf(state, resource, path)
  if (!text.ok) return fail(`${uri} could not be fetched: ${text.why}`)
  if (text.value.length > limits.characters) return fail(`What is at ${uri} has more than ${limits.characters} characters.`)
  const read = readers[kind](text.value)
  if (typeof read === 'string') return fail(`What is at ${uri} is no ${kind} that can be used: ${read}`)
  state.resources[uri] = read.content
  if (read.task === undefined) return
  for (const inner of resourcesOf(read.task)) if (inner.kind !== 'openapi') await fetchOne(state, inner, pointer, [...path, uri])
}

type Text = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly why: string }

async function textOf({ fetchResource, secrets }: Fetching, { endpoint }: Resource, path: readonly string[]): Promise<Text> {
  // A timer that keeps the process: nothing else may, while there is no connection yet.
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), limits.timeoutMs)
  try {
    // Only what the definition itself names may use its secrets; what a fetched function names may not.
    return { ok: true, value: await fetchResource({ endpoint, secrets: path.length === 0 ? secrets : {}, signal: controller.signal }) }
  } catch (error) {
    if (controller.signal.aborted) return { ok: false, why: `it took longer than ${limits.timeoutMs / 1000} seconds` }
    if (error instanceof WorkflowError) return { ok: false, why: error.data.detail ?? error.data.title }
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** What a text is as a resource of its kind, or what is wrong with it. */
const readers: Readonly<Record<Resource['kind'], (text: string) => { readonly content: Json; readonly task?: Task } | string>> = {
  script: (text) => ({ content: text }),
  openapi: () => 'documents of OpenAPI are read when they are called',
  schema(text) {
    const { document, diagnostics } = parseDefinition(text)
    return document === undefined ? (diagnostics[0]?.message ?? 'it cannot be read') : { content: document }
  },
  function(text) {
    const checkValue = (document: Json, value: Json) => compileSchema({ document })(value)
    const { function: task, diagnostics } = parseFunction(text, { functions: catalog, checkValue })
    if (task === undefined) {
      const first = diagnostics.find(({ severity }) => severity === 'error')
      return first === undefined ? 'it cannot be read' : `line ${first.line}: ${first.message}`
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A function is parsed JSON; its type only names what is in it.
    return { content: task as unknown as Json, task }
  },
}
