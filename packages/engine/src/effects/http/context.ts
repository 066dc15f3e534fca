import type { Json } from '#core/json.ts'
import type { CredentialCache } from '#effects/http/authentication/credential-cache.ts'
import type { HttpPort } from './port.ts'

export interface HttpCallLimits {
  /** For each exchange with the outside, redirects included. */
  readonly timeoutMs: number
  readonly maxResponseBytes: number
}

/** The dependencies of a call besides its arguments. */
export interface HttpCallContext {
  readonly http: HttpPort
  readonly signal: AbortSignal
  /** The same over retries and recoveries of one attempt; sent as `Idempotency-Key` unless the arguments set that header. */
  readonly idempotencyKey: string
  /** The task's input: `{name}` in a URI template is its top-level property of that name. */
  readonly uriVariables: Json
  /** The evaluated policy of `use.authentications` with this name. */
  readonly authentication: (name: string) => Json | undefined
  /** The value of a secret that the workflow may read; undefined if it does not exist. */
  readonly secret: (name: string) => Promise<Json | undefined>
  /** Secret texts, to be masked in errors and outputs. */
  readonly sensitive?: readonly string[]
  /** Tokens and nonces that outlive a call; one per process. */
  readonly credentials: CredentialCache
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** An unpredictable text of at least 16 characters, new at each call: client nonces, token ids, multipart boundaries. */
  readonly randomId: () => string
  readonly limits: HttpCallLimits
}
