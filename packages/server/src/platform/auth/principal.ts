import type { Role, Scope } from '@millrace/contract'

/** Who makes a request, as its credential proves. */
export interface Principal {
  readonly accountId: string
  readonly userId: string
  readonly role: Role
  readonly isOperator: boolean
  readonly credential: 'session' | 'api_key'
  readonly scopes: ReadonlySet<Scope>
  /** Id of the session (uuid); absent for an API key. */
  readonly jti?: string
  /** Id of the API key (uuid); absent for a session. */
  readonly keyId?: string
}
