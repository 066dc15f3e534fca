import type { Findings } from './rule.ts'
import type { SourceFile, SourceTree } from './source-tree.ts'

const engine = 'packages/engine/src/postgres/'
const module = (name: string) => `packages/server/src/modules/${name}/`

/** The folder whose files alone read and write a table; others call its exports. */
export const tableOwners: Readonly<Record<string, string>> = {
  ...ownedBy(engine, ['processes', 'process_crashes', 'executions', 'journal', 'execution_keys', 'execution_retries', 'dead_letters']),
  ...ownedBy(engine, ['events', 'event_filters', 'listeners', 'kept_events', 'waits', 'messages']),
  ...ownedBy(module('accounts'), ['deleted_accounts']),
  ...ownedBy(module('identity'), ['accounts', 'users', 'user_passwords', 'sessions', 'login_throttles', 'operator_codes']),
  ...ownedBy(module('access'), ['api_keys', 'api_key_secrets']),
  ...ownedBy(module('audit'), ['audit_events']),
  ...ownedBy(module('workflows'), ['workflows', 'workflow_versions', 'account_retention']),
  ...ownedBy(module('events'), ['event_subscriptions', 'event_deliveries']),
  ...ownedBy(module('approvals'), ['approvals', 'approval_answers', 'approval_ends', 'approval_mails']),
  ...ownedBy('packages/server/src/platform/auth/', ['signing_keys']),
  ...ownedBy('packages/server/src/platform/http/', ['idempotency_keys', 'rate_limit_counters']),
}

interface Exception {
  readonly file: string
  readonly tables: readonly string[]
  readonly reason: string
}

const inOneStatement = 'one statement joins it with its own tables; two would cost a round trip or a race'

/** Files that name tables of another owner. One that does so no longer has to be deleted here. */
export const exceptions: readonly Exception[] = [
  { file: `${module('access')}store.ts`, tables: ['users'], reason: inOneStatement },
  { file: `${module('approvals')}people-store.ts`, tables: ['users', 'api_keys'], reason: inOneStatement },
  { file: `${module('approvals')}mail/mail-store.ts`, tables: ['workflows'], reason: inOneStatement },
  {
    file: `${module('events')}subscriptions/subscription-store.ts`,
    tables: ['accounts'],
    reason: 'locks the account while it counts subscriptions',
  },
  { file: 'packages/server/src/platform/mail/mail-quota.ts', tables: ['rate_limit_counters'], reason: 'counts mails by the same windows' },
  { file: 'packages/cli/src/retention/retention.ts', tables: ['accounts', 'account_retention'], reason: 'a command without a server' },
]

const inScope = /^packages\/(?:engine|server|cli)\/src\//

/** A table is named only in the SQL of its owner. */
export function checkTables(tree: SourceTree): Findings {
  const named = tree.files.filter((file) => inScope.test(file.path) && !file.isTest).flatMap(ownedTables)
  const uses = named.filter(({ path, owner }) => !path.startsWith(owner)).map(({ path, table }) => `${path} names ${table}`)
  const excepted = exceptions.flatMap(({ file, tables }) => tables.map((table) => `${file} names ${table}`))
  const violations = [
    ...uses.filter((use) => !excepted.includes(use)),
    ...excepted.filter((use) => !uses.includes(use)).map((use) => `${use} no longer: delete the exception in tools/rules/tables.ts`),
  ]
  return { seen: named.length, violations }
}

function ownedTables({ path, text }: SourceFile) {
  return tablesIn(text).flatMap((table) => {
    const owner = tableOwners[table]
    return owner === undefined ? [] : [{ path, table, owner }]
  })
}

/** The names behind the keywords of SQL that precede a table, without those that the same file defines as common table expressions. */
export function tablesIn(text: string): readonly string[] {
  const code = text.replaceAll(/\/\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '')
  const names = [...code.matchAll(/\b(?:from|join|update|into|using|table)\s+(?:only\s+)?(?<name>[a-z_]+)\b/g)].map(
    (match) => match.groups?.['name'] ?? '',
  )
  return [...new Set(names)].filter((name) => !new RegExp(`\\b${name}\\s*(?:\\([^)]*\\)\\s*)?as\\s+(?:materialized\\s+)?\\(`).test(code))
}

function ownedBy(folder: string, tables: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(tables.map((table) => [table, folder]))
}
