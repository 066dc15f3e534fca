// Generated from the migrated database by "npm run generate". Do not edit.
import type { JsonValue } from '@millrace/contract'
import type { ColumnType } from 'kysely'

/** Parsed when read; written as JSON text, because pg would write an array as an array of PostgreSQL. */
export type Jsonb = ColumnType<JsonValue, string, string>

/** A Date when read. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>

/** The database fills it in when it is not given. (In brackets, so that a union of literals stays one.) */
export type Defaulted<T> = [T] extends [ColumnType<infer S, infer I, infer U>]
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>

/** `null` when absent; optional in an insert. */
export type Nullable<T> = [T] extends [ColumnType<infer S, infer I, infer U>]
  ? ColumnType<S | null, I | null | undefined, U | null>
  : ColumnType<T | null, T | null | undefined, T | null>

/** The database alone fills it in. */
export type Computed<T> = [T] extends [ColumnType<infer S, infer _I, infer _U>] ? ColumnType<S, never, never> : ColumnType<T, never, never>

/** Every table by its name. */
export interface Rows {
  readonly account_changes: AccountChangesTable
  readonly account_connectors: AccountConnectorsTable
  readonly account_domains: AccountDomainsTable
  readonly account_exports: AccountExportsTable
  readonly account_files: AccountFilesTable
  readonly account_keys: AccountKeysTable
  readonly account_model_settings: AccountModelSettingsTable
  readonly account_models: AccountModelsTable
  readonly account_retention: AccountRetentionTable
  readonly account_watches: AccountWatchesTable
  readonly accounts: AccountsTable
  readonly agent_definitions: AgentDefinitionsTable
  readonly agent_runs: AgentRunsTable
  readonly api_key_secrets: ApiKeySecretsTable
  readonly api_keys: ApiKeysTable
  readonly approval_answers: ApprovalAnswersTable
  readonly approval_ends: ApprovalEndsTable
  readonly approval_mails: ApprovalMailsTable
  readonly approvals: ApprovalsTable
  readonly assistant_conversations: AssistantConversationsTable
  readonly assistant_email_drafts: AssistantEmailDraftsTable
  readonly assistant_messages: AssistantMessagesTable
  readonly assistant_proposals: AssistantProposalsTable
  readonly attempt_logs: AttemptLogsTable
  readonly audit_anchored: AuditAnchoredTable
  readonly audit_anchors: AuditAnchorsTable
  readonly audit_attestations: AuditAttestationsTable
  readonly audit_blocks: AuditBlocksTable
  readonly audit_changes: AuditChangesTable
  readonly audit_checkpoints: AuditCheckpointsTable
  readonly audit_days: AuditDaysTable
  readonly audit_destinations: AuditDestinationsTable
  readonly audit_events: AuditEventsTable
  readonly audit_leaves: AuditLeavesTable
  readonly audit_pending: AuditPendingTable
  readonly audit_pending_executions: AuditPendingExecutionsTable
  readonly billing_credits: BillingCreditsTable
  readonly billing_payments: BillingPaymentsTable
  readonly billing_subscriptions: BillingSubscriptionsTable
  readonly capture_events: CaptureEventsTable
  readonly capture_sessions: CaptureSessionsTable
  readonly chains: ChainsTable
  readonly connection_authorizations: ConnectionAuthorizationsTable
  readonly connections: ConnectionsTable
  readonly connector_submissions: ConnectorSubmissionsTable
  readonly consents: ConsentsTable
  readonly data_row_calls: DataRowCallsTable
  readonly data_rows: DataRowsTable
  readonly data_tables: DataTablesTable
  readonly dead_letters: DeadLettersTable
  readonly deleted_accounts: DeletedAccountsTable
  readonly deleted_rows: DeletedRowsTable
  readonly dev_outbox: DevOutboxTable
  readonly einvoice_chains: EinvoiceChainsTable
  readonly einvoice_keys: EinvoiceKeysTable
  readonly einvoices: EinvoicesTable
  readonly event_deliveries: EventDeliveriesTable
  readonly event_filters: EventFiltersTable
  readonly event_subscriptions: EventSubscriptionsTable
  readonly events: EventsTable
  readonly evidence_keys: EvidenceKeysTable
  readonly evidence_packs: EvidencePacksTable
  readonly execution_counts: ExecutionCountsTable
  readonly execution_ends: ExecutionEndsTable
  readonly execution_failures: ExecutionFailuresTable
  readonly execution_keys: ExecutionKeysTable
  readonly execution_labels: ExecutionLabelsTable
  readonly execution_retries: ExecutionRetriesTable
  readonly execution_tasks: ExecutionTasksTable
  readonly execution_times: ExecutionTimesTable
  readonly execution_turns: ExecutionTurnsTable
  readonly executions: ExecutionsTable
  readonly external_sign_ins: ExternalSignInsTable
  readonly file_chunks: FileChunksTable
  readonly file_links: FileLinksTable
  readonly files: FilesTable
  readonly form_proofs: FormProofsTable
  readonly git_files: GitFilesTable
  readonly git_repositories: GitRepositoriesTable
  readonly idempotency_keys: IdempotencyKeysTable
  readonly identities: IdentitiesTable
  readonly installation_key: InstallationKeyTable
  readonly installation_roots: InstallationRootsTable
  readonly invitations: InvitationsTable
  readonly invoice_numbers: InvoiceNumbersTable
  readonly invoices: InvoicesTable
  readonly journal: JournalTable
  readonly kept_events: KeptEventsTable
  readonly leads: LeadsTable
  readonly listeners: ListenersTable
  readonly login_throttles: LoginThrottlesTable
  readonly mail_links: MailLinksTable
  readonly mail_trouble: MailTroubleTable
  readonly marketplace_entries: MarketplaceEntriesTable
  readonly marketplace_imports: MarketplaceImportsTable
  readonly marketplace_ratings: MarketplaceRatingsTable
  readonly marketplace_reports: MarketplaceReportsTable
  readonly marketplace_versions: MarketplaceVersionsTable
  readonly marketplace_words: MarketplaceWordsTable
  readonly mcp_connector_tools: McpConnectorToolsTable
  readonly messages: MessagesTable
  readonly model_calls: ModelCallsTable
  readonly model_usage: ModelUsageTable
  readonly notification_digests: NotificationDigestsTable
  readonly notification_preferences: NotificationPreferencesTable
  readonly notification_webhooks: NotificationWebhooksTable
  readonly notifications: NotificationsTable
  readonly oauth_clients: OauthClientsTable
  readonly oauth_codes: OauthCodesTable
  readonly operator_codes: OperatorCodesTable
  readonly passkey_challenges: PasskeyChallengesTable
  readonly passkeys: PasskeysTable
  readonly payment_notifications: PaymentNotificationsTable
  readonly phone_codes: PhoneCodesTable
  readonly plans: PlansTable
  readonly privacy_decisions: PrivacyDecisionsTable
  readonly privacy_erased_executions: PrivacyErasedExecutionsTable
  readonly privacy_erasures: PrivacyErasuresTable
  readonly privacy_policies: PrivacyPoliciesTable
  readonly privacy_preferences: PrivacyPreferencesTable
  readonly privacy_reports: PrivacyReportsTable
  readonly process_crashes: ProcessCrashesTable
  readonly processes: ProcessesTable
  readonly rate_limit_counters: RateLimitCountersTable
  readonly readiness_assessments: ReadinessAssessmentsTable
  readonly recovery_codes: RecoveryCodesTable
  readonly referral_codes: ReferralCodesTable
  readonly referrals: ReferralsTable
  readonly saml_assertions: SamlAssertionsTable
  readonly scim_groups: ScimGroupsTable
  readonly scim_members: ScimMembersTable
  readonly scim_settings: ScimSettingsTable
  readonly scim_users: ScimUsersTable
  readonly sessions: SessionsTable
  readonly sign_in_challenges: SignInChallengesTable
  readonly sign_in_providers: SignInProvidersTable
  readonly signing_keys: SigningKeysTable
  readonly text_message_counts: TextMessageCountsTable
  readonly trigger_event_sets: TriggerEventSetsTable
  readonly trigger_firings: TriggerFiringsTable
  readonly trigger_skips: TriggerSkipsTable
  readonly trigger_watches: TriggerWatchesTable
  readonly triggers: TriggersTable
  readonly usage_counted_hours: UsageCountedHoursTable
  readonly usage_hours: UsageHoursTable
  readonly usage_notices: UsageNoticesTable
  readonly usage_records: UsageRecordsTable
  readonly usage_reservations: UsageReservationsTable
  readonly user_passwords: UserPasswordsTable
  readonly user_phones: UserPhonesTable
  readonly user_totp: UserTotpTable
  readonly users: UsersTable
  readonly variables: VariablesTable
  readonly waits: WaitsTable
  readonly webhook_deliveries: WebhookDeliveriesTable
  readonly workflow_drafts: WorkflowDraftsTable
  readonly workflow_origins: WorkflowOriginsTable
  readonly workflow_publish_requests: WorkflowPublishRequestsTable
  readonly workflow_samples: WorkflowSamplesTable
  readonly workflow_versions: WorkflowVersionsTable
  readonly workflows: WorkflowsTable
}

