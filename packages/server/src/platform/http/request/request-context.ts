import type { JsonValue, Role, Scope } from '@millrace/contract'
import type { Principal } from '#platform/auth/principal.ts'
import type { Tx } from '#platform/db/database.ts'

/** The context of a request, as its handler sees it. */
export interface RequestContext {
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | undefined
  readonly credential: 'session' | 'api_key' | 'none'
  /** The caller; `undefined` for public operations. */
  readonly principal: Principal | undefined
  readonly accountId: string
  readonly userId: string
  readonly role: Role
  readonly scopes: ReadonlySet<Scope>
  readonly isOperator: boolean
  readonly jti: string | undefined
  /** The transaction of the request, bound to the account. Reading it where the operation opens none is a bug and throws. */
  readonly tx: Tx
  readonly prefer: { readonly waitSeconds?: number }
  /** Revisions named by `If-Match`; `undefined` when any revision matches. */
  readonly ifMatch: readonly number[] | undefined
  readonly idempotencyKey: string | undefined
  /** `Last-Event-ID`, unchanged: the event after which a stream resumes. */
  readonly lastEventId: string | undefined
  /** Runs `work` with a signal that aborts when the caller disconnects. */
  whileConnected<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Runs `effect` after the transaction of the request is committed, or after a handler that opens its own transactions. */
  afterCommit(effect: () => void | Promise<void>): void
  /** Sets the details of the row that a success writes to the audit log. */
  audit(details: AuditDetails): void
}

export interface AuditDetails {
  /** TypeID of the affected resource. */
  readonly target?: string
  /** For public operations, which determine the account while they run. */
  readonly accountId?: string
  readonly userId?: string
  readonly details?: Readonly<Record<string, JsonValue>>
}
