import { isObject, objectAt } from '#src/shape/variables.ts'
import type { Json } from '#src/types/json.ts'

/** The names that a document's `use` gives to its components, by section. */
export interface Components {
  readonly authentications: readonly string[]
  readonly errors: readonly string[]
  readonly retries: readonly string[]
  readonly timeouts: readonly string[]
  readonly secrets: readonly string[]
  readonly functions: readonly string[]
  readonly catalogs: readonly string[]
}

export function componentsOf(document: Json): Components {
  const use = isObject(document) ? objectAt(document, 'use') : undefined
  const names = (section: string): string[] => (use === undefined ? [] : Object.keys(objectAt(use, section) ?? {}))
  const secrets = use?.['secrets']
  return {
    authentications: names('authentications'),
    errors: names('errors'),
    retries: names('retries'),
    timeouts: names('timeouts'),
    secrets: Array.isArray(secrets) ? secrets.filter((name) => typeof name === 'string') : [],
    functions: names('functions'),
    catalogs: names('catalogs'),
  }
}
