import type { SecretStore } from './secret-store.ts'

/** Secrets of the first store, and of the second one for names that the first does not know. */
export function firstOf(first: SecretStore, second: SecretStore): SecretStore {
  return {
    async names(accountId, scope) {
      const [own, others] = await Promise.all([first.names(accountId, scope), second.names(accountId, scope)])
      return new Set([...own, ...others])
    },
    async read(accountId, names, scope) {
      const own = await first.read(accountId, names, scope)
      const others = names.filter((name) => !Object.hasOwn(own, name))
      return others.length === 0 ? own : { ...(await second.read(accountId, others, scope)), ...own }
    },
  }
}
