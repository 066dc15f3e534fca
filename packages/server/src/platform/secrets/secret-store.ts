/** The value of a secret: text, or an object for an authentication policy, such as `{ "username": …, "password": … }`. */
export type SecretValue = string | SecretMembers
export interface SecretMembers {
  readonly [name: string]: SecretPart
}
export type SecretPart = string | number | boolean | null | readonly SecretPart[] | SecretMembers

/** The secrets of all accounts. Account ids are uuids. */
export interface SecretStore {
  /** The names of all secrets of an account, with those of a workflow. */
  names(accountId: string, workflowId?: string): Promise<ReadonlySet<string>>
  /** The named secrets of the account, by name, those of a workflow before those of the account; unknown names are omitted. */
  read(accountId: string, names: readonly string[], workflowId?: string): Promise<Readonly<Record<string, SecretValue>>>
}

/** The store of an installation without secrets. */
export const noSecrets: SecretStore = {
  names: () => Promise.resolve(new Set()),
  read: () => Promise.resolve({}),
}
