/** The value of a secret: text, or an object for an authentication policy, such as `{ "username": …, "password": … }`. */
export type SecretValue = string | SecretMembers
export interface SecretMembers {
  readonly [name: string]: SecretPart
}
export type SecretPart = string | number | boolean | null | readonly SecretPart[] | SecretMembers

/** For what secrets are read. */
export interface SecretScope {
  /** Undefined: only secrets of the account. */
  readonly workflowId?: string | undefined
  /** `production` unless given. */
  readonly environment?: 'draft' | 'production'
}

/** The secrets of all accounts. Account ids are uuids. */
export interface SecretStore {
  /** The names of all secrets that can be read for a scope. */
  names(accountId: string, scope?: SecretScope): Promise<ReadonlySet<string>>
  /** The named secrets of the account, by name, those of a workflow before those of the account; unknown names are omitted. */
  read(accountId: string, names: readonly string[], scope?: SecretScope): Promise<Readonly<Record<string, SecretValue>>>
}

/** The store of an installation without secrets. */
export const noSecrets: SecretStore = {
  names: () => Promise.resolve(new Set()),
  read: () => Promise.resolve({}),
}