export interface AccountChangesTable {
  readonly id: Computed<number>
  readonly account_id: string
  readonly xid: Defaulted<string>
  readonly at: Defaulted<Timestamp>
  readonly kind: string
  readonly user_id: Nullable<string>
  readonly data: string
}

export interface AccountConnectorsTable {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly kind: 'manifest' | 'openapi' | 'mcp'
  readonly title: string
  readonly version: string
  readonly url: Nullable<string>
  readonly document: string
  readonly functions: string
  readonly revision: Defaulted<number>
  readonly created_at: Timestamp
  readonly created_by: string
  readonly updated_at: Timestamp
}

export interface AccountDomainsTable {
  readonly id: string
  readonly account_id: string
  readonly domain: string
  readonly token: string
  readonly verified_at: Nullable<Timestamp>
  readonly created_at: Timestamp
}

export interface AccountExportsTable {
  readonly id: string
  readonly account_id: string
  readonly state: Defaulted<'preparing' | 'ready' | 'failed'>
  readonly failure: Nullable<string>
  readonly done: Defaulted<number>
  readonly total: number
  readonly file_id: Nullable<string>
  readonly created_at: Timestamp
  readonly ended_at: Nullable<Timestamp>
}

export interface AccountFilesTable {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly file_id: string
  readonly media: string
  readonly bytes: number
  readonly sha256: Buffer
  readonly written_by: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  readonly expires_at: Nullable<Timestamp>
  readonly start_key: Nullable<string>
  readonly execution_id: Nullable<string>
  readonly written_at: Defaulted<Timestamp>
}

export interface AccountKeysTable {
  readonly account_id: string
  readonly sealed_by: number
  readonly sealed: Buffer
  readonly created_at: Defaulted<Timestamp>
}

export interface AccountModelSettingsTable {
  readonly account_id: string
  readonly installation_models: 'fallback' | 'missing' | 'never'
  readonly updated_at: Timestamp
  readonly updated_by: string
  readonly texts: Nullable<'hashed' | 'kept'>
  readonly month_cost_micros: Nullable<number>
  readonly month_tokens: Nullable<number>
  readonly day_cost_micros: Nullable<number>
  readonly day_tokens: Nullable<number>
  readonly warn_percent: Defaulted<number>
  readonly currency: Nullable<string>
}

export interface AccountModelsTable {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly kind: 'openai' | 'anthropic' | 'ollama'
  readonly url: string
  readonly model: string
  readonly roles: string[]
  readonly price_input: Nullable<number>
  readonly price_output: Nullable<number>
  readonly region: Nullable<string>
  readonly max_output_tokens: number
  readonly structured: boolean
  readonly sealed: Nullable<Buffer>
  readonly state: 'ready' | 'failed' | 'unauthorized'
  readonly problem: Nullable<string>
  readonly tested_at: Timestamp
  readonly revision: Defaulted<number>
  readonly created_at: Timestamp
  readonly created_by: string
  readonly updated_at: Timestamp
  readonly updated_by: string
}

export interface AccountRetentionTable {
  readonly account_id: string
  readonly milliseconds: Nullable<number>
}

export interface AccountWatchesTable {
  readonly account_id: string
  readonly until: Timestamp
  readonly since: string
}

export interface AccountsTable {
  readonly id: string
  readonly name: string
  readonly created_at: Defaulted<Timestamp>
  readonly requires_mfa: Defaulted<boolean>
  readonly locale: Nullable<string>
  readonly time_zone: Nullable<string>
  readonly revision: Defaulted<number>
  readonly publishers: Defaulted<'members' | 'admins'>
}

export interface AgentDefinitionsTable {
  readonly account_id: string
  readonly digest: string
  readonly workflow_id: string
  readonly created_at: Timestamp
  readonly used_at: Defaulted<Timestamp>
}

export interface AgentRunsTable {
  readonly id: string
  readonly account_id: string
  readonly request: string
  readonly goal: string
  readonly quality: string
  readonly workflow_id: string
  readonly execution_id: Nullable<string>
  readonly request_key: Nullable<string>
  readonly outcome: Nullable<'answered' | 'step_limit' | 'token_limit' | 'cost_limit' | 'time_limit' | 'faulted' | 'cancelled'>
  readonly answer: Nullable<string>
  readonly turns: Defaulted<number>
  readonly tool_calls: Defaulted<number>
  readonly input_tokens: Defaulted<number>
  readonly output_tokens: Defaulted<number>
  readonly created_by: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  readonly ended_at: Nullable<Timestamp>
  readonly cost_micros: Defaulted<number>
  readonly tool_use: Defaulted<Jsonb>
}

export interface ApiKeySecretsTable {
  readonly hash: Buffer
  readonly key_id: string
  readonly account_id: string
  readonly prefix: string
  readonly created_at: Timestamp
  readonly valid_until: Nullable<Timestamp>
  readonly kind: Defaulted<'access' | 'refresh' | 'spent'>
}

export interface ApiKeysTable {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly name: string
  readonly scopes: string[]
  readonly created_at: Timestamp
  readonly expires_at: Nullable<Timestamp>
  readonly last_used_at: Nullable<Timestamp>
  readonly revoked_at: Nullable<Timestamp>
  readonly client_id: Nullable<string>
  readonly workflow_ids: Nullable<string[]>
}

export interface ApprovalAnswersTable {
  readonly id: string
  readonly account_id: string
  readonly approval_id: string
  readonly person: string
  readonly email: string
  readonly name: Nullable<string>
  readonly user_id: Nullable<string>
  readonly asked_as: string
  readonly decision: 'approve' | 'reject'
  readonly reason: Nullable<string>
  readonly data: Nullable<string>
  readonly via: 'api' | 'link'
  readonly mail_id: Nullable<string>
  readonly answered_at: Timestamp
}

export interface ApprovalEndsTable {
  readonly id: Computed<number>
  readonly execution_id: string
  readonly position: string
}

export interface ApprovalMailsTable {
  readonly id: string
  readonly account_id: string
  readonly approval_id: string
  readonly step: number
  readonly kind: 'link' | 'notice'
  readonly email: string
  readonly name: Nullable<string>
  readonly user_id: Nullable<string>
  readonly token_hash: Nullable<Buffer>
  readonly sealed_token: Nullable<Buffer>
  readonly attempts: Defaulted<number>
  readonly next_attempt_at: Nullable<Timestamp>
  readonly sent_at: Nullable<Timestamp>
  readonly failure: Nullable<string>
}

export interface ApprovalsTable {
  readonly id: string
  readonly account_id: string
  readonly execution_id: string
  readonly position: string
  readonly arguments: string
  readonly opened_at: Timestamp
  readonly state: Defaulted<'open' | 'approved' | 'rejected' | 'expired' | 'closed'>
  readonly steps: Defaulted<number>
  readonly asked: Defaulted<string[]>
  readonly barred: Defaulted<string[]>
  readonly ended_at: Nullable<Timestamp>
  readonly output: Nullable<string>
  readonly due_at: Nullable<Timestamp>
  readonly reassigned: Nullable<string>
  readonly escalated: Defaulted<number>
}

