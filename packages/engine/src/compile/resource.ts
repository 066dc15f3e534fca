import { type Endpoint, rawUri } from '@millrace/dsl'
import type { Json } from '#core/json.ts'
import type { Installation } from './context.ts'

/** The address of an endpoint, as it is written. */
export function writtenUri(endpoint: Endpoint): string {
  return typeof endpoint === 'string' ? endpoint : endpoint.uri
}

/** The address of the document at an endpoint: behind a page of a Git host there is the raw one. */
export function uriOf(endpoint: Endpoint): string {
  return rawUri(writtenUri(endpoint))
}

/** The resource that was fetched from an address when the definition was published. */
export function resourceAt(resources: Installation['resources'], uri: string): Json | undefined {
  return resources !== undefined && Object.hasOwn(resources, uri) ? resources[uri] : undefined
}
