import { meant, quoted } from './wording.ts'

/** What is said of a secret that `use.secrets` does not list, whether an expression reads it or a scheme names it. */
export function undeclaredSecret(name: string, listed: readonly string[]) {
  const message = `The secret ${quoted(name)} is not listed in use.secrets.`
  return { code: 'undeclared_secret', message, hint: meant(name, listed, `Add ${name} to use.secrets.`) } as const
}
