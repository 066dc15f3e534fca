import type { Findings } from './rule.ts'
import type { SourceFile, SourceTree } from './source-tree.ts'

const engine = 'packages/engine/src/postgres/'
const module = (name: string) => `packages/server/src/modules/${name}/`

/** The folder whose files alone read and write a table; others call its exports. */
export const tableOwners: Readonly<Record<string, string>> = {
  ...ownedBy(engine, [
    'processes',
    'process_crashes',
    'executions',
    'journal',
    'execution_keys',
    'execution_labels',
    'execution_retries',
    'execution_ends',
    'execution_turns',
    'dead_letters',
  ]),
  ...ownedBy(engine, ['events', 'event_filters', 'listeners', 'kept_events', 'waits', 'messages']),
  ...ownedBy(module('accounts'), ['deleted_accounts', 'deleted_rows']),
  ...ownedBy(module('identity'), ['accounts', 'users', 'user_passwords', 'sessions', 'login_throttles', 'operator_codes']),
  ...ownedBy(module('identity'), ['user_totp', 'recovery_codes', 'user_phones', 'sign_in_challenges', 'mail_links', 'phone_codes']),
  ...ownedBy(module('identity'), ['text_message_counts', 'invitations', 'passkeys', 'passkey_challenges']),
  ...ownedBy(module('identity'), ['sign_in_providers', 'account_domains', 'identities', 'external_sign_ins', 'saml_assertions']),
  ...ownedBy(module('identity'), ['scim_settings', 'scim_users', 'scim_groups', 'scim_members']),
  ...ownedBy(module('access'), ['api_keys', 'api_key_secrets', 'oauth_clients', 'oauth_codes']),
  ...ownedBy(module('audit'), ['audit_events', 'audit_pending', 'audit_pending_executions', 'audit_days', 'audit_leaves', 'audit_blocks']),
  ...ownedBy(module('audit'), ['audit_changes', 'audit_checkpoints', 'audit_destinations', 'evidence_keys']),
  ...ownedBy(module('executions'), ['attempt_logs']),
  ...ownedBy(module('audit'), ['audit_anchors', 'audit_anchored', 'audit_attestations']),
  ...ownedBy(module('workflows'), [
    'workflows',
    'workflow_versions',
    'workflow_drafts',
    'workflow_publish_requests',
    'workflow_origins',
    'account_retention',
  ]),
  ...ownedBy(module('workflow-tests'), ['workflow_samples']),
  ...ownedBy(module('archivist'), ['evidence_packs']),
  ...ownedBy(module('events'), ['event_subscriptions', 'event_deliveries']),
  ...ownedBy(module('analytics'), ['execution_counts', 'execution_times', 'execution_failures', 'execution_tasks']),
  ...ownedBy(module('marketplace'), ['marketplace_entries', 'marketplace_versions', 'marketplace_ratings', 'marketplace_reports']),
  ...ownedBy(module('marketplace'), ['marketplace_imports', 'marketplace_words']),
  ...ownedBy(module('connectors'), ['connector_submissions', 'account_connectors']),
  ...ownedBy(module('connections'), ['connections', 'connection_authorizations']),
  ...ownedBy(module('files'), ['account_files']),
  ...ownedBy(module('tables'), ['data_tables', 'data_rows', 'data_row_calls']),
  ...ownedBy(module('git'), ['git_repositories', 'git_files']),
  ...ownedBy(module('variables'), ['variables']),
  ...ownedBy(module('privacy'), ['privacy_decisions', 'privacy_policies']),
  ...ownedBy(module('consents'), ['consents', 'privacy_preferences']),
  ...ownedBy(module('erasures'), ['privacy_erasures', 'privacy_erased_executions', 'privacy_reports']),
  ...ownedBy(module('account-data'), ['account_exports']),
  ...ownedBy('packages/server/src/platform/files/', ['files', 'file_chunks', 'file_links']),
  ...ownedBy(module('health'), ['mail_trouble']),
  ...ownedBy(module('notifications'), ['notifications', 'notification_preferences', 'notification_digests', 'notification_webhooks']),
  ...ownedBy(module('chains'), ['chains']),
  ...ownedBy(module('changes'), ['account_changes', 'account_watches']),
  ...ownedBy(module('models'), ['model_usage', 'model_calls', 'account_models', 'account_model_settings']),
  ...ownedBy(module('public-forms'), ['leads', 'form_proofs']),
  ...ownedBy(module('einvoice'), ['einvoices', 'einvoice_chains', 'einvoice_keys']),
  ...ownedBy(module('readiness'), ['readiness_assessments']),
  ...ownedBy(module('assistant'), ['assistant_conversations', 'assistant_messages', 'assistant_proposals', 'assistant_email_drafts']),
  ...ownedBy(module('livecapture'), ['capture_sessions', 'capture_events']),
  ...ownedBy(module('agents'), ['agent_runs', 'agent_definitions']),
  ...ownedBy(module('mcp'), ['mcp_connector_tools']),
  ...ownedBy(module('triggers'), [
    'triggers',
    'trigger_firings',
    'trigger_event_sets',
    'trigger_watches',
    'trigger_skips',
    'webhook_deliveries',
  ]),
  ...ownedBy(module('approvals'), ['approvals', 'approval_answers', 'approval_ends', 'approval_mails']),
  ...ownedBy(module('billing'), ['plans', 'billing_subscriptions', 'billing_payments', 'billing_credits', 'invoices', 'invoice_numbers']),
  ...ownedBy(module('payments'), ['payment_notifications']),
  ...ownedBy(module('usage'), ['usage_hours', 'usage_counted_hours', 'usage_records', 'usage_notices', 'usage_reservations']),
  ...ownedBy(module('referrals'), ['referral_codes', 'referrals']),
  ...ownedBy('packages/server/src/platform/auth/', ['signing_keys']),
  ...ownedBy('packages/server/src/platform/secrets/', ['installation_key', 'installation_roots']),
  ...ownedBy('packages/server/src/platform/sealing/', ['account_keys']),
  ...ownedBy('packages/server/src/platform/mail/', ['dev_outbox']),
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
  { file: `${module('approvals')}approval-store.ts`, tables: ['users'], reason: inOneStatement },
  { file: `${module('approvals')}people-store.ts`, tables: ['users', 'api_keys'], reason: inOneStatement },
  { file: `${module('approvals')}mail/mail-store.ts`, tables: ['workflows', 'users', 'accounts'], reason: inOneStatement },
  { file: `${module('notifications')}notify.ts`, tables: ['users'], reason: inOneStatement },
  { file: `${module('notifications')}digest-store.ts`, tables: ['users'], reason: inOneStatement },
  { file: `${module('notifications')}webhook-store.ts`, tables: ['users'], reason: inOneStatement },
  {
    file: `${module('events')}subscriptions/subscription-store.ts`,
    tables: ['accounts'],
    reason: 'locks the account while it counts subscriptions',
  },
  {
    file: `${module('billing')}subscription-store.ts`,
    tables: ['accounts'],
    reason: 'the buyer, in the transaction that issues an invoice',
  },
  {
    file: `${module('erasures')}record-store.ts`,
    tables: ['executions', 'files'],
    reason: 'a record of an execution that has not ended is not locked, and a copy is deleted with its files, each in one statement',
  },
  { file: `${module('executions')}attempt-logs.ts`, tables: ['accounts'], reason: 'drops logs of deleted accounts' },
  { file: `${module('usage')}usage-store.ts`, tables: ['users'], reason: 'counts the users of an account' },
  {
    file: `${module('referrals')}referral-store.ts`,
    tables: ['accounts'],
    reason: 'the time of the registration, under the lock of claims',
  },
  {
    file: 'packages/server/src/platform/db/backup/read-backup.ts',
    tables: ['accounts'],
    reason: 'refuses a database that has accounts, before any module works',
  },
  { file: 'packages/server/src/platform/mail/mail-quota.ts', tables: ['rate_limit_counters'], reason: 'counts mails by the same windows' },
  { file: 'packages/cli/src/retention/retention.ts', tables: ['accounts', 'account_retention'], reason: 'a command without a server' },
]

