/** What an erasure does with the records of a table. */
export type TableRule =
  | { readonly kind: 'replace' }
  /** The whole record is about the person. */
  | { readonly kind: 'delete' }
  | { readonly kind: 'keep'; readonly reason: string }
  | { readonly kind: 'skip' }

const keep = (reason: string, tables: readonly string[]) => tables.map((table) => [table, { kind: 'keep', reason } as const] as const)

/** Tables in which the data of a person is not replaced; in every other table of the account it is. */
const rules: ReadonlyMap<string, TableRule> = new Map<string, TableRule>([
  ...keep('Belongs to a user of the account: delete the user.', [
    'users',
    'user_phones',
    'user_passwords',
    'identities',
    'invitations',
    'sessions',
    'external_sign_ins',
    'sign_in_challenges',
    'mail_links',
    'phone_codes',
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
    'variables',
    'audit_destinations',
    'event_subscriptions',
    'event_filters',
    'privacy_policies',
    'api_keys',
    'sign_in_providers',
    'account_domains',
    'account_retention',
    'marketplace_entries',
    'marketplace_versions',
    'marketplace_imports',
    'connector_submissions',
  ]),
  ...keep('The name of a file: upload it under another name, and delete this one.', ['account_files']),
  // The event and its leaf stay, with commitments alone.
  ['audit_changes', { kind: 'delete' }],
  // Erased by their owner, or without content.
  ...['audit_events', 'audit_leaves', 'audit_blocks', 'audit_days', 'audit_checkpoints', 'audit_anchored', 'audit_pending_executions'].map(
    (table) => [table, { kind: 'skip' }] as const,
  ),
  ...['files', 'file_chunks', 'file_links', 'account_exports', 'evidence_packs'].map((table) => [table, { kind: 'skip' }] as const),
])

export const ruleOf = (table: string): TableRule => rules.get(table) ?? { kind: 'replace' }

interface Copies {
  readonly table: string
  /** Records that are not deleted, with the reason for the receipt; undefined if it names them elsewhere. */
  readonly kept: { readonly column: string; readonly like: readonly string[]; readonly reason: string | undefined }
}

/** Copies of data that can be made again: they are deleted, since what is packed into them cannot be replaced. */
export const copies: readonly Copies[] = [
  { table: 'account_exports', kept: { column: 'state', like: ['preparing'], reason: 'It is being prepared.' } },
  { table: 'evidence_packs', kept: { column: 'state', like: ['preparing'], reason: 'It is being prepared.' } },
  // Files of the account cannot be made again; `account_files` has their names.
  { table: 'files', kept: { column: 'owner', like: ['file:%', 'upload:%'], reason: undefined } },
]

/** Records of the installation, which belong to no account. */
export const formTables: readonly string[] = ['leads']
/** Mails that an installation without a mail server shows in development. */
export const developmentTables: readonly string[] = ['dev_outbox']
