import type { ReferenceableAuthentication } from './authentication.ts'

export interface EndpointObject {
  readonly uri: string
  readonly authentication?: ReferenceableAuthentication
}

/** A URI template, a runtime expression that gives a URI, or either of them with its authentication. */
export type Endpoint = string | EndpointObject

export interface ExternalResource {
  readonly name?: string
  readonly endpoint: Endpoint
}

/** A catalog of functions; `endpoint` is its root. */
export interface Catalog {
  readonly endpoint: Endpoint
}
