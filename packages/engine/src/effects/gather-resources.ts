import { type Definition, type Resource, resourcesOf, type Task } from '@millrace/dsl'
import type { FunctionManifest } from '#compile/manifest.ts'
import type { ResourceJob, ResourceReading } from '#computing/thread-job.ts'
import { WorkflowError } from '#core/error.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { FetchResource } from './fetch-resource.ts'

/** Limits on the resources of one definition and on one fetch. */
const limits = { resources: 50, depth: 8, characters: 1024 * 1024, charactersOfAll: 4 * 1024 * 1024, timeoutMs: 10_000 } as const

export interface GatherOptions {
  readonly fetchResource: FetchResource
  /** For the authentication of what the definition names itself; what a fetched function names gets none. */
  readonly secrets: JsonObject
  /** The default catalog, which fetched functions may call. */
  readonly functions: readonly FunctionManifest[]
  /** Reads a schema or a function; in this thread unless given. */
  readonly read?: (job: ResourceJob) => Promise<ResourceReading>
}

export interface GatheredResource {
  readonly kind: Resource['kind']
  /** As it was fetched. */
  readonly text: string
  /** As `compileWorkflow` wants it. */
  readonly content: Json
}

/** Why something could not be taken, and the JSON Pointer to the property of the definition that leads to it. */
export interface GatherFailure {
  readonly pointer: string
  readonly message: string
}

export interface Gathered {
  /** By URI. */
  readonly resources: Readonly<Record<string, GatheredResource>>
  readonly failures: readonly GatherFailure[]
}

/**
 * Fetches what a valid definition takes from elsewhere (functions, schemas, scripts), and what that leads to. Documents of OpenAPI are
 * not among it: they are read when they are called. Throws errors other than failed fetches.
 */
export async function gatherResources(definition: Definition, options: GatherOptions): Promise<Gathered> {
  const state: Gathering = { options, resources: {}, failures: [] }
  // One after another: there are few, and a catalog is often one host.
  for (const resource of pinnedIn(definition)) await gather(state, resource, resource.pointer, [])
  return { resources: state.resources, failures: state.failures }
}

/** The resources of a definition that are fetched before it runs. */
export function pinnedIn(definition: Definition | Task): readonly Resource[] {
  return resourcesOf(definition).filter(({ kind }) => kind !== 'openapi')
}

interface Gathering {
  readonly options: GatherOptions
  readonly resources: Record<string, GatheredResource>
  readonly failures: GatherFailure[]
}

/** @param path addresses of the functions that led here. */
async function gather(state: Gathering, resource: Resource, pointer: string, path: readonly string[]): Promise<void> {
  const { uri, kind, literal } = resource
  const fail = (message: string) => void state.failures.push({ pointer, message })
  if (!literal) return fail('The address has to be known before anything runs: it can contain neither expressions nor variables.')
  if (path.includes(uri)) return fail(`The function at ${uri} leads back to itself.`)
  if (Object.hasOwn(state.resources, uri)) return
  if (path.length >= limits.depth) return fail(`Functions lead to functions more than ${limits.depth} levels deep.`)
  if (Object.keys(state.resources).length >= limits.resources)
    return fail(`A definition takes at most ${limits.resources} things from elsewhere.`)
  const fetched = await textOf(state.options, resource, path)
  if (!fetched.ok) return fail(`${uri} could not be fetched: ${fetched.why}`)
  const { text } = fetched
  if (text.length > limits.characters) return fail(`What is at ${uri} has more than ${limits.characters} characters.`)
  const all = Object.values(state.resources).reduce((sum, { text: { length } }) => sum + length, text.length)
  if (all > limits.charactersOfAll) return fail(`A definition takes at most ${limits.charactersOfAll} characters from elsewhere.`)
  const read = await readAs(kind, text, state.options)
  if (!read.ok) return fail(`What is at ${uri} is no ${kind} that can be used: ${read.why}`)
  state.resources[uri] = { kind, text, content: read.content }
  if (kind !== 'function') return
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It was parsed and validated as a function.
  for (const inner of pinnedIn(read.content as unknown as Task)) await gather(state, inner, pointer, [...path, uri])
}

type Fetched = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string }

async function textOf({ fetchResource, secrets }: GatherOptions, { endpoint }: Resource, path: readonly string[]): Promise<Fetched> {
  // A timer that keeps the process: nothing else may, while there is no connection yet.
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), limits.timeoutMs)
  try {
    return { ok: true, text: await fetchResource({ endpoint, secrets: path.length === 0 ? secrets : {}, signal: controller.signal }) }
  } catch (error) {
    if (controller.signal.aborted) return { ok: false, why: `it took longer than ${limits.timeoutMs / 1000} seconds` }
    if (error instanceof WorkflowError) return { ok: false, why: error.data.detail ?? error.data.title }
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const readHere = async (job: ResourceJob): Promise<ResourceReading> => (await import('#computing/perform-job.ts')).performJob(job)

/** Reads a text as a resource of its kind, or reports why it is invalid. */
async function readAs(kind: Resource['kind'], text: string, { read = readHere, functions }: GatherOptions): Promise<ResourceReading> {
  if (kind === 'script') return { ok: true, content: text }
  if (kind === 'openapi') return { ok: false, why: 'documents of OpenAPI are read when they are called' }
  return read({ kind: 'resource', resource: kind, text, functions })
}
