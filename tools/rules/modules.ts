import type { Findings } from './rule.ts'
import type { SourceFile, SourceTree } from './source-tree.ts'

/** The tier of every module: a lower one never imports a higher one. */
export const tiers: Readonly<Record<string, number>> = {
  ...tier(0, ['accounts', 'identity', 'access', 'printing']),
  ...tier(1, ['audit', 'variables', 'notifications', 'usage', 'privacy', 'consents', 'files', 'health', 'changes']),
  ...tier(2, ['tables', 'workflows', 'connections', 'executions', 'events', 'payments', 'models']),
  ...tier(3, [
    'approvals',
    'triggers',
    'chains',
    'templates',
    'workflow-tests',
    'marketplace',
    'dead-letters',
    'generation',
    'speech',
    'account-reads',
  ]),
  ...tier(4, ['agents', 'assistant', 'livecapture', 'referrals', 'public-forms', 'readiness', 'mcp', 'account-data', 'erasures']),
  ...tier(3, ['billing', 'einvoice', 'analytics', 'archivist', 'connectors', 'git']),
}

/** Additional restrictions for files with certain names in a module. */
const parts: readonly { readonly file: RegExp; readonly packages: RegExp; readonly siblings: RegExp }[] = [
  { file: /\/handlers\.ts$/, packages: /^(?:kysely|pg)$/, siblings: /\/(?:store|.*-store)\.ts$/ },
  { file: /\/(?:service|.*-service)\.ts$/, packages: /^(?:fastify|zod)$/, siblings: /\/handlers\.ts$/ },
  { file: /\/(?:store|.*-store|views)\.ts$/, packages: /^(?:fastify|zod)$/, siblings: /\/(?:service|.*-service|handlers)\.ts$/ },
]

const inModule = /^packages\/server\/src\/modules\/(?<module>[^/]+)\/(?<rest>.+)$/

/** Modules import only the index of modules of lower tiers. Inside a module, handlers use services and services use stores. */
export function checkModules(tree: SourceTree): Findings {
  const files = tree.files.filter((file) => !file.isTest && inModule.test(file.path))
  return { seen: files.length, violations: files.flatMap((file) => [...neighbours(file), ...insides(file)]) }
}

function neighbours(file: SourceFile): readonly string[] {
  const own = moduleOf(file.path)
  if (own === undefined) return []
  const ownTier = tiers[own.module]
  if (ownTier === undefined) return [`module ${own.module} has no tier in tools/rules/modules.ts`]
  return file.imports.flatMap(({ target, specifier }) => {
    const other = target.kind === 'file' ? moduleOf(target.path) : undefined
    if (other === undefined || other.module === own.module) return []
    if (other.rest !== 'index.ts') return [`${file.path} imports ${specifier}; of another module only its index.ts may be imported`]
    const otherTier = tiers[other.module] ?? Infinity
    return otherTier < ownTier
      ? []
      : [`${file.path} (tier ${ownTier}) imports ${specifier} (tier ${otherTier}); only lower tiers may be imported`]
  })
}

function insides(file: SourceFile): readonly string[] {
  const part = parts.find((candidate) => candidate.file.test(file.path))
  if (part === undefined) return []
  return file.imports
    .filter(({ target }) =>
      target.kind === 'package' ? part.packages.test(target.name) : inModule.test(target.path) && part.siblings.test(target.path),
    )
    .map(({ specifier }) => `${file.path} may not import ${specifier}`)
}

function moduleOf(path: string): { readonly module: string; readonly rest: string } | undefined {
  const groups = inModule.exec(path)?.groups
  return groups === undefined ? undefined : { module: groups['module'] ?? '', rest: groups['rest'] ?? '' }
}

function tier(number: number, names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name) => [name, number]))
}
