import { formatProblem } from '#src/shape/text-format.ts'
import { callShapes } from '#src/shape/task-shapes.ts'
import { type KnownNames, calledFunction } from '#src/tasks/called-function.ts'
import type { Finding, ReferenceSite, Suggestions } from '#src/validate/facts.ts'
import type { CatalogFunction } from '#src/validate/options.ts'
import { alternatives, chain, firstOf, meantName, quoted } from '#src/validate/wording.ts'

/** Checks that a called function is the DSL's own, the document's, of a catalog that it names, or of the default catalog. */
export function checkFunction(
  suggestions: Suggestions,
  site: ReferenceSite,
  names: KnownNames,
  defaultCatalog: readonly CatalogFunction[],
): Finding | undefined {
  const called = calledFunction(site.name, names)
  switch (called.kind) {
    case 'built-in':
    case 'inline':
      return undefined
    case 'url':
      return urlFinding(site, called.url)
    case 'default':
      return defaultFinding(suggestions, site, called, names, defaultCatalog)
    case 'cataloged':
      return names.catalogs.has(called.catalog) ? undefined : unknownCatalog(suggestions, site, called.catalog, names)
  }
}

/** A function is fetched when the definition is published, when no variable of a URL has a value. */
function urlFinding(site: ReferenceSite, url: string): Finding | undefined {
  const problem = formatProblem('uri', url)
  if (problem !== undefined) return { ...problem, path: site.path, at: 'value' }
  if (!url.includes('{')) return undefined
  const message = `The URL of a function cannot have variables: ${quoted(url)}.`
  return { code: 'invalid_uri', path: site.path, at: 'value', message, hint: 'Write the whole URL, and give what varies as an argument.' }
}

function unknownCatalog(suggestions: Suggestions, site: ReferenceSite, catalog: string, { catalogs }: KnownNames): Finding {
  const known = chain(['default'], catalogs)
  const hint = meantName(suggestions, catalog, known, `Define ${catalog} below use.catalogs, with its endpoint.`)
  const message = `There is no catalog named ${quoted(catalog)} in use.catalogs.`
  return { code: 'unknown_reference', path: site.path, at: 'value', message, hint }
}

/** Functions that are listed in a hint. */
const shownMax = 16

interface CalledVersion {
  readonly name: string
  readonly version: string | undefined
}

function defaultFinding(
  suggestions: Suggestions,
  site: ReferenceSite,
  { name, version }: CalledVersion,
  { functions }: KnownNames,
  defaultCatalog: readonly CatalogFunction[],
): Finding | undefined {
  const versions = defaultCatalog.filter((candidate) => candidate.name === name).map((candidate) => candidate.version)
  if (versions.length > 0)
    return version === undefined || versions.includes(version) ? undefined : unknownVersion(site, name, version, versions)
  const listed = defaultCatalog.filter(({ internal }) => internal === undefined).map((candidate) => candidate.name)
  const known = chain(callShapes.keys(), listed, functions)
  const callable = ['http', 'openapi', 'mcp', ...listed.filter((candidate) => !candidate.includes('.'))]
  const otherwise = `Define it below use.functions, or call ${firstOf(new Set(callable), shownMax).join(', ')} or an operation of a connector.`
  const hint = meantName(suggestions, name, known, otherwise)
  return { code: 'unknown_function', path: site.path, at: 'value', message: `There is no function named ${quoted(site.name)}.`, hint }
}

function unknownVersion(site: ReferenceSite, name: string, version: string, versions: readonly string[]): Finding {
  const message = `There is no version ${quoted(version)} of the function ${quoted(name)} here.`
  const hint = `Write ${alternatives(versions.slice(-10).map((known) => site.name.replace(`:${version}`, `:${known}`)))}.`
  return { code: 'unknown_function', path: site.path, at: 'value', message, hint }
}
