import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { SecretStore, SecretValue } from '#platform/secrets/secret-store.ts'
import { resolveVariables } from './variable-store.ts'
import type { VariableValues } from './variable-values.ts'

export interface AccountSecretsDeps {
  readonly db: Kysely<Rows>
  readonly values: VariableValues
  /** The secrets of the installation's file, for names that are no variable. */
  readonly fallback: SecretStore
  /** Called with the names of secrets that were sealed under another key. */
  readonly onUnreadable: (accountId: string, names: readonly string[]) => void
}

/**
 * The secrets of accounts: variables of the kind secret first, then the file. Each reading asks the database, by an index, and only for definitions
 * that list secrets: so a change counts at once, in every process.
 */
export function createAccountSecrets({ db, values, fallback, onUnreadable }: AccountSecretsDeps): SecretStore {
  return {
    async names(accountId, scope = {}) {
      const { workflowId, environment = 'production' } = scope
      const found = await resolveVariables(db, accountId, { names: undefined, workflowId, environment, secret: true })
      return new Set([...(await fallback.names(accountId, scope)), ...found.map(({ name }) => name)])
    },

    async read(accountId, names, scope = {}) {
      const { workflowId, environment = 'production' } = scope
      const found = await resolveVariables(db, accountId, { names, workflowId, environment, secret: true })
      const secrets = found.flatMap(({ id, name, sealed }) => (sealed === undefined ? [] : [{ id, name, sealed }]))
      const plain = await values.openAll(db, accountId, secrets)
      const opened = secrets.map(({ name }, index) => ({ name, value: plain[index] }))
      const unreadable = opened.filter(({ value }) => value === undefined).map(({ name }) => name)
      if (unreadable.length > 0) onUnreadable(accountId, unreadable)
      const own = Object.fromEntries(opened.flatMap(({ name, value }) => (isSecretValue(value) ? [[name, value] as const] : [])))
      // A secret that cannot be opened is not replaced by another one of the same name.
      const others = names.filter((name) => !found.some((variable) => variable.name === name))
      return others.length === 0 ? own : { ...(await fallback.read(accountId, others, scope)), ...own }
    },
  }
}

function isSecretValue(value: unknown): value is SecretValue {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))
}
