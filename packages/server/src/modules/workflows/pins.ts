import { parseDefinition, parseFunction, type Resource, resourcesOf, type Task } from '@millrace/dsl'
import { compileSchema, type FetchResource, type FunctionManifest, type Json, type JsonObject, WorkflowError } from '@millrace/engine'
import { sha256 } from './definition.ts'
import type { PinnedResource, PinnedResources } from './model.ts'

export interface PinDeps {
  readonly fetchResource: FetchResource
  /** The default catalog. */
  readonly functions: readonly FunctionManifest[]
  readonly readSecrets: (accountId: string, names: readonly string[]) => Promise<JsonObject>
}

/** Why something from elsewhere could not be kept, and the property of the definition that leads to it. */
export interface PinFailure {
  readonly pointer: string
  readonly message: string
}

/** What one version may take from elsewhere, and what one fetch may take. */
const limits = { resources: 50, depth: 8, characters: 1024 * 1024, timeoutMs: 10_000 } as const
/** Publications that fetch at the same time; the others wait, since each of them holds a connection. */
const pinningMax = 2

export type PinResources = ReturnType<typeof createPinning>

/** Fetches what definitions take from elsewhere, once, so that a version means the same for as long as it is kept. */
export function createPinning(deps: PinDeps) {
  let pinning = 0
  const waiting: (() => void)[] = []

  return async (accountId: string, definition: Parameters<typeof resourcesOf>[0], secretNames: readonly string[]) => {
    const wanted = resourcesOf(definition).filter(({ kind }) => kind !== 'openapi')
    if (wanted.length === 0) return { resources: {}, failures: [] }
    if (pinning >= pinningMax) await new Promise<void>((resolve) => waiting.push(resolve))
    pinning += 1
    try {
      return await pinAll(deps, wanted, await deps.readSecrets(accountId, secretNames))
    } finally {
      pinning -= 1
      waiting.shift()?.()
    }
  }
}

interface Pinning {
  readonly deps: PinDeps
  readonly secrets: JsonObject
  readonly resources: Record<string, PinnedResource>
  readonly failures: PinFailure[]
}

async function pinAll(deps: PinDeps, wanted: readonly Resource[], secrets: JsonObject) {
  const state: Pinning = { deps, secrets, resources: {}, failures: [] }
  // One after another: there are few, and a catalog is often one host.
  for (const resource of wanted) await pin(state, resource, resource.pointer, [])
  return { resources: state.resources satisfies PinnedResources, failures: state.failures }
}

/** @param path addresses of the functions that led here. */
async function pin(state: Pinning, resource: Resource, pointer: string, path: readonly string[]): Promise<void> {
  const { uri, kind, literal, endpoint } = resource
  const fail = (message: string) => void state.failures.push({ pointer, message })
  if (!literal) return fail('The address has to be known when the definition is published: it can hold neither expressions nor variables.')
  if (path.includes(uri)) return fail(`The function at ${uri} leads back to itself.`)
  if (Object.hasOwn(state.resources, uri)) return
  if (path.length >= limits.depth) return fail(`Functions lead to functions more than ${limits.depth} levels deep.`)
  if (Object.keys(state.resources).length >= limits.resources)
    return fail(`A definition takes at most ${limits.resources} things from elsewhere.`)
  let text: string
  try {
    // Only what the definition itself names may use its secrets; what a fetched function names may not.
    const secrets = path.length === 0 ? state.secrets : {}
    text = await state.deps.fetchResource({ endpoint, secrets, signal: AbortSignal.timeout(limits.timeoutMs) })
  } catch (error) {
    return fail(`${uri} could not be fetched: ${reasonOf(error)}`)
  }
  if (text.length > limits.characters) return fail(`What is at ${uri} has more than ${limits.characters} characters.`)
  const read = readers[kind](text, state.deps.functions)
  if (typeof read === 'string') return fail(`What is at ${uri} is no ${kind} that can be used: ${read}`)
  state.resources[uri] = { kind, sha256: sha256(text), content: read.content }
  if (read.task === undefined) return
  for (const inner of resourcesOf(read.task)) if (inner.kind !== 'openapi') await pin(state, inner, pointer, [...path, uri])
}

function reasonOf(error: unknown): string {
  if (error instanceof WorkflowError) return error.data.detail ?? error.data.title
  if (error instanceof Error && error.name === 'TimeoutError') return `it took longer than ${limits.timeoutMs / 1000} seconds`
  throw error
}

type Read = { readonly content: Json; readonly task?: Task } | string

/** What a text is as a resource of its kind, or what is wrong with it. */
const readers: Readonly<Record<Resource['kind'], (text: string, functions: readonly FunctionManifest[]) => Read>> = {
  script: (text) => ({ content: text }),
  openapi: () => 'documents of OpenAPI are read when they are called',
  schema(text) {
    const { document, diagnostics } = parseDefinition(text)
    if (document === undefined) return diagnostics[0]?.message ?? 'it cannot be read'
    return { content: document }
  },
  function(text, functions) {
    const checkValue = (document: Json, value: Json) => compileSchema({ document })(value)
    const { function: task, diagnostics } = parseFunction(text, { functions, checkValue })
    if (task === undefined) {
      const first = diagnostics.find(({ severity }) => severity === 'error')
      return first === undefined ? 'it cannot be read' : `line ${first.line}: ${first.message}`
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A function is parsed JSON; its type only names what is in it.
    return { content: task as unknown as Json, task }
  },
}
