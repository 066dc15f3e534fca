import { callShapes } from '#src/shape/task-shapes.ts'
import { functionReference } from '#src/tasks/function-reference.ts'
import type { Components } from './components.ts'
import type { Finding, ReferenceSite } from './facts.ts'
import { meant, quoted } from './wording.ts'

/** Checks that a called function is the DSL's own, the document's, of a catalog that it names, or of the default catalog. */
export function checkFunction(site: ReferenceSite, components: Components, defaultCatalog: readonly string[]): Finding | undefined {
  if (callShapes.has(site.name) || components.functions.includes(site.name)) return undefined
  const reference = functionReference(site.name)
  switch (reference.kind) {
    case 'url':
      return undefined
    case 'name':
      return isCataloged(reference.name, undefined, defaultCatalog) ? undefined : unknownName(site, components, defaultCatalog)
    case 'cataloged':
      break
  }
  // A catalog that the document itself calls `default` takes the place of ours.
  if (components.catalogs.includes(reference.catalog)) return undefined
  if (reference.catalog === 'default') {
    return isCataloged(reference.name, reference.version, defaultCatalog) ? undefined : unknownName(site, components, defaultCatalog)
  }
  const known = ['default', ...components.catalogs]
  const hint = meant(reference.catalog, known, `Define ${reference.catalog} below use.catalogs, with its endpoint.`)
  const message = `There is no catalog named ${quoted(reference.catalog)} in use.catalogs.`
  return { code: 'unknown_reference', path: site.path, at: 'value', message, hint }
}

/** Whether a catalog that lists `name` and `name:version` has the function; a bare name in it stands for every version. */
function isCataloged(name: string, version: string | undefined, catalog: readonly string[]): boolean {
  return catalog.some((entry) => entry === name || (version === undefined ? entry.startsWith(`${name}:`) : entry === `${name}:${version}`))
}

function unknownName(site: ReferenceSite, components: Components, defaultCatalog: readonly string[]): Finding {
  const cataloged = defaultCatalog.map((entry) => entry.split(':', 1)[0] ?? entry)
  const known = [...callShapes.keys(), ...components.functions, ...cataloged]
  const hint = meant(site.name, known, 'Define it below use.functions, or call name:version@catalog.')
  return { code: 'unknown_function', path: site.path, at: 'value', message: `There is no function named ${quoted(site.name)}.`, hint }
}
