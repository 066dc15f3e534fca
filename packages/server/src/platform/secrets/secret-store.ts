/** A secret's value: text, or what a policy of authentication takes whole, such as `{ "username": …, "password": … }`. */
export type SecretValue = string | SecretMembers
export interface SecretMembers {
  readonly [name: string]: SecretPart
}
export type SecretPart = string | number | boolean | null | readonly SecretPart[] | SecretMembers

/** The secrets of all accounts. Account ids are uuids, as the database has them. */
export interface SecretStore {
  /** Names of the secrets that an account has. */
  names(accountId: string): Promise<ReadonlySet<string>>
  /** Those of the named secrets that the account has, by name. */
  read(accountId: string, names: readonly string[]): Promise<Readonly<Record<string, SecretValue>>>
}

/** Where an installation has no secrets. */
export const noSecrets: SecretStore = {
  names: () => Promise.resolve(new Set()),
  read: () => Promise.resolve({}),
}
