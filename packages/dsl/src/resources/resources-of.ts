import { childPointer, pointerOf } from '#src/parse/pointer.ts'
import { schema } from '#src/shape/data-shapes.ts'
import { script } from '#src/shape/run-shapes.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import { type VisitedObject, visitDocument } from '#src/shape/visit.ts'
import { type KnownNames, calledFunction, knownNames } from '#src/tasks/called-function.ts'
import type { Definition } from '#src/shape/definition-shape.ts'
import type { Json, JsonObject } from '#src/json.ts'
import type { EndpointObject } from '#src/shape/data-shapes.ts'
import type { Task } from '#src/shape/task-shapes.ts'
import { catalogedFunctionUri } from './cataloged-function-uri.ts'
import { rawUri } from './raw-uri.ts'

/** An external resource of a definition, which is fetched and stored when the definition is published. */
export interface Resource {
  readonly kind: 'function' | 'schema' | 'script' | 'openapi'
  /** JSON Pointer to the property that names it: a `call`, the `resource` of a schema, the `source` of a script, the `document` of an OpenAPI call. */
  readonly pointer: string
  /** The URI of the raw document, also for a page of a Git host; as written if it is not a literal. */
  readonly uri: string
  /**
   * `uri` with the authentication that the definition gives for it; a name of `use.authentications` is replaced by the policy.
   *
   * A policy may have expressions: when a definition is published they can read `$secrets` only.
   */
  readonly endpoint: EndpointObject
  /** Whether the URI has no expression and no variable; only then the resource can be pinned. */
  readonly literal: boolean
}

/** The external resources of a valid definition, or of a function on its own, in the order of the document; a URI may occur several times. */
export function resourcesOf(definition: Definition | Task): readonly Resource[] {
  const resources: Resource[] = []
  const surroundings = surroundingsOf(definition)
  visitDocument(definition, (object) => {
    const found = foundIn(object, surroundings)
    if (found === undefined) return
    const pointer = found.below.reduce(childPointer, pointerOf(object.path))
    resources.push({ kind: found.kind, pointer, ...placeOf(found, surroundings) })
  })
  return resources
}

interface Surroundings {
  readonly names: KnownNames
  readonly catalogs: JsonObject
  readonly authentications: JsonObject
}

function surroundingsOf(definition: unknown): Surroundings {
  const use = (isObject(definition) ? objectAt(definition, 'use') : undefined) ?? {}
  return { names: knownNames(use), catalogs: objectAt(use, 'catalogs') ?? {}, authentications: objectAt(use, 'authentications') ?? {} }
}

interface Found {
  readonly kind: Resource['kind']
  readonly below: readonly string[]
  /** A URI or an endpoint object. */
  readonly endpoint: Json
  /** Maps the written URI to that of the document. */
  readonly resolve: (uri: string) => string
}

function foundIn({ shape, value, isTask }: VisitedObject, surroundings: Surroundings): Found | undefined {
  if (shape === schema) return external('schema', value, ['resource'])
  if (shape === script) return external('script', value, ['source'])
  const { call } = value
  if (!isTask || typeof call !== 'string') return undefined
  return call === 'openapi' ? external('openapi', value, ['with', 'document']) : calledIn(call, surroundings)
}

function external(kind: Found['kind'], owner: JsonObject, below: readonly string[]): Found | undefined {
  const resource = below.reduce<JsonObject | undefined>((object, key) => object && objectAt(object, key), owner)
  const endpoint = resource?.['endpoint']
  return endpoint === undefined ? undefined : { kind, below, endpoint, resolve: rawUri }
}

function calledIn(call: string, { names, catalogs }: Surroundings): Found | undefined {
  const called = calledFunction(call, names)
  if (called.kind === 'url') return { kind: 'function', below: ['call'], endpoint: called.url, resolve: rawUri }
  if (called.kind !== 'cataloged') return undefined
  const endpoint = objectAt(catalogs, called.catalog)?.['endpoint']
  if (endpoint === undefined) return undefined
  const resolve = (root: string) => catalogedFunctionUri(root, called.name, called.version)
  return { kind: 'function', below: ['call'], endpoint, resolve }
}

function placeOf({ endpoint, resolve }: Found, { authentications }: Surroundings): Pick<Resource, 'uri' | 'endpoint' | 'literal'> {
  const written = isObject(endpoint) ? endpoint['uri'] : endpoint
  const given = typeof written === 'string' ? written : ''
  // Expressions and variables have braces, which a URI cannot have.
  const literal = !given.includes('{')
  const uri = literal ? resolve(given) : given
  const policy = isObject(endpoint) ? objectAt(endpoint, 'authentication') : undefined
  return { uri, endpoint: policy === undefined ? { uri } : withPolicy(uri, policy, authentications), literal }
}

function withPolicy(uri: string, policy: JsonObject, authentications: JsonObject): EndpointObject {
  const named = typeof policy['use'] === 'string' ? objectAt(authentications, policy['use']) : undefined
  // The definition is valid, so the value is a policy.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { uri, authentication: named ?? policy } as unknown as EndpointObject
}