/**
 * Files that name tables by values, which are not in their text. The schema lists the tables with data of an account: what erases it, or exports it, must
 * also reach a table that is added later.
 */
export const computed: readonly Omit<Exception, 'tables'>[] = [
  {
    file: `${module('erasures')}record-store.ts`,
    reason: 'finds, replaces and deletes the data of a person in every table, by the rules of table-rules.ts',
  },
  { file: `${module('account-data')}read-tables.ts`, reason: 'exports every table' },
  { file: `${module('triggers')}trigger-store.ts`, reason: 'purges tables of its own' },
]

const inScope = /^packages\/(?:engine|server|cli)\/src\//
/** The engine names partitions of its own tables by values. */
const isServer = /^packages\/(?:server|cli)\/src\//

/** A table is named only in the SQL of its owner. */
export function checkTables(tree: SourceTree): Findings {
  const named = tree.files.filter((file) => inScope.test(file.path) && !file.isTest).flatMap(ownedTables)
  const uses = named.filter(({ path, owner }) => !path.startsWith(owner)).map(({ path, table }) => `${path} names ${table}`)
  const computing = tree.files.filter(({ path, isTest, text }) => isServer.test(path) && !isTest && /sql\.table\((?!')/.test(text))
  const listed = computed.map(({ file }) => file)
  const excepted = exceptions.flatMap(({ file, tables }) => tables.map((table) => `${file} names ${table}`))
  const violations = [
    ...uses.filter((use) => !excepted.includes(use)),
    ...excepted.filter((use) => !uses.includes(use)).map((use) => `${use} no longer: delete the exception in tools/rules/tables.ts`),
    ...computing.filter(({ path }) => !listed.includes(path)).map(({ path }) => `${path} names tables by values`),
    ...listed
      .filter((file) => computing.every(({ path }) => path !== file))
      .map((file) => `${file} names no tables by values any more: delete the exception in tools/rules/tables.ts`),
  ]
  return { seen: named.length, violations }
}

function ownedTables({ path, text }: SourceFile) {
  return tablesIn(text).flatMap((table) => {
    const owner = tableOwners[table]
    return owner === undefined ? [] : [{ path, table, owner }]
  })
}

/** The names behind the keywords of SQL that precede a table, and those given to `sql.table`, without those that the same file defines as common table expressions. */
export function tablesIn(text: string): readonly string[] {
  const code = text.replaceAll(/\/\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '')
  const names = [...code.matchAll(/(?:\b(?:from|join|update|into|using|table)\s+(?:only\s+)?|\bsql\.table\(')(?<name>[a-z_]+)\b/g)].map(
    (match) => match.groups?.['name'] ?? '',
  )
  return [...new Set(names)].filter((name) => !new RegExp(`\\b${name}\\s*(?:\\([^)]*\\)\\s*)?as\\s+(?:materialized\\s+)?\\(`).test(code))
}

function ownedBy(folder: string, tables: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(tables.map((table) => [table, folder]))
}
