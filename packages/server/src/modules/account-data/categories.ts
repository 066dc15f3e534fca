/** A category of data with the tables that have it. */
export interface DataCategory {
  readonly category: string
  readonly description: string
  /** Tables with a column `account_id`, or `id` for the account itself. */
  readonly tables: readonly string[]
  readonly retention: string
  /** Credentials and keys are not exported. */
  readonly isExported: boolean
}

const untilDeleted = 'Until it is deleted, or the account is.'
const category = (
  name: string,
  description: string,
  tables: readonly string[],
  retention = untilDeleted,
  isExported = true,
): DataCategory => ({
  category: name,
  description,
  tables,
  retention,
  isExported,
})

/** Everything that is kept about an account. A test compares the tables with those of the database. */
export const dataCategories: readonly DataCategory[] = [
  category('account', 'Name and settings of the account.', ['accounts', 'account_retention']),
  category('users', 'Users with address, name, phone and role.', ['users', 'user_phones']),
  category('sessions', 'Sign-ins with device and address.', ['sessions'], 'Until some days after their end.'),
  category('workflows', 'Definitions with their versions and drafts.', [
    'workflows',
    'workflow_versions',
    'workflow_drafts',
    'workflow_publish_requests',
    'workflow_samples',
  ]),
  category(
    'executions',
    'Inputs, outputs, journals and labels of executions.',
    ['executions', 'journal', 'execution_labels', 'dead_letters'],
    'The retention of the workflow, the account or the installation, or of a privacy policy if that is shorter.',
  ),
  category(
    'events',
    'Events with their data, subscriptions and deliveries.',
    ['events', 'event_subscriptions', 'event_deliveries'],
    'Events and deliveries: some days.',
  ),
  category('changes', 'What has changed, for streams.', ['account_changes', 'account_watches'], 'Some minutes.', false),
  category('git', 'Linked repositories and their files.', ['git_repositories', 'git_files']),
  category('triggers', 'Triggers, chains and requests to webhooks.', [
    'triggers',
    'trigger_watches',
    'trigger_event_sets',
    'trigger_skips',
    'chains',
    'webhook_deliveries',
  ]),
  category('approvals', 'Questions to people with their answers.', ['approvals', 'approval_answers'], 'As long as their execution.'),
  category('variables', 'Variables; secrets without their values.', ['variables']),
  category('connections', 'Connections without their secrets.', ['connections']),
  category('models', 'Models of the account without their keys.', ['account_models', 'account_model_settings']),
  category(
    'model-calls',
    'Calls of models, with their texts where those are kept.',
    ['model_calls'],
    '30 days, or as long as executions if that is shorter.',
  ),
  category('connectors', 'Connectors of the account with their documents.', ['account_connectors']),
  category('notifications', 'Notifications of users and their preferences.', [
    'notifications',
    'notification_preferences',
    'notification_webhooks',
  ]),
  category('consents', 'Consents and privacy preferences.', ['consents', 'privacy_preferences'], 'As proof, until the account is deleted.'),
  category(
    'privacy',
    'Policies and erasures, and decisions without the data.',
    ['privacy_policies', 'privacy_decisions', 'privacy_erasures'],
    'Decisions: 365 days.',
  ),
  category('audit', 'Events of the audit log.', ['audit_events', 'audit_blocks'], 'Append-only: until the account is deleted and after.'),
  category('audit-destinations', 'Systems to which the audit log is streamed.', ['audit_destinations']),
  category('api-keys', 'API keys without their secrets.', ['api_keys']),
  category(
    'credentials',
    'Hashes of passwords, factors and keys.',
    ['user_passwords', 'user_totp', 'recovery_codes', 'api_key_secrets', 'connection_authorizations'],
    untilDeleted,
    false,
  ),
  category(
    'files',
    'Files that workflows and users keep, with their contents.',
    ['account_files'],
    'Until they expire or are deleted, or the account is.',
  ),
  category(
    'tables',
    'Tables that workflows and users keep, with their rows.',
    ['data_tables', 'data_rows'],
    'Until they expire or are deleted, or the account is.',
  ),
  category(
    'packs',
    'Exports, evidence packs and reports about persons.',
    ['evidence_packs', 'privacy_reports'],
    'Their files: a day, or a week for reports.',
    false,
  ),
]

/** Columns that are never exported: sealed values, hashes of credentials and tokens. */
export const secretColumns: readonly string[] = [
  'sealed',
  'secret',
  'secrets',
  'previous_secret',
  'hash',
  'token',
  'token_hash',
  'previous_hash',
  'password',
  'secret_sealed',
  'salt',
  'private_key',
  'tokens',
]
