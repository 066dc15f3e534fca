import { isObject, objectAt } from '#src/shape/variables.ts'
import type { Json } from '#src/json.ts'

type Section = 'authentications' | 'errors' | 'retries' | 'timeouts' | 'secrets' | 'functions' | 'catalogs'

/** The names that a document's `use` gives to its components, by section. */
export type Components = Readonly<Record<Section, ReadonlySet<string>>>

export function componentsOf(document: Json): Components {
  const use = isObject(document) ? objectAt(document, 'use') : undefined
  const names = (section: Section): ReadonlySet<string> => new Set(use === undefined ? [] : Object.keys(objectAt(use, section) ?? {}))
  const secrets = use?.['secrets']
  return {
    authentications: names('authentications'),
    errors: names('errors'),
    retries: names('retries'),
    timeouts: names('timeouts'),
    secrets: new Set(Array.isArray(secrets) ? secrets.filter((name) => typeof name === 'string') : []),
    functions: names('functions'),
    catalogs: names('catalogs'),
  }
}
