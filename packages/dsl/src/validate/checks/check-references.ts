import { durationMs, meantDuration } from '#src/duration.ts'
import { checkFunction } from './check-function.ts'
import type { Components } from './components.ts'
import type { Facts, Finding, ReferenceSite, Suggestions } from '#src/validate/facts.ts'
import type { CatalogFunction, ValidateOptions } from '#src/validate/options.ts'
import { meantName, quoted, undeclaredSecret } from '#src/validate/wording.ts'

/** Checks that every reference has a target, in the document or in the installation. */
export function checkReferences(facts: Facts, components: Components, options: ValidateOptions): void {
  const known: Known = { components, secrets: options.secrets && new Set(options.secrets), functions: options.functions ?? [] }
  for (const site of facts.references) {
    const finding = findingOf(facts.suggestions, site, known)
    if (finding !== undefined) facts.findings.push(finding)
  }
}

/** The possible targets of references, in the document and in the installation. */
interface Known {
  readonly components: Components
  readonly secrets: ReadonlySet<string> | undefined
  readonly functions: readonly CatalogFunction[]
}

function findingOf(suggestions: Suggestions, site: ReferenceSite, { components, secrets, functions }: Known): Finding | undefined {
  switch (site.kind) {
    case 'authentication':
      return unknownPolicy(suggestions, site, components.authentications)
    case 'error':
      return unknown(suggestions, site, 'error', 'errors', components.errors)
    case 'retry':
      return unknown(suggestions, site, 'retry policy', 'retries', components.retries)
    case 'timeout':
      return unknownTimeout(suggestions, site, components.timeouts)
    case 'secret':
      if (components.secrets.has(site.name)) return undefined
      return { ...undeclaredSecret(suggestions, site.name, components.secrets), path: site.path, at: 'value' }
    case 'listedSecret':
      return missingSecret(suggestions, site, secrets)
    case 'function':
      return checkFunction(suggestions, site, components, functions)
    default:
      // Whether a `then` leads anywhere depends on the list that it stands in: check-flow.ts.
      return undefined
  }
}

function unknown(
  suggestions: Suggestions,
  site: ReferenceSite,
  what: string,
  section: string,
  names: ReadonlySet<string>,
): Finding | undefined {
  if (names.has(site.name)) return undefined
  const hint = meantName(suggestions, site.name, names, `Define it below use.${section}, or write it here in place of the name.`)
  const message = `There is no ${what} named ${quoted(site.name)} in use.${section}.`
  return { code: 'unknown_reference', path: site.path, at: 'value', message, hint }
}

function unknownPolicy(suggestions: Suggestions, site: ReferenceSite, policies: ReadonlySet<string>): Finding | undefined {
  const finding = unknown(suggestions, site, 'authentication policy', 'authentications', policies)
  return finding && { ...finding, hint: `${finding.hint} If it is a connection of the account, call http.request instead.` }
}

function unknownTimeout(suggestions: Suggestions, site: ReferenceSite, names: ReadonlySet<string>): Finding | undefined {
  const finding = unknown(suggestions, site, 'timeout', 'timeouts', names)
  const meant = durationMs(site.name) === undefined ? meantDuration(site.name) : site.name
  return finding === undefined || meant === undefined ? finding : { ...finding, hint: `Write timeout: { after: ${meant} }.` }
}

function missingSecret(suggestions: Suggestions, site: ReferenceSite, secrets: ReadonlySet<string> | undefined): Finding | undefined {
  if (secrets === undefined || secrets.has(site.name)) return undefined
  const message = `There is no secret ${quoted(site.name)} here.`
  const hint = meantName(
    suggestions,
    site.name,
    secrets,
    'Create it on the page Variables or with "millrace variables --secret NAME", or remove it from the list.',
  )
  return { code: 'unknown_secret', path: site.path, at: 'value', message, hint }
}
