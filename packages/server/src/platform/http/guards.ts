import type { AnyOperation, Gate } from '@millrace/contract'
import type { Principal } from '#platform/auth/principal.ts'
import type { IdempotencyStore } from './idempotency/idempotency.ts'
import type { RateLimiter } from './rate-limit/rate-limit.ts'
import type { AuditDetails, RequestContext } from './request/request-context.ts'
import type { Tx } from '#platform/db/database.ts'

/** The parts of a request by which its caller is authenticated. */
export interface CredentialSource {
  /** The `Authorization` header, unchanged. */
  readonly authorization: string | undefined
  readonly ip: string
  readonly userAgent: string | undefined
}

export interface AuditPort {
  /** Writes a row of the audit log, in `tx` if there is one, so that effect and row are committed together. */
  record(tx: Tx | undefined, ctx: RequestContext, event: string, details: AuditDetails): Promise<void>
}

/** Ports that the kernel calls before and after every handler; `compose` provides them. */
export interface Guards {
  /** Returns the caller, or `undefined` without a credential; a Fault when the credential is not valid. */
  authenticate(source: CredentialSource, op: AnyOperation): Promise<Principal | undefined>
  /** Whether a flag is on for callers without an account. */
  flagEnabled(flag: string): boolean
  /** Whether it is on for an account; `undefined` where all accounts have the flags of the installation. */
  readonly flagEnabledFor?: ((flag: string, accountId: string) => Promise<boolean>) | undefined
  /** For the age of a proof of identity; the clock of the system unless given. */
  readonly now?: (() => Date) | undefined
  /** Whether the owner of the installation has opened a gate. */
  gateOpen(gate: Gate): boolean
  /** Whether the consent of an account to transfers outside the region is in force. */
  hasConsent(accountId: string): Promise<boolean>
  /** The id of the workflow of an execution; undefined for an execution that the account does not have. Ids are uuids. */
  workflowOfExecution(accountId: string, executionId: string): Promise<string | undefined>
  /** Runs `fn` in one transaction bound to the account. */
  transaction<T>(accountId: string, fn: (tx: Tx) => Promise<T>): Promise<T>
  readonly audit: AuditPort
  readonly idempotency: IdempotencyStore
  readonly rateLimiter: RateLimiter
}
