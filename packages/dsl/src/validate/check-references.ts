import { durationMs } from '#src/duration.ts'
import type { KnownNames } from '#src/tasks/called-function.ts'
import { checkFunction } from './check-function.ts'
import type { Components } from './components.ts'
import type { Facts, Finding, ReferenceSite } from './facts.ts'
import type { ValidateOptions } from './options.ts'
import { undeclaredSecret } from './undeclared-secret.ts'
import { meant, quoted } from './wording.ts'

/** Checks that every name refers to something, in the document or in the installation. */
export function checkReferences(facts: Facts, components: Components, options: ValidateOptions): void {
  const names = { functions: new Set(components.functions), catalogs: new Set(components.catalogs) }
  for (const site of facts.references) {
    const finding = findingOf(site, components, names, options)
    if (finding !== undefined) facts.findings.push(finding)
  }
}

function findingOf(site: ReferenceSite, components: Components, names: KnownNames, options: ValidateOptions): Finding | undefined {
  switch (site.kind) {
    case 'authentication':
      return unknown(site, 'authentication policy', 'authentications', components.authentications)
    case 'error':
      return unknown(site, 'error', 'errors', components.errors)
    case 'retry':
      return unknown(site, 'retry policy', 'retries', components.retries)
    case 'timeout':
      return unknownTimeout(site, components.timeouts)
    case 'secret':
      if (components.secrets.includes(site.name)) return undefined
      return { ...undeclaredSecret(site.name, components.secrets), path: site.path, at: 'value' }
    case 'listedSecret':
      return missingSecret(site, options.secrets)
    case 'function':
      return checkFunction(site, names, options.functions ?? [])
    default:
      // Whether a `then` leads anywhere depends on the list that it stands in: check-flow.ts.
      return undefined
  }
}

function unknown(site: ReferenceSite, what: string, section: string, names: readonly string[]): Finding | undefined {
  if (names.includes(site.name)) return undefined
  const hint = meant(site.name, names, `Define it below use.${section}, or write it here in place of the name.`)
  const message = `There is no ${what} named ${quoted(site.name)} in use.${section}.`
  return { code: 'unknown_reference', path: site.path, at: 'value', message, hint }
}

function unknownTimeout(site: ReferenceSite, names: readonly string[]): Finding | undefined {
  const finding = unknown(site, 'timeout', 'timeouts', names)
  return finding === undefined || durationMs(site.name) === undefined
    ? finding
    : { ...finding, hint: `Write timeout: { after: ${site.name} }.` }
}

function missingSecret(site: ReferenceSite, secrets: readonly string[] | undefined): Finding | undefined {
  if (secrets === undefined || secrets.includes(site.name)) return undefined
  const message = `There is no secret ${quoted(site.name)} here.`
  const hint = meant(site.name, secrets, 'Create it, or remove it from the list.')
  return { code: 'unknown_secret', path: site.path, at: 'value', message, hint }
}
