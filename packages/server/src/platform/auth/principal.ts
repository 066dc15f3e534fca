import { type AnyOperation, Fault, hasRole, permitsRole, type Role, type Scope, stepUpSecondsOf } from '@millrace/contract'
import { toTypeId } from '#platform/ids.ts'

/** The authenticated caller of a request. */
export interface Principal {
  readonly accountId: string
  readonly userId: string
  readonly role: Role
  readonly isOperator: boolean
  readonly credential: 'session' | 'api_key' | 'challenge'
  readonly scopes: ReadonlySet<Scope>
  /** Ids (uuid) of the workflows to which an API key is limited; absent for a caller without this limit. */
  readonly workflowIds?: ReadonlySet<string>
  /** When the user of the session proved their identity most recently; absent for an API key. */
  readonly authenticatedAt?: Date
  /** Id of the session (uuid); absent for an API key. */
  readonly jti?: string
  /** Id of the API key (uuid); absent for a session. */
  readonly keyId?: string
  /** The only path at which the credential is valid; absent for one that is valid everywhere. */
  readonly audience?: string
  /** Id of the sign-in that waits for a second factor (uuid), for the token of such a sign-in. */
  readonly challengeId?: string
}

/** The caller in the form that rows store: `key:key_…` for an API key, `user:usr_…` for a session, `anonymous` without a credential. */
export function actorOf(principal: Principal | undefined): string {
  if (principal === undefined) return 'anonymous'
  return principal.keyId === undefined ? `user:${toTypeId('usr', principal.userId)}` : `key:${toTypeId('key', principal.keyId)}`
}

/** Throws a Fault when the caller's scopes or role do not allow the operation. */
export function assertPermitted(op: AnyOperation, principal: Principal, now: () => Date = () => new Date()): void {
  if (op.auth === 'public') return
  assertUnlimited(op, principal)
  if (!principal.scopes.has(op.auth.scope))
    throw new Fault('insufficient_scope', { detail: `The credential lacks the scope ${op.auth.scope} that this operation needs.` })
  assertRole(op, principal)
  assertRecent(op, principal, now)
}

/** A key that is limited to workflows may call only operations that declare how they keep to the limit. */
export function assertUnlimited({ id, workflowKeys }: AnyOperation, { workflowIds }: Principal): void {
  if (workflowIds === undefined || workflowKeys !== undefined) return
  throw new Fault('key_restricted', {
    detail: `This API key is limited to chosen workflows and their executions, so it cannot call ${id}. Use a key without this limit.`,
  })
}

/** For a request of a key that is limited to workflows. */
export function restricted(reason: string): Fault {
  return new Fault('key_restricted', { detail: `This API key is limited to chosen workflows, and ${reason}.` })
}

function assertRole(op: AnyOperation, principal: Principal): void {
  if (op.role === 'operator' && !principal.isOperator)
    throw new Fault('insufficient_role', { detail: 'Only an operator of the installation may do this.' })
  if (permitsRole(op, principal.role)) return
  const needed = op.role === undefined || op.role === 'operator' || hasRole(principal.role, op.role) ? undefined : op.role
  throw new Fault('insufficient_role', {
    detail: needed === undefined ? 'An auditor reads and changes nothing.' : `This needs the role ${needed}; yours is ${principal.role}.`,
  })
}

/** A step-up in the manner of RFC 9470: 401 until the session has a recent proof of identity, which an API key never has. */
function assertRecent(op: AnyOperation, { authenticatedAt }: Principal, now: () => Date): void {
  const maxAgeSeconds = stepUpSecondsOf(op)
  if (maxAgeSeconds === undefined) return
  if (authenticatedAt !== undefined && now().getTime() - authenticatedAt.getTime() <= maxAgeSeconds * 1000) return
  throw new Fault('insufficient_authentication', { extensions: { maxAgeSeconds, stepUp: '/api/v1/auth/step-up' } })
}
