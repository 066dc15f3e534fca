import type { JsonValue, Role, Scope } from '@millrace/contract'
import type { Principal } from '#platform/auth/principal.ts'
import type { Tx } from '#platform/db/database.ts'

/** What a handler knows of its request beside the parsed parts. */
export interface RequestContext {
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | undefined
  readonly credential: 'session' | 'api_key' | 'none'
  /** Who calls; `undefined` for public operations. */
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
  /** Revisions that `If-Match` names; `undefined` when any will do. */
  readonly ifMatch: readonly number[] | undefined
  readonly idempotencyKey: string | undefined
  /** The header of a stream that goes on; as it came. */
  readonly lastEventId: string | undefined
  /** Does something that is worth its time only as long as the caller is there: the signal aborts when it hangs up. */
  whileConnected<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Runs when the transaction of the request is committed, or at the end of a handler that opens its own. */
  afterCommit(effect: () => void | Promise<void>): void
  /** Details for the row that a success leaves in the audit log. */
  audit(details: AuditDetails): void
}

export interface AuditDetails {
  /** TypeID of what it was done to. */
  readonly target?: string
  /** For operations without a credential, which learn the account only while they run. */
  readonly accountId?: string
  readonly userId?: string
  readonly details?: Readonly<Record<string, JsonValue>>
}