export interface AssistantConversationsTable {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly title: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface AssistantEmailDraftsTable {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly conversation_id: Nullable<string>
  readonly recipients: string[]
  readonly subject: string
  readonly body: string
  readonly digest: string
  readonly state: 'draft' | 'sent' | 'rejected'
  readonly reason: Nullable<string>
  readonly created_at: Timestamp
  readonly decided_at: Nullable<Timestamp>
}

export interface AssistantMessagesTable {
  readonly id: string
  readonly account_id: string
  readonly conversation_id: string
  readonly user_id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly proposals: Defaulted<string[]>
  readonly drafts: Defaulted<string[]>
  readonly created_at: Timestamp
}

export interface AssistantProposalsTable {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly conversation_id: Nullable<string>
  readonly kind: string
  readonly summary: string
  readonly action: string
  readonly digest: string
  readonly state: 'pending' | 'confirmed' | 'done' | 'failed' | 'rejected'
  readonly result: Nullable<Jsonb>
  readonly reason: Nullable<string>
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
  readonly decided_at: Nullable<Timestamp>
}

export interface AttemptLogsTable {
  readonly account_id: string
  readonly execution_id: string
  readonly position: string
  readonly text: string
  readonly truncated: boolean
  readonly made_at: Timestamp
}

export interface AuditAnchoredTable {
  readonly account_id: string
  readonly day: string
  readonly size: number
  readonly anchor: number
  readonly place: number
  readonly hash: Buffer
}

export interface AuditAnchorsTable {
  readonly index: number
  readonly made_at: Timestamp
  readonly batch_size: number
  readonly batch_root: Buffer
  readonly hash: Buffer
  readonly note: string
}

export interface AuditAttestationsTable {
  readonly anchor: number
  readonly source: string
  readonly statement: string
  readonly made_at: Timestamp
}

export interface AuditBlocksTable {
  readonly account_id: string
  readonly day: string
  readonly first_index: number
  readonly size: number
  readonly created: string
  readonly first_at: Timestamp
  readonly last_at: Timestamp
  readonly bases: Jsonb[]
  readonly base_numbers: number[]
  readonly event_ids: string[]
  readonly targets: string[]
  readonly times: Timestamp[]
  readonly started_times: Timestamp[]
  readonly input_digests: Buffer[]
  readonly output_digests: Buffer[]
  readonly salts: Buffer[]
  readonly hashes: Buffer[]
}

export interface AuditChangesTable {
  readonly event_id: string
  readonly account_id: string
  readonly revealed: Jsonb
}

export interface AuditCheckpointsTable {
  readonly account_id: string
  readonly day: string
  readonly size: number
  readonly note: string
  readonly made_at: Timestamp
}

export interface AuditDaysTable {
  readonly account_id: string
  readonly day: string
  readonly size: number
  readonly peaks: Buffer
  readonly root: Buffer
  readonly previous_day: Nullable<string>
  readonly previous_size: Nullable<number>
  readonly previous_root: Nullable<Buffer>
  readonly signed_size: Defaulted<number>
  readonly signed_count: Defaulted<number>
  readonly signed_at: Nullable<Timestamp>
  readonly closed_at: Nullable<Timestamp>
}

export interface AuditDestinationsTable {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly target: Jsonb
  readonly secret: Nullable<Buffer>
  readonly next_day: string
  readonly next_index: number
  readonly state: 'active' | 'paused'
  readonly paused_reason: Nullable<string>
  readonly attempts: Defaulted<number>
  readonly failing_since: Nullable<Timestamp>
  readonly last_error: Nullable<string>
  readonly due_at: Timestamp
  readonly claim: Nullable<string>
  readonly claimed_until: Nullable<Timestamp>
  readonly delivered_at: Nullable<Timestamp>
  readonly created_at: Timestamp
  readonly created_by: string
}

export interface AuditEventsTable {
  readonly id: string
  /** Null for what concerns no account: an operator's act, a sign-in with an unknown address. */
  readonly account_id: Nullable<string>
  readonly at: Defaulted<Timestamp>
  /** Who did it, as kind:id: user:…, key:…, operator:…, system:… or anonymous. */
  readonly actor: string
  readonly event: string
  /** What it was done to, as a TypeID. */
  readonly target: Nullable<string>
  readonly request_id: Nullable<string>
  readonly ip: Nullable<string>
  readonly details: Defaulted<Jsonb>
  readonly salt: Defaulted<Buffer>
  readonly commitment: Nullable<Buffer>
}

export interface AuditLeavesTable {
  readonly account_id: string
  readonly day: string
  readonly index: number
  readonly event_id: Nullable<string>
  readonly hash: Buffer
}

export interface AuditPendingTable {
  readonly event_id: string
}

export interface AuditPendingExecutionsTable {
  readonly id: Computed<number>
  readonly account_id: string
  readonly phase: 'started' | 'ended'
  readonly execution_ids: string[]
}

export interface BillingCreditsTable {
  readonly id: string
  readonly account_id: string
  readonly currency: string
  readonly amount: number
  readonly reason: 'proration' | 'referral' | 'spent' | 'returned'
  readonly cause: string
  readonly created_at: Timestamp
}

export interface BillingPaymentsTable {
  readonly id: string
  readonly account_id: string
  readonly kind: 'checkout' | 'change' | 'renewal'
  readonly provider: string
  readonly state: 'open' | 'succeeded' | 'failed' | 'expired' | 'refunding' | 'refunded'
  readonly amount: number
  readonly currency: string
  readonly purchase: Jsonb
  readonly invoice_id: Nullable<string>
  readonly reference: Nullable<string>
  readonly url: Nullable<string>
  readonly expires_at: Nullable<Timestamp>
  readonly failure: Nullable<string>
  readonly created_at: Timestamp
  readonly settled_at: Nullable<Timestamp>
  readonly check_at: Nullable<Timestamp>
  readonly refunded: Defaulted<number>
}

export interface BillingSubscriptionsTable {
  readonly account_id: string
  readonly id: string
  readonly tier: string
  readonly state: 'trialing' | 'active' | 'past_due' | 'cancelling' | 'cancelled' | 'expired'
  readonly collection: 'automatic' | 'manual' | 'none'
  readonly term: Nullable<'month' | 'year'>
  readonly currency: Nullable<string>
  readonly price: Nullable<number>
  readonly country: Nullable<string>
  readonly anchor: Timestamp
  readonly period_start: Timestamp
  readonly period_end: Nullable<Timestamp>
  readonly trial_end: Nullable<Timestamp>
  readonly had_trial: Defaulted<boolean>
  readonly pending: Nullable<Jsonb>
  readonly provider: Nullable<string>
  readonly customer: Nullable<string>
  readonly payment_method: Nullable<string>
  readonly failed_at: Nullable<Timestamp>
  readonly next_attempt_at: Nullable<Timestamp>
  readonly attempts: Defaulted<number>
  readonly revision: Defaulted<number>
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface CaptureEventsTable {
  readonly session_id: string
  readonly account_id: string
  readonly sequence: number
  readonly event: Jsonb
}

export interface CaptureSessionsTable {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly state: 'recording' | 'stopping' | 'stopped'
  readonly mask_inputs: boolean
  readonly token_hash: Buffer
  readonly workflow_id: Nullable<string>
  readonly draft: Nullable<Jsonb>
  readonly created_at: Timestamp
  readonly created_by: string
  readonly expires_at: Timestamp
  readonly stopped_at: Nullable<Timestamp>
}

export interface ChainsTable {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly description: Nullable<string>
  readonly members: string
  readonly workflow_id: string
  readonly compiled: string
  readonly revision: Defaulted<number>
  readonly created_at: Timestamp
  readonly created_by: string
  readonly updated_at: Timestamp
  readonly updated_by: string
}

export interface ConnectionAuthorizationsTable {
  readonly state_digest: Buffer
  readonly account_id: string
  readonly connection_id: string
  readonly user_id: string
  readonly verifier: Buffer
  readonly expires_at: Timestamp
}

export interface ConnectionsTable {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly kind: 'api-key' | 'bearer' | 'basic' | 'oauth2' | 'database' | 'smtp' | 'imap' | 's3' | 'mutual-tls'
  readonly description: string
  readonly settings: string
  readonly secret_names: string[]
  readonly sealed: Buffer
  readonly tokens: Nullable<Buffer>
  readonly state: 'ready' | 'failed' | 'unauthorized'
  readonly problem: Nullable<string>
  readonly tested_at: Nullable<Timestamp>
  readonly expires_at: Nullable<Timestamp>
  readonly notified_at: Nullable<Timestamp>
  readonly revision: Defaulted<number>
  readonly created_at: Timestamp
  readonly created_by: string
  readonly updated_at: Timestamp
  readonly updated_by: string
  readonly token_version: Defaulted<number>
  readonly renewal_until: Nullable<Timestamp>
  readonly renewal_failures: Defaulted<number>
  readonly renewal_after: Nullable<Timestamp>
  readonly renewal_problem: Nullable<string>
}

export interface ConnectorSubmissionsTable {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly title: string
  readonly kind: 'manifest' | 'openapi'
  readonly version: string
  readonly summary: string
  readonly licence: string
  readonly homepage: Nullable<string>
  readonly hosts: string[]
  readonly operations: string
  readonly operation_count: number
  readonly document: string
  readonly checksum: string
  readonly checks: string
  readonly state: 'pending' | 'approved' | 'rejected' | 'withdrawn'
  readonly reason: Nullable<string>
  readonly revision: Defaulted<number>
  readonly created_at: Timestamp
  readonly created_by: string
  readonly decided_at: Nullable<Timestamp>
  readonly decided_by: Nullable<string>
}

export interface ConsentsTable {
  readonly id: string
  readonly account_id: string
  readonly kind: 'cross-border' | 'privacy-preferences'
  readonly state: 'given' | 'withdrawn' | 'replaced'
  readonly terms: Jsonb
  readonly events: Jsonb
  readonly expires_at: Nullable<Timestamp>
  readonly created_at: Timestamp
}

export interface DataRowCallsTable {
  readonly account_id: string
  readonly call: string
  readonly output: string
  readonly at: Timestamp
}

export interface DataRowsTable {
  readonly account_id: string
  readonly table_name: string
  readonly key: string
  readonly content: string
  readonly bytes: Computed<number>
  readonly revision: number
  readonly written_by: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  readonly expires_at: Nullable<Timestamp>
  readonly by_test: Defaulted<boolean>
}

export interface DataTablesTable {
  readonly account_id: string
  readonly name: string
  readonly row_count: Defaulted<number>
  readonly bytes: Defaulted<number>
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface DeadLettersTable {
  readonly id: string
  readonly account_id: string
  readonly execution_id: Nullable<string>
  readonly reason: string
  readonly attempts: number
  readonly payload: string
  readonly created_at: Timestamp
  readonly kind: Defaulted<'execution' | 'event_delivery'>
  readonly workflow_id: Nullable<string>
  readonly subscription_id: Nullable<string>
  readonly delivery_id: Nullable<string>
  readonly replayed_at: Nullable<Timestamp>
  readonly replayed_by: Nullable<string>
  readonly replayed_as: Nullable<string>
}

export interface DeletedAccountsTable {
  readonly id: string
  readonly deleted_at: Timestamp
  readonly restorable_until: Nullable<Timestamp>
  readonly user_id: Nullable<string>
  readonly email: Nullable<string>
  readonly token_hash: Nullable<Buffer>
  readonly tried_at: Nullable<Timestamp>
  readonly cancelled_at: Nullable<Timestamp>
}

export interface DeletedRowsTable {
  readonly account_id: string
  readonly table_name: string
  readonly position: number
  readonly depth: number
  readonly content: string
}

export interface DevOutboxTable {
  readonly id: string
  readonly channel: 'mail' | 'sms'
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: Nullable<string>
  readonly created_at: Timestamp
}

export interface EinvoiceChainsTable {
  readonly account_id: string
  readonly counter: number
  readonly hash: string
}

export interface EinvoiceKeysTable {
  readonly account_id: string
  readonly sealed: Buffer
  readonly certificate: Buffer
  readonly created_at: Timestamp
}

export interface EinvoicesTable {
  readonly id: string
  readonly account_id: string
  readonly counter: number
  readonly number: string
  readonly hash: string
  readonly previous_hash: string
  readonly xml: string
  readonly qr_fields: Jsonb
  readonly created_at: Timestamp
  readonly summary: Nullable<Jsonb>
  readonly made_by_call: Nullable<string>
}

export interface EventDeliveriesTable {
  readonly id: string
  readonly account_id: string
  readonly subscription_id: string
  readonly event_id: Nullable<string>
  readonly event_type: string
  readonly event: Nullable<string>
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly attempts: Defaulted<number>
  readonly due_at: Nullable<Timestamp>
  readonly claimed_until: Nullable<Timestamp>
  readonly history: Defaulted<Jsonb>
  readonly created_at: Timestamp
  readonly ended_at: Nullable<Timestamp>
}

export interface EventFiltersTable {
  readonly account_id: string
  readonly id: string
  readonly type: Nullable<string>
  readonly filter: string
  readonly used_at: Timestamp
  readonly kept_since: Nullable<Timestamp>
  readonly kept_to: Nullable<string>
}

export interface EventSubscriptionsTable {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly url: string
  readonly types: string[]
  readonly enabled: boolean
  readonly disabled_reason: Nullable<string>
  readonly failing_since: Nullable<Timestamp>
  readonly secret: Buffer
  readonly previous_secret: Nullable<Buffer>
  readonly previous_secret_until: Nullable<Timestamp>
  readonly revision: number
  readonly created_at: Timestamp
  readonly created_by: string
  readonly updated_at: Timestamp
  readonly updated_by: string
}

export interface EventsTable {
  readonly id: string
  readonly account_id: string
  readonly source: string
  readonly event_id: string
  readonly type: string
  readonly envelope: string
  readonly received_at: Timestamp
  readonly expires_at: Timestamp
  readonly matched_at: Nullable<Timestamp>
  readonly taken: Defaulted<boolean>
  readonly takers: Defaulted<number>
  readonly matched_to: Nullable<string>
  readonly depth: Defaulted<number>
}

export interface EvidenceKeysTable {
  readonly purpose: 'checkpoint' | 'receipt'
  readonly name: string
  readonly public_key: Buffer
  readonly private_key: Buffer
  readonly created_at: Timestamp
}

export interface EvidencePacksTable {
  readonly id: string
  readonly account_id: string
  readonly selection_hash: Buffer
  readonly selection: Jsonb
  readonly state: Defaulted<'preparing' | 'ready' | 'failed'>
  readonly failure: Nullable<string>
  readonly done: Defaulted<number>
  readonly total: Nullable<number>
  readonly created_at: Timestamp
  readonly ended_at: Nullable<Timestamp>
  readonly file_id: Nullable<string>
}

export interface ExecutionCountsTable {
  readonly account_id: string
  readonly workflow_id: string
  readonly minutes: number
  readonly at: Timestamp
  readonly state: string
  readonly executions: number
  readonly retries: number
  readonly begun: number
  readonly duration_ms: number
  readonly wait_ms: number
}

export interface ExecutionEndsTable {
  readonly id: Computed<number>
  readonly account_id: string
  readonly execution_ids: string[]
}

export interface ExecutionFailuresTable {
  readonly account_id: string
  readonly workflow_id: string
  readonly minutes: number
  readonly at: Timestamp
  readonly task: string
  readonly error_type: string
  readonly executions: number
}

export interface ExecutionKeysTable {
  readonly account_id: string
  readonly key: string
  readonly execution_id: string
  readonly digest: string
}

export interface ExecutionLabelsTable {
  readonly execution_id: string
  readonly account_id: string
  readonly number: number
  readonly name: string
  readonly value: Nullable<string>
  readonly problem: Nullable<string>
}

export interface ExecutionRetriesTable {
  readonly retry_of: string
  readonly account_id: string
  readonly execution_id: string
  readonly keys: Nullable<string>
}

export interface ExecutionTasksTable {
  readonly account_id: string
  readonly workflow_id: string
  readonly minutes: number
  readonly at: Timestamp
  readonly task: string
  readonly attempts: number
  readonly failed: number
  readonly duration_ms: number
  readonly longest_ms: number
}

export interface ExecutionTimesTable {
  readonly account_id: string
  readonly workflow_id: string
  readonly minutes: number
  readonly at: Timestamp
  readonly measure: 'duration' | 'wait'
  readonly class: number
  readonly executions: number
}

export interface ExecutionTurnsTable {
  readonly execution_id: string
  readonly account_id: string
  readonly workflow_id: string
  readonly turn_max: number
  readonly admitted: boolean
}

export interface ExecutionsTable {
  readonly id: string
  readonly account_id: string
  readonly workflow_id: string
  readonly version_id: string
  readonly state: 'pending' | 'running' | 'waiting' | 'suspended' | 'completed' | 'faulted' | 'cancelled'
  readonly trigger: string
  readonly actor: string
  readonly parent_id: Nullable<string>
  readonly depth: Defaulted<number>
  readonly input: string
  readonly output: Nullable<string>
  readonly error: Nullable<string>
  readonly decisions: Defaulted<string>
  readonly created_at: Timestamp
  readonly started_at: Nullable<Timestamp>
  readonly ended_at: Nullable<Timestamp>
  readonly wake_at: Nullable<Timestamp>
  readonly claimed_by: Nullable<string>
  readonly crash_count: Defaulted<number>
  readonly recovered_seq: Defaulted<number>
  readonly cancel_requested_at: Nullable<Timestamp>
  readonly signalled_at: Nullable<Timestamp>
  readonly suspend_requested_at: Nullable<Timestamp>
  readonly reply: Nullable<string>
  readonly retry_of: Nullable<string>
  readonly crashed_at: Nullable<Timestamp>
  readonly on_trial: Defaulted<boolean>
  readonly failed_trials: Defaulted<number>
  readonly caused_by: Nullable<string>
}

export interface ExternalSignInsTable {
  readonly id: string
  readonly state_hash: Buffer
  readonly provider: 'loginone' | 'logintwo' | 'oidc' | 'saml'
  readonly account_id: Nullable<string>
  readonly sign_in_provider_id: Nullable<string>
  readonly user_id: Nullable<string>
  readonly binding: Buffer
  readonly secrets: Buffer
  readonly return_to: string
  readonly expires_at: Timestamp
  readonly returned_at: Nullable<Timestamp>
  readonly code_hash: Nullable<Buffer>
  readonly code_expires_at: Nullable<Timestamp>
  readonly claims: Nullable<Buffer>
}

export interface FileChunksTable {
  readonly file_id: string
  readonly index: number
  readonly account_id: string
  readonly content: Buffer
}

export interface FileLinksTable {
  readonly token_hash: Buffer
  readonly account_id: string
  readonly file_id: string
  readonly expires_at: Timestamp
  readonly used_at: Nullable<Timestamp>
}

export interface FilesTable {
  readonly id: string
  readonly account_id: string
  readonly owner: string
  readonly name: string
  readonly media: string
  readonly bytes: Nullable<number>
  readonly sha256: Nullable<Buffer>
  readonly created_at: Timestamp
  readonly expires_at: Nullable<Timestamp>
  readonly is_part: Defaulted<boolean>
}

export interface FormProofsTable {
  readonly id: string
  readonly expires_at: Timestamp
}

export interface GitFilesTable {
  readonly repository_id: string
  readonly account_id: string
  readonly path: string
  readonly workflow_id: string
  readonly base_sha256: string
}

export interface GitRepositoriesTable {
  readonly id: string
  readonly account_id: string
  readonly url: string
  readonly branch: string
  readonly folder: string
  readonly connection: Nullable<string>
  readonly pull: 'draft' | 'publish'
  readonly automatic: boolean
  readonly commit_id: Nullable<string>
  readonly synced_at: Nullable<Timestamp>
  readonly problem: Nullable<string>
  readonly conflicts: Defaulted<string[]>
  readonly next_at: Nullable<Timestamp>
  readonly busy_until: Nullable<Timestamp>
  readonly created_at: Timestamp
  readonly created_by: string
  readonly failures: Defaulted<number>
  readonly authors: Defaulted<boolean>
  readonly busy_by: Nullable<string>
}

export interface IdempotencyKeysTable {
  readonly lookup: Buffer
  readonly account_id: Nullable<string>
  readonly operation: string
  readonly fingerprint: Buffer
  readonly status: Nullable<number>
  readonly reply: Nullable<Buffer>
  readonly created_at: Defaulted<Timestamp>
  readonly expires_at: Timestamp
  readonly claim_id: Nullable<string>
}

export interface IdentitiesTable {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly provider: 'loginone' | 'logintwo' | 'oidc' | 'saml'
  readonly sign_in_provider_id: Nullable<string>
  readonly issuer: string
  readonly subject: string
  readonly email: Nullable<string>
  readonly created_at: Timestamp
  readonly last_used_at: Timestamp
}

export interface InstallationKeyTable {
  readonly id: Defaulted<boolean>
  readonly fingerprint: Buffer
  readonly recorded_at: Timestamp
}

export interface InstallationRootsTable {
  readonly version: number
  readonly key_fingerprint: Buffer
  readonly sealed: Buffer
  readonly created_at: Timestamp
}

export interface InvitationsTable {
  readonly id: string
  readonly account_id: string
  readonly email: string
  readonly role: 'viewer' | 'auditor' | 'member' | 'admin'
  readonly token_hash: Buffer
  readonly mailed: boolean
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
  readonly invited_by: Nullable<string>
}

export interface InvoiceNumbersTable {
  readonly issuer: string
  readonly last: number
}

export interface InvoicesTable {
  readonly id: string
  readonly account_id: string
  readonly issuer: string
  readonly number: number
  readonly kind: 'invoice' | 'credit_note'
  readonly state: 'open' | 'paid' | 'uncollectible'
  readonly currency: string
  readonly lines: Jsonb
  readonly net: number
  readonly tax: number
  readonly tax_basis_points: number
  readonly total: number
  readonly credit: number
  readonly due: number
  readonly buyer: Jsonb
  readonly period_start: Nullable<Timestamp>
  readonly period_end: Nullable<Timestamp>
  readonly corrects: Nullable<string>
  readonly reason: Nullable<string>
  readonly issued_at: Timestamp
  readonly paid_at: Nullable<Timestamp>
}

export interface JournalTable {
  readonly execution_id: string
  readonly seq: number
  readonly account_id: string
  readonly position: string
  readonly phase: 'started' | 'ended'
  readonly kind: string
  readonly ok: boolean
  readonly value: string
  readonly decisions: string
  readonly started_at: Timestamp
  readonly ended_at: Timestamp
}

export interface KeptEventsTable {
  readonly account_id: string
  readonly filter_id: string
  readonly key: string
  readonly event_id: string
}

export interface LeadsTable {
  readonly id: string
  readonly kind: 'contact' | 'sales' | 'demo' | 'newsletter'
  readonly state: 'received' | 'pending' | 'confirmed' | 'unsubscribed'
  readonly email: string
  readonly name: Nullable<string>
  readonly company: Nullable<string>
  readonly phone: Nullable<string>
  readonly locale: 'en' | 'ar'
  readonly details: Jsonb
  readonly messages: Jsonb
  readonly submissions: Defaulted<number>
  readonly consent_at: Timestamp
  readonly consent_text: string
  readonly consent_ip: string
  readonly consent_user_agent: Nullable<string>
  readonly mailed_at: Nullable<Timestamp>
  readonly confirmed_at: Nullable<Timestamp>
  readonly unsubscribed_at: Nullable<Timestamp>
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface ListenersTable {
  readonly id: string
  readonly account_id: string
  readonly execution_id: string
  readonly position: string
  readonly role: 'event' | 'until'
  readonly index: number
  readonly takes: 'one' | 'each' | 'many'
  readonly filter_id: string
  readonly expected: string
  readonly open_names: string[]
  readonly key: Nullable<string>
  readonly scope: Nullable<string>
  readonly matched_at: Nullable<Timestamp>
  readonly kept_to: Nullable<string>
}

export interface LoginThrottlesTable {
  readonly subject: string
  readonly failures: number
  readonly blocked_until: Timestamp
  readonly failed_at: Timestamp
}

export interface MailLinksTable {
  readonly hash: Buffer
  readonly account_id: string
  readonly user_id: string
  readonly purpose: 'verify-email' | 'reset-password' | 'magic-link'
  readonly email: string
  readonly request_hash: Nullable<Buffer>
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
  readonly used_at: Nullable<Timestamp>
}

export interface MailTroubleTable {
  readonly id: Defaulted<boolean>
  readonly since: Timestamp
  readonly failures: number
  readonly reason: string
  readonly failed_at: Timestamp
  readonly noticed_at: Nullable<Timestamp>
}

export interface MarketplaceEntriesTable {
  readonly id: string
  readonly account_id: string
  readonly workflow_id: string
  readonly title: string
  readonly summary: string
  readonly author: string
  readonly category: string
  readonly tags: string[]
  readonly licence: string
  readonly version: number
  readonly state: 'listed' | 'withdrawn' | 'removed'
  readonly reason: Nullable<string>
  readonly rating_sum: Defaulted<number>
  readonly rating_count: Defaulted<number>
  readonly import_count: Defaulted<number>
  readonly popularity: Computed<number>
  readonly words: string
  readonly created_at: Timestamp
  readonly created_by: string
  readonly updated_at: Timestamp
  readonly head: Computed<string>
}

export interface MarketplaceImportsTable {
  readonly entry_id: string
  readonly account_id: string
  readonly imported_at: Timestamp
}

export interface MarketplaceRatingsTable {
  readonly entry_id: string
  readonly account_id: string
  readonly stars: number
  readonly rated_at: Timestamp
  readonly rated_by: string
}

export interface MarketplaceReportsTable {
  readonly id: string
  readonly entry_id: string
  readonly account_id: string
  readonly reason: string
  readonly detail: string
  readonly created_at: Timestamp
  readonly created_by: string
}

export interface MarketplaceVersionsTable {
  readonly entry_id: string
  readonly number: number
  readonly account_id: string
  readonly definition: string
  readonly source: string
  readonly checksum: string
  readonly readme: string
  readonly drawing: string
  readonly notes: string
  readonly parameters: string
  readonly permissions: string
  readonly created_at: Timestamp
}

export interface MarketplaceWordsTable {
  readonly word: string
  readonly entries: number
}

export interface McpConnectorToolsTable {
  readonly account_id: string
  readonly function: string
  readonly summary: string
  readonly connection: Nullable<string>
  readonly permission: 'ask' | 'allow'
  readonly digest: string
  readonly workflow_id: string
  readonly updated_at: Timestamp
  readonly updated_by: string
}

export interface MessagesTable {
  readonly id: Computed<number>
  readonly account_id: string
  readonly execution_id: string
  readonly position: string
  readonly value: string
  readonly event_id: Nullable<string>
  readonly created_at: Defaulted<Timestamp>
}

export interface ModelCallsTable {
  readonly id: string
  readonly account_id: string
  readonly execution_id: Nullable<string>
  readonly position: Nullable<string>
  readonly role: string
  readonly model: string
  readonly model_id: string
  readonly prompt_digest: Nullable<string>
  readonly answer_digest: Nullable<string>
  readonly prompt: Nullable<string>
  readonly answer: Nullable<string>
  readonly input_tokens: number
  readonly output_tokens: number
  readonly at: Timestamp
  readonly expires_at: Timestamp
  readonly workflow_id: Nullable<string>
  readonly cost_micros: Nullable<number>
  readonly duration_ms: Nullable<number>
  readonly finish: Nullable<string>
  readonly failure: Nullable<'provider' | 'timeout' | 'unreadable' | 'quota' | 'privacy' | 'stopped'>
  readonly error: Nullable<string>
}

export interface ModelUsageTable {
  readonly account_id: string
  readonly day: string
  readonly model: string
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_micros: Defaulted<number>
  readonly own: Defaulted<boolean>
}

export interface NotificationDigestsTable {
  readonly account_id: string
  readonly user_id: string
  readonly every_minutes: Defaulted<number>
  readonly last_sent_at: Nullable<Timestamp>
  readonly queued_at: Nullable<Timestamp>
  readonly first_at_once: Defaulted<boolean>
  readonly sent_at_once: Defaulted<number>
}

export interface NotificationPreferencesTable {
  readonly account_id: string
  readonly user_id: string
  readonly kind: string
  readonly in_app: boolean
  readonly mail: boolean
  readonly webhook: Defaulted<boolean>
}

export interface NotificationWebhooksTable {
  readonly account_id: string
  readonly user_id: string
  readonly format: 'standard' | 'slack' | 'discord'
  readonly sealed: Buffer
  readonly created_at: Timestamp
  readonly last_sent_at: Nullable<Timestamp>
  readonly failing_since: Nullable<Timestamp>
  readonly last_error: Nullable<string>
  readonly next_attempt_at: Nullable<Timestamp>
  readonly disabled_at: Nullable<Timestamp>
}

export interface NotificationsTable {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly kind: string
  readonly title: string
  readonly body: string
  readonly link: Nullable<string>
  readonly group_key: Nullable<string>
  readonly count: Defaulted<number>
  readonly in_app: boolean
  readonly mail_due_since: Nullable<Timestamp>
  readonly mailed_at: Nullable<Timestamp>
  readonly read_at: Nullable<Timestamp>
  readonly created_at: Timestamp
  readonly last_at: Timestamp
  readonly webhook_due_since: Nullable<Timestamp>
  readonly webhook_sent_at: Nullable<Timestamp>
  readonly mail_at_once: Defaulted<boolean>
}

export interface OauthClientsTable {
  readonly id: string
  readonly name: string
  readonly redirect_uris: string[]
  readonly created_at: Timestamp
  readonly fresh_until: Nullable<Timestamp>
}

export interface OauthCodesTable {
  readonly hash: Buffer
  readonly account_id: string
  readonly user_id: string
  readonly client_id: string
  readonly redirect_uri: string
  readonly scopes: string[]
  readonly challenge: string
  readonly expires_at: Timestamp
  readonly used_at: Nullable<Timestamp>
  readonly key_id: Nullable<string>
}

export interface OperatorCodesTable {
  readonly hash: Buffer
  readonly created_at: Timestamp
}

export interface PasskeyChallengesTable {
  readonly request_hash: Buffer
  readonly account_id: Nullable<string>
  readonly user_id: Nullable<string>
  readonly challenge: string
  readonly expires_at: Timestamp
}

export interface PasskeysTable {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly credential_id: string
  readonly public_key: Buffer
  readonly counter: number
  readonly transports: string[]
  readonly name: string
  readonly synced: boolean
  readonly created_at: Timestamp
  readonly last_used_at: Nullable<Timestamp>
}

export interface PaymentNotificationsTable {
  readonly id: string
  readonly provider: string
  readonly event_id: string
  readonly type: string
  readonly body: Buffer
  readonly received_at: Timestamp
  readonly deliveries: Defaulted<number>
  readonly state: 'pending' | 'processed' | 'dead'
  readonly processed_at: Nullable<Timestamp>
}

export interface PhoneCodesTable {
  readonly request_hash: Buffer
  readonly account_id: Nullable<string>
  readonly user_id: Nullable<string>
  readonly purpose: 'enroll' | 'sign-in' | 'second-factor'
  readonly number: string
  readonly code_hash: Buffer
  readonly second_factor: Defaulted<boolean>
  readonly failures: Defaulted<number>
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
}

export interface PlansTable {
  readonly tier: string
  readonly name: string
  readonly rank: number
  readonly limits: Jsonb
  readonly prices: Jsonb
  readonly trial_days: number
  readonly is_public: boolean
  readonly revision: Defaulted<number>
  readonly updated_at: Defaulted<Timestamp>
}

export interface PrivacyDecisionsTable {
  readonly id: string
  readonly account_id: string
  readonly at: Timestamp
  readonly source: string
  readonly action: 'none' | 'detected' | 'redacted' | 'blocked' | 'allowed'
  readonly actor: string
  readonly workflow_id: Nullable<string>
  readonly target: Nullable<string>
  readonly purpose: Nullable<string>
  readonly reason: Nullable<string>
  readonly counts: Jsonb
  readonly characters: number
}

export interface PrivacyErasedExecutionsTable {
  readonly account_id: string
  readonly execution_id: string
  readonly erasure_id: string
  readonly erased_at: Timestamp
  readonly in_input: boolean
  readonly attested_by: Nullable<string>
}

export interface PrivacyErasuresTable {
  readonly id: string
  readonly account_id: string
  readonly state: 'running' | 'waiting' | 'done'
  readonly sealed: Nullable<Buffer>
  readonly given: number
  readonly reason: Nullable<string>
  readonly includes_forms: boolean
  readonly erased: Defaulted<Jsonb>
  readonly kept: Defaulted<Jsonb>
  readonly requested_at: Timestamp
  readonly requested_by: string
  readonly updated_at: Timestamp
  readonly ended_at: Nullable<Timestamp>
  readonly due_at: Defaulted<Timestamp>
  readonly claimed_until: Nullable<Timestamp>
  readonly attempts: Defaulted<number>
  readonly problem: Nullable<string>
  readonly waits_for: Nullable<string[]>
  readonly searched_at: Nullable<Timestamp>
  readonly notes_executions: Defaulted<boolean>
  readonly claim: Nullable<string>
}

export interface PrivacyPoliciesTable {
  readonly id: string
  readonly account_id: string
  readonly workflow_id: Nullable<string>
  readonly action: 'detect' | 'redact' | 'block'
  readonly kinds: string[]
  readonly min_score: number
  readonly purpose: string
  readonly legal_basis: string
  readonly retention: Nullable<string>
  readonly enabled: boolean
  readonly revision: Defaulted<number>
  readonly updated_at: Timestamp
  readonly updated_by: string
  readonly point: 'input' | 'journal' | 'output' | 'prompts' | 'logs'
}

export interface PrivacyPreferencesTable {
  readonly account_id: string
  readonly preferences: Jsonb
  readonly revision: Defaulted<number>
  readonly updated_at: Timestamp
}

export interface PrivacyReportsTable {
  readonly id: string
  readonly account_id: string
  readonly state: Defaulted<'preparing' | 'ready' | 'failed'>
  readonly sealed: Nullable<Buffer>
  readonly given: number
  readonly note: Nullable<string>
  readonly locale: 'en' | 'ar'
  readonly includes_forms: boolean
  readonly failure: Nullable<string>
  readonly found: Nullable<Jsonb>
  readonly review: Defaulted<Jsonb>
  readonly done: Defaulted<number>
  readonly file_id: Nullable<string>
  readonly bytes: Nullable<number>
  readonly sha256: Nullable<string>
  readonly created_at: Timestamp
  readonly created_by: string
  readonly ended_at: Nullable<Timestamp>
  readonly expires_at: Timestamp
  readonly heartbeat_at: Nullable<Timestamp>
}

export interface ProcessCrashesTable {
  readonly id: string
  readonly host: string
  readonly crashed_at: Timestamp
}

export interface ProcessesTable {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly started_at: Timestamp
  readonly heartbeat_at: Timestamp
  readonly works: Defaulted<boolean>
  readonly roles: Defaulted<string[]>
}

export interface RateLimitCountersTable {
  readonly policy: string
  readonly subject: string
  readonly hits: number
  readonly ends_at: Timestamp
}

export interface ReadinessAssessmentsTable {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly version: string
  readonly score: number
  readonly answers: Jsonb
  readonly created_at: Timestamp
}

export interface RecoveryCodesTable {
  readonly user_id: string
  readonly account_id: string
  readonly hash: Buffer
  readonly created_at: Timestamp
}

export interface ReferralCodesTable {
  readonly code: string
  readonly account_id: string
  readonly visits: Defaulted<number>
  readonly created_at: Timestamp
}

export interface ReferralsTable {
  readonly referred_id: string
  readonly referrer_id: string
  readonly code: string
  readonly created_at: Timestamp
  readonly rewarded_at: Nullable<Timestamp>
  readonly reward_invoice_id: Nullable<string>
  readonly reward_due_at: Nullable<Timestamp>
}

export interface SamlAssertionsTable {
  readonly sign_in_provider_id: string
  readonly assertion_hash: Buffer
  readonly expires_at: Timestamp
}

export interface ScimGroupsTable {
  readonly id: string
  readonly account_id: string
  readonly display_name: string
  readonly external_id: Nullable<string>
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface ScimMembersTable {
  readonly account_id: string
  readonly group_id: string
  readonly user_id: string
}

export interface ScimSettingsTable {
  readonly account_id: string
  readonly token_hash: Nullable<Buffer>
  readonly token_created_at: Nullable<Timestamp>
  readonly token_used_at: Nullable<Timestamp>
  readonly default_role: 'viewer' | 'auditor' | 'member' | 'admin'
  readonly roles: Jsonb
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface ScimUsersTable {
  readonly user_id: string
  readonly account_id: string
  readonly external_id: Nullable<string>
  readonly given_name: Nullable<string>
  readonly family_name: Nullable<string>
  readonly updated_at: Timestamp
}

export interface SessionsTable {
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly device: Nullable<string>
  readonly ip: Nullable<string>
  readonly created_at: Timestamp
  readonly last_used_at: Timestamp
  readonly expires_at: Timestamp
  readonly revoked_at: Nullable<Timestamp>
  readonly revoked_because: Nullable<'signed_out' | 'revoked' | 'token_reused'>
  readonly generation: Defaulted<number>
  readonly token_hash: Buffer
  readonly previous_hash: Nullable<Buffer>
  readonly rotated_at: Nullable<Timestamp>
  readonly authenticated_at: Timestamp
  readonly methods: Defaulted<string[]>
}

export interface SignInChallengesTable {
  readonly id: string
  readonly token_hash: Buffer
  readonly account_id: string
  readonly user_id: string
  readonly kind: 'verify' | 'enroll'
  readonly methods: string[]
  readonly delivery: 'body' | 'cookie'
  readonly failures: Defaulted<number>
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
}

export interface SignInProvidersTable {
  readonly id: string
  readonly account_id: string
  readonly protocol: 'oidc' | 'saml'
  readonly name: string
  readonly issuer: string
  readonly client_id: Nullable<string>
  readonly client_secret: Nullable<Buffer>
  readonly scopes: Nullable<string[]>
  readonly sign_in_url: Nullable<string>
  readonly certificates: Nullable<string[]>
  readonly email_attribute: Nullable<string>
  readonly provision: boolean
  readonly default_role: 'viewer' | 'auditor' | 'member' | 'admin'
  readonly role_claim: Nullable<string>
  readonly roles: Jsonb
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface SigningKeysTable {
  readonly kid: string
  readonly public_key: string
  readonly private_key: Buffer
  readonly signs_from: Timestamp
  readonly signs_until: Timestamp
  readonly verifies_until: Timestamp
}

export interface TextMessageCountsTable {
  readonly subject: string
  readonly hits: number
  readonly ends_at: Timestamp
}

export interface TriggerEventSetsTable {
  readonly id: string
  readonly account_id: string
  readonly trigger_id: string
  readonly correlated: string
  readonly passed: string[]
  readonly events: string[]
  readonly bytes: number
  readonly depth: number
  readonly opened_at: Timestamp
}

export interface TriggerFiringsTable {
  readonly id: string
  readonly account_id: string
  readonly trigger_id: string
  readonly cause: string
  readonly due_at: Timestamp
  readonly event: Nullable<string>
  readonly ready_at: Timestamp
  readonly attempts: Defaulted<number>
  readonly depth: Defaulted<number>
  readonly events: Nullable<string>
  readonly execution_id: Nullable<string>
  readonly slow_starts: Defaulted<number>
}

export interface TriggerSkipsTable {
  readonly account_id: string
  readonly trigger_id: string
  readonly cause: string
  readonly due_at: Timestamp
  readonly at: Timestamp
  readonly reason: string
  readonly execution_id: Nullable<string>
}

export interface TriggerWatchesTable {
  readonly trigger_id: string
  readonly account_id: string
  readonly look_at: Nullable<Timestamp>
  readonly claim: Defaulted<number>
  readonly position: Nullable<string>
  readonly failures: Defaulted<number>
  readonly problem: Nullable<string>
  readonly looked_at: Nullable<Timestamp>
}

export interface TriggersTable {
  readonly id: string
  readonly account_id: string
  readonly workflow_id: string
  readonly kind: 'manual' | 'schedule' | 'webhook' | 'event' | 'watch'
  readonly origin: 'user' | 'definition'
  readonly name: string
  readonly enabled: boolean
  readonly paused_reason: Nullable<string>
  readonly input: Nullable<string>
  readonly mapping: Nullable<string>
  readonly settings: string
  readonly event_types: Nullable<string[]>
  readonly token_hash: Nullable<Buffer>
  readonly token: Nullable<Buffer>
  readonly secret: Nullable<Buffer>
  readonly next_at: Nullable<Timestamp>
  readonly failures: Defaulted<number>
  readonly last_fired_at: Nullable<Timestamp>
  readonly last_execution_id: Nullable<string>
  readonly last_error: Nullable<string>
  readonly revision: Defaulted<number>
  readonly created_at: Timestamp
  readonly created_by: string
  readonly updated_at: Timestamp
  readonly updated_by: string
  readonly paused_connection: Nullable<string>
  readonly test_until: Nullable<Timestamp>
  readonly test_left: Defaulted<number>
  readonly test_starts: Defaulted<boolean>
  readonly test_by: Nullable<string>
  readonly ends_since: Nullable<Timestamp>
  readonly ends_started: Defaulted<number>
}

export interface UsageCountedHoursTable {
  readonly hour: Timestamp
  readonly final: boolean
}

export interface UsageHoursTable {
  readonly account_id: string
  readonly meter: string
  readonly hour: Timestamp
  readonly amount: number
}

export interface UsageNoticesTable {
  readonly account_id: string
  readonly meter: string
  readonly period_start: Timestamp
  readonly percent: number
  readonly created_at: Timestamp
}

export interface UsageRecordsTable {
  readonly account_id: string
  readonly meter: string
  readonly source_id: string
  readonly recorded_at: Timestamp
}

export interface UsageReservationsTable {
  readonly seq: Computed<number>
  readonly account_id: string
  readonly amount: number
  readonly expires_at: Timestamp
}

export interface UserPasswordsTable {
  readonly user_id: string
  readonly account_id: string
  readonly hash: string
  readonly changed_at: Timestamp
}

export interface UserPhonesTable {
  readonly user_id: string
  readonly account_id: string
  readonly number: string
  readonly second_factor: boolean
  readonly verified_at: Timestamp
}

export interface UserTotpTable {
  readonly user_id: string
  readonly account_id: string
  readonly secret: Buffer
  readonly confirmed_at: Nullable<Timestamp>
  readonly last_step: Defaulted<number>
  readonly created_at: Timestamp
}

export interface UsersTable {
  readonly id: string
  readonly account_id: string
  readonly email: string
  readonly name: Nullable<string>
  readonly role: 'viewer' | 'member' | 'auditor' | 'admin' | 'owner'
  readonly is_operator: Defaulted<boolean>
  readonly created_at: Timestamp
  readonly email_verified_at: Nullable<Timestamp>
  readonly locale: Nullable<string>
  readonly zone: Nullable<string>
  readonly preferences: Defaulted<Jsonb>
  readonly deactivated_at: Nullable<Timestamp>
}

export interface VariablesTable {
  readonly id: string
  readonly account_id: string
  readonly workflow_id: Nullable<string>
  readonly environment: 'all' | 'draft' | 'production'
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean' | 'json' | 'secret'
  readonly value: Nullable<string>
  readonly sealed: Nullable<Buffer>
  readonly description: string
  readonly revision: Defaulted<number>
  readonly created_at: Timestamp
  readonly created_by: string
  readonly updated_at: Timestamp
  readonly updated_by: string
}

export interface WaitsTable {
  readonly execution_id: string
  readonly position: string
  readonly account_id: string
  readonly topic: string
  readonly arguments: string
  readonly opened_at: Timestamp
}

export interface WebhookDeliveriesTable {
  readonly id: string
  readonly account_id: string
  readonly trigger_id: string
  readonly at: Timestamp
  readonly method: string
  readonly address: string
  readonly outcome: 'started' | 'duplicate' | 'refused' | 'failed' | 'received' | 'ignored'
  readonly status: number
  readonly reason: Nullable<string>
  readonly delivery_id: Nullable<string>
  readonly content_type: Nullable<string>
  readonly bytes: number
  readonly content: Nullable<string>
  readonly execution_id: Nullable<string>
  readonly content_digest: Nullable<string>
  readonly test: Defaulted<boolean>
}

export interface WorkflowDraftsTable {
  readonly workflow_id: string
  readonly account_id: string
  readonly source: string
  readonly syntax: 'yaml' | 'json'
  readonly updated_at: Timestamp
  readonly updated_by: string
}

export interface WorkflowOriginsTable {
  readonly workflow_id: string
  readonly account_id: string
  readonly kind: 'template' | 'marketplace'
  readonly source: string
  readonly version: string
  readonly checksum: string
  readonly imported_at: Timestamp
  readonly imported_by: string
}

export interface WorkflowPublishRequestsTable {
  readonly workflow_id: string
  readonly account_id: string
  readonly checksum: string
  readonly note: Nullable<string>
  readonly requested_at: Timestamp
  readonly requested_by: string
}

export interface WorkflowSamplesTable {
  readonly workflow_id: string
  readonly account_id: string
  readonly samples: string
  readonly updated_at: Timestamp
  readonly updated_by: string
}

export interface WorkflowVersionsTable {
  readonly id: string
  readonly account_id: string
  readonly workflow_id: string
  readonly number: number
  readonly document_version: string
  readonly definition: string
  readonly source: string
  readonly syntax: 'yaml' | 'json'
  readonly checksum: string
  readonly warnings: string
  readonly checks_input: boolean
  readonly created_at: Timestamp
  readonly created_by: string
  readonly resources: Defaulted<string>
  readonly retention: Computed<string>
  readonly note: Nullable<string>
}

export interface WorkflowsTable {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly description: Nullable<string>
  readonly tags: string[]
  readonly namespace: string
  readonly document_name: string
  readonly enabled: boolean
  readonly revision: number
  readonly definition: string
  readonly source: string
  readonly syntax: 'yaml' | 'json'
  /** SHA-256 of the canonical draft, in hexadecimal. */
  readonly checksum: string
  readonly warnings: string
  readonly triggers: string[]
  readonly latest_version_id: Nullable<string>
  readonly latest_number: Nullable<number>
  readonly latest_checksum: Nullable<string>
  readonly created_at: Timestamp
  /** Who did it, as kind:id. */
  readonly created_by: string
  readonly updated_at: Timestamp
  readonly updated_by: string
  readonly deleted_at: Nullable<Timestamp>
  readonly managed_by: Nullable<'chain' | 'agent' | 'mcp'>
  readonly minutes_per_run: Nullable<number>
  readonly document_title: Computed<string>
}
