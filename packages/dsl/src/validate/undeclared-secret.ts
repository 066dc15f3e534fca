import type { Suggestions } from './facts.ts'
import { meantName, quoted } from './wording.ts'

/** What is said of a secret that `use.secrets` does not list, whether an expression reads it or a scheme names it. */
export function undeclaredSecret(suggestions: Suggestions, name: string, listed: ReadonlySet<string>) {
  const message = `The secret ${quoted(name)} is not listed in use.secrets.`
  return { code: 'undeclared_secret', message, hint: meantName(suggestions, name, listed, `Add ${name} to use.secrets.`) } as const
}
