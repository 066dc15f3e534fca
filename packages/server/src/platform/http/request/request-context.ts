import type { IncomingHttpHeaders } from 'node:http'
import type { JsonValue, Role, Scope } from '@millrace/contract'
import type { Principal } from '#platform/auth/principal.ts'
import type { Tx } from '#platform/db/database.ts'
import type { AskedRange } from '#platform/http/response/byte-range.ts'

/** The context of a request, as its handler sees it. */
export interface RequestContext {
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | undefined
  readonly credential: Principal['credential'] | 'none'
  /** The caller; `undefined` for public operations. */
  readonly principal: Principal | undefined
  readonly accountId: string
  readonly userId: string
  readonly role: Role
  readonly scopes: ReadonlySet<Scope>
  /** The workflows to which the API key of the caller is limited: an operation that is `filtered` leaves out the others. Undefined without this limit. */
  readonly workflowIds: ReadonlySet<string> | undefined
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
  /** Which part of a file is asked for. */
  readonly askedRange: AskedRange
  /** `Accept-Language`, unchanged. */
  readonly acceptLanguage: string | undefined
  /** Whether the caller prefers a stream of server-sent events, by `Accept`. */
  readonly acceptsEventStream: boolean
  /** The value of a cookie. */
  cookie(name: string): string | undefined
  /** False when a browser sent the request for a page of another origin. */
  readonly isFromOwnOrigin: boolean
  /** The bytes of the body and the fields of the head, for operations with `rawBody`. */
  readonly raw: RawMessage
  /** The bytes of the body as they arrive, once, for operations with `streamedBody`, and how many the sender announces. */
  readonly streamedBody: { readonly content: AsyncIterable<Uint8Array>; readonly bytes: number | undefined }
  /** Whether a browser navigates: it asks for a page (`Accept: text/html`) and not for JSON. */
  readonly wantsPage: boolean
  /** Whether the credential of the caller is still valid and still allows the operation. Rejects while that cannot be found out. */
  credentialStands(this: void): Promise<boolean>
  /** Runs `work` with a signal that aborts when the caller disconnects. */
  whileConnected<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Runs `effect` after the transaction of the request is committed, or after a handler that opens its own transactions. */
  afterCommit(effect: () => void | Promise<void>): void
  /** Sets the details of the row that a success writes to the audit log. */
  audit(details: AuditDetails): void
}

/** A request as it was sent. */
export interface RawMessage {
  readonly body: Buffer
  /** By lower-case names. */
  readonly headers: IncomingHttpHeaders
}

export interface AuditDetails {
  /** TypeID of the affected resource. */
  readonly target?: string
  /** For public operations, which determine the account while they run. */
  readonly accountId?: string
  readonly userId?: string
  readonly details?: Readonly<Record<string, JsonValue>>
  /** The changed resource before and after, without secrets. The event commits to each member that differs. */
  readonly change?: { readonly before: Readonly<Record<string, JsonValue>>; readonly after: Readonly<Record<string, JsonValue>> }
}

/** The idempotency key of a request, as a key of the user who chose it; undefined without one. */
export function userKeyOf({ userId, idempotencyKey }: Pick<RequestContext, 'userId' | 'idempotencyKey'>): string | undefined {
  return idempotencyKey === undefined ? undefined : `${userId}:${idempotencyKey}`
}
