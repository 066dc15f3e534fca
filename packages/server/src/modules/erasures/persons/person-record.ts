import type { IdPrefix } from '@millrace/contract'
import { toTypeId } from '#platform/ids.ts'
import type { DescribedTable } from '#modules/erasures/describe-tables.ts'
import type { FormFile } from '#modules/erasures/form-files.ts'
import type { NamedRecord, OwnerColumn } from '#modules/erasures/record-store.ts'
import { filesTable } from '#modules/erasures/table-rules.ts'

/** An event of the audit log whose address or details contain the data of a person. */
export interface PersonEvent {
  readonly id: string
  readonly at: Date
  readonly event: string
  readonly ip: string | null
  readonly details: Readonly<Record<string, unknown>>
  /** Which of both contains it: `address`, `details`. */
  readonly fields: readonly string[]
}

/** A record with the data of a person, as people and programs name it. */
export interface PersonRecord {
  readonly id: string
  readonly at: string | null
  readonly name: string | null
  /** The fields that contain the data. */
  readonly fields: readonly string[]
  readonly executionId: string | null
  readonly workflowId: string | null
  readonly approvalId: string | null
  readonly fileId: string | null
  readonly triggerId: string | null
  readonly userId: string | null
}

const owners = [
  ['executionId', 'execution_id', 'exec'],
  ['workflowId', 'workflow_id', 'wf'],
  ['approvalId', 'approval_id', 'apr'],
  ['triggerId', 'trigger_id', 'trg'],
  ['userId', 'user_id', 'usr'],
] as const satisfies readonly (readonly [string, OwnerColumn, IdPrefix])[]

/** Tables whose records have ids on the wire. */
const idTypes: ReadonlyMap<string, IdPrefix> = new Map<string, IdPrefix>([
  ['executions', 'exec'],
  ['workflows', 'wf'],
  ['workflow_versions', 'wfv'],
  ['approvals', 'apr'],
  ['agent_runs', 'arun'],
  ['triggers', 'trg'],
  ['webhook_deliveries', 'whd'],
  ['chains', 'chn'],
  ['events', 'evt'],
  ['event_subscriptions', 'evsub'],
  ['event_deliveries', 'dlv'],
  ['dead_letters', 'dlt'],
  ['notifications', 'ntf'],
  ['variables', 'var'],
  ['connections', 'conn'],
  ['account_connectors', 'ctor'],
  ['account_models', 'mdl'],
  ['model_calls', 'mcall'],
  ['git_repositories', 'repo'],
  ['audit_events', 'aud'],
  ['privacy_decisions', 'prd'],
  ['privacy_policies', 'prp'],
  ['privacy_erasures', 'era'],
  ['consents', 'cns'],
  ['invoices', 'inv'],
  ['einvoices', 'einv'],
  ['leads', 'lead'],
  ['readiness_assessments', 'rda'],
  ['capture_sessions', 'cap'],
  ['assistant_conversations', 'conv'],
  ['assistant_messages', 'msg'],
  ['assistant_proposals', 'prop'],
  ['assistant_email_drafts', 'draft'],
  ['invitations', 'ivt'],
  ['users', 'usr'],
  ['sessions', 'ses'],
  ['api_keys', 'key'],
  [filesTable, 'file'],
])

const ownerTypes: ReadonlyMap<string, IdPrefix> = new Map(owners.map(([, column, prefix]) => [column, prefix]))

export function personRecord({ name: table, key }: Pick<DescribedTable, 'name' | 'key'>, record: NamedRecord): PersonRecord {
  const typed = (prefix: IdPrefix | undefined, id: string) => (prefix === undefined || !isUuid(id) ? id : toTypeId(prefix, id))
  const id = key.map(({ name }, index) => typed(name === 'id' ? idTypes.get(table) : ownerTypes.get(name), record.key[index] ?? ''))
  const owned = owners.map(([member, column, prefix]) => {
    const owner = record.owners[column] ?? undefined
    return [member, owner === undefined ? null : typed(prefix, owner)] as const
  })
  return {
    ...nothing,
    id: id.join('/'),
    at: record.at?.toISOString() ?? null,
    name: record.name,
    fields: record.fields,
    ...Object.fromEntries(owned),
    ...(table === filesTable ? { fileId: id.join('/') } : {}),
  }
}

/** A file that was sent with an entry of a start form of the person. */
export function formFileRecord({ id, name, createdAt, executionId }: FormFile): PersonRecord {
  const fileId = toTypeId('file', id)
  const execution = executionId === undefined ? null : toTypeId('exec', executionId)
  return { ...nothing, id: fileId, fileId, name, at: createdAt.toISOString(), executionId: execution }
}

export function eventRecord({ id, at, event, fields }: Pick<PersonEvent, 'id' | 'at' | 'event' | 'fields'>): PersonRecord {
  return { ...nothing, id: toTypeId('aud', id), at: at.toISOString(), name: event, fields }
}

const nothing: PersonRecord = {
  id: '',
  at: null,
  name: null,
  fields: [],
  executionId: null,
  workflowId: null,
  approvalId: null,
  fileId: null,
  triggerId: null,
  userId: null,
}

const isUuid = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
