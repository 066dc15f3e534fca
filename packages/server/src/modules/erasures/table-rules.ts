/** What an erasure does with the records of a table. */
export type TableRule =
  | { readonly kind: 'replace' }
  /** The whole record is about the person. */
  | { readonly kind: 'delete' }
  | { readonly kind: 'keep'; readonly reason: string }
  | { readonly kind: 'skip' }

type Rules = readonly (readonly [string, TableRule])[]
const keep = (reason: string, tables: readonly string[]): Rules => tables.map((table) => [table, { kind: 'keep', reason }])
const skip = (tables: readonly string[]): Rules => tables.map((table) => [table, { kind: 'skip' }])
const replace = (tables: readonly string[]): Rules => tables.map((table) => [table, { kind: 'replace' }])

/** The rule of each table of the account that has texts. */
export const rules: ReadonlyMap<string, TableRule> = new Map<string, TableRule>([
  ...keep('Belongs to a user of the account: delete the user.', [
    'users',
    'user_phones',
    'user_passwords',
    'identities',
    'passkeys',
    'passkey_challenges',
    'scim_users',
    'invitations',
    'sessions',
    'external_sign_ins',
    'sign_in_challenges',
    'mail_links',
    'phone_codes',
    'oauth_codes',
    'notification_preferences',
  ]),
  ...keep('Invoices and payments are kept by law.', [
    'invoices',
    'einvoices',
    'billing_payments',
    'billing_credits',
    'billing_subscriptions',
  ]),
  ...keep('Proof of a consent.', ['consents']),
  ...keep('Belongs to an account that was deleted and can be restored for some days.', ['deleted_rows']),
  ...keep('Part of a definition or a setting: change it there, and delete the versions that contain it.', [
    'workflows',
    'workflow_versions',
    'workflow_drafts',
    'workflow_origins',
    'agent_definitions',
    'mcp_connector_tools',
    'chains',
    'triggers',
    // With another position a trigger would start again what it has started.
    'trigger_watches',
    'variables',
    'connections',
    'account_connectors',
    'account_models',
    'account_model_settings',
    'git_repositories',
    'git_files',
    'notification_webhooks',
    'audit_destinations',
    'event_subscriptions',
    'event_filters',
    'privacy_policies',
    'privacy_preferences',
    'api_keys',
    'sign_in_providers',
    'scim_settings',
    'scim_groups',
    'account_domains',
    'account_retention',
    'marketplace_entries',
    'marketplace_versions',
    'marketplace_imports',
    'connector_submissions',
  ]),
  ...keep('The name of a file: upload it under another name, and delete this one.', ['account_files']),
  ...keep('The name of a table: delete the table, or keep its rows in another one.', ['data_tables']),
  // The event and its leaf stay, with commitments alone.
  ['audit_changes', { kind: 'delete' }],
  // Erased by their owner.
  ...skip([
    'audit_events',
    'audit_leaves',
    'audit_blocks',
    'audit_days',
    'audit_checkpoints',
    'audit_anchored',
    'audit_pending_executions',
  ]),
  ...skip(['files', 'file_chunks', 'file_links', 'account_exports', 'evidence_packs', 'privacy_reports']),
  // Counts and names of the product, without content of the account.
  ...skip(['execution_counts', 'execution_failures', 'execution_tasks', 'execution_times', 'model_usage']),
  ...skip(['usage_hours', 'usage_notices', 'usage_records', 'referral_codes', 'api_key_secrets', 'einvoice_chains', 'idempotency_keys']),
  // Of executions that have not ended: deleted when they end.
  ...skip(['waits', 'execution_turns']),
  ...replace([
    'executions',
    'journal',
    'dead_letters',
    'execution_keys',
    'execution_labels',
    'execution_retries',
    'attempt_logs',
    'workflow_samples',
    'workflow_publish_requests',
  ]),
  ...replace(['events', 'kept_events', 'listeners', 'messages', 'event_deliveries', 'account_changes']),
  // Times and reasons of the product.
  ...skip(['trigger_skips']),
  ...replace(['webhook_deliveries', 'trigger_event_sets', 'trigger_firings']),
  ...replace(['approvals', 'approval_answers', 'approval_mails']),
  ...replace([
    'agent_runs',
    'assistant_conversations',
    'assistant_email_drafts',
    'assistant_messages',
    'assistant_proposals',
    'model_calls',
  ]),
  ...replace(['data_rows', 'data_row_calls']),
  ...replace(['capture_sessions', 'capture_events', 'notifications', 'readiness_assessments']),
  ...replace(['marketplace_ratings', 'marketplace_reports', 'privacy_decisions', 'privacy_erasures']),
])

/** A table without a rule is one that is being added: its texts are replaced. */
export const ruleOf = (table: string): TableRule => rules.get(table) ?? { kind: 'replace' }

/** Copies of data that can be made again, with the owner of their files: what is packed into them cannot be replaced, so they are deleted. */
export const copies: readonly { readonly table: string; readonly owner: string }[] = [
  { table: 'account_exports', owner: 'export' },
  { table: 'evidence_packs', owner: 'pack' },
  { table: 'privacy_reports', owner: 'report' },
]

/** Records of the installation, which belong to no account. */
export const formTables: readonly string[] = ['leads']
/** Mails that an installation without a mail server shows in development. */
export const developmentTables: readonly string[] = ['dev_outbox']

/** The names of files of accounts. What was sent with a start form of the person is deleted. */
export const filesTable = 'account_files'
/** The audit log, whose owner erases details of events. */
export const eventsTable = 'audit_events'
