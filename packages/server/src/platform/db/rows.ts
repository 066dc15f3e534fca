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
  readonly account_retention: AccountRetentionTable
  readonly accounts: AccountsTable
  readonly api_key_secrets: ApiKeySecretsTable
  readonly api_keys: ApiKeysTable
  readonly approval_answers: ApprovalAnswersTable
  readonly approval_ends: ApprovalEndsTable
  readonly approval_mails: ApprovalMailsTable
  readonly approvals: ApprovalsTable
  readonly audit_events: AuditEventsTable
  readonly dead_letters: DeadLettersTable
  readonly deleted_accounts: DeletedAccountsTable
  readonly event_deliveries: EventDeliveriesTable
  readonly event_filters: EventFiltersTable
  readonly event_subscriptions: EventSubscriptionsTable
  readonly events: EventsTable
  readonly execution_keys: ExecutionKeysTable
  readonly execution_retries: ExecutionRetriesTable
  readonly executions: ExecutionsTable
  readonly idempotency_keys: IdempotencyKeysTable
  readonly journal: JournalTable
  readonly kept_events: KeptEventsTable
  readonly listeners: ListenersTable
  readonly login_throttles: LoginThrottlesTable
  readonly messages: MessagesTable
  readonly operator_codes: OperatorCodesTable
  readonly process_crashes: ProcessCrashesTable
  readonly processes: ProcessesTable
  readonly rate_limit_counters: RateLimitCountersTable
  readonly sessions: SessionsTable
  readonly signing_keys: SigningKeysTable
  readonly user_passwords: UserPasswordsTable
  readonly users: UsersTable
  readonly waits: WaitsTable
  readonly workflow_versions: WorkflowVersionsTable
  readonly workflows: WorkflowsTable
}

export interface AccountRetentionTable {
  readonly account_id: string
  readonly milliseconds: Nullable<number>
}

export interface AccountsTable {
  readonly id: string
  readonly name: string
  readonly created_at: Defaulted<Timestamp>
}

export interface ApiKeySecretsTable {
  readonly hash: Buffer
  readonly key_id: string
  readonly account_id: string
  readonly prefix: string
  readonly created_at: Timestamp
  readonly valid_until: Nullable<Timestamp>
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
  readonly workflow_id: Computed<string>
  readonly subscription_id: Nullable<string>
  readonly delivery_id: Nullable<string>
  readonly replayed_at: Nullable<Timestamp>
  readonly replayed_by: Nullable<string>
  readonly replayed_as: Nullable<string>
}

export interface DeletedAccountsTable {
  readonly id: string
  readonly deleted_at: Timestamp
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
}

export interface ExecutionKeysTable {
  readonly account_id: string
  readonly key: string
  readonly execution_id: string
  readonly digest: string
}

export interface ExecutionRetriesTable {
  readonly retry_of: string
  readonly account_id: string
  readonly execution_id: string
  readonly keys: Nullable<string>
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

export interface MessagesTable {
  readonly id: Computed<number>
  readonly account_id: string
  readonly execution_id: string
  readonly position: string
  readonly value: string
  readonly event_id: Nullable<string>
  readonly created_at: Defaulted<Timestamp>
}

export interface OperatorCodesTable {
  readonly hash: Buffer
  readonly created_at: Timestamp
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
}

export interface RateLimitCountersTable {
  readonly policy: string
  readonly subject: string
  readonly hits: number
  readonly ends_at: Timestamp
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
}

export interface SigningKeysTable {
  readonly kid: string
  readonly public_key: string
  readonly private_key: Buffer
  readonly signs_from: Timestamp
  readonly signs_until: Timestamp
  readonly verifies_until: Timestamp
}

export interface UserPasswordsTable {
  readonly user_id: string
  readonly account_id: string
  readonly hash: string
  readonly changed_at: Timestamp
}

export interface UsersTable {
  readonly id: string
  readonly account_id: string
  readonly email: string
  readonly name: Nullable<string>
  readonly role: 'viewer' | 'member' | 'admin' | 'owner'
  readonly is_operator: Defaulted<boolean>
  readonly created_at: Timestamp
}

export interface WaitsTable {
  readonly execution_id: string
  readonly position: string
  readonly account_id: string
  readonly topic: string
  readonly arguments: string
  readonly opened_at: Timestamp
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
}
