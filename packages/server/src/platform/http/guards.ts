import type { AnyOperation } from '@millrace/contract'
import type { Principal } from '#platform/auth/principal.ts'
import type { IdempotencyStore } from './idempotency/idempotency.ts'
import type { RateLimiter } from './rate-limit/rate-limit.ts'
import type { AuditDetails, RequestContext } from './request/request-context.ts'
import type { Tx } from '#platform/db/database.ts'

/** What a credential is judged by. */
export interface CredentialSource {
  /** The `Authorization` header as it came. */
  readonly authorization: string | undefined
  readonly ip: string
  readonly userAgent: string | undefined
}

export interface AuditPort {
  /** Writes a row: in `tx` where there is one, so that effect and row are committed together. */
  record(tx: Tx | undefined, ctx: RequestContext, event: string, details: AuditDetails): Promise<void>
}

/** What stands between the transport and the handlers; every member is a port that `compose` fills. */
export interface Guards {
  /** The caller, or `undefined` without a credential; a Fault for one that is not valid. */
  authenticate(source: CredentialSource, op: AnyOperation): Promise<Principal | undefined>
  flagEnabled(flag: string): boolean
  /** Runs `fn` in one transaction bound to the account. */
  transaction<T>(accountId: string, fn: (tx: Tx) => Promise<T>): Promise<T>
  readonly audit: AuditPort
  readonly idempotency: IdempotencyStore
  readonly rateLimiter: RateLimiter
}
