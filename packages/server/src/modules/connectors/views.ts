import { toTypeId } from '#platform/ids.ts'
import type { JsonValue } from '@millrace/contract'
import type { AccountConnector } from './account/model.ts'
import type { Connector, Submission } from './model.ts'

/** @param reader the account that reads it. */
export function submissionView(submission: Submission, reader: string) {
  const { id, name, title, kind, version, summary, hosts, operations, operationCount, checksum, checks, state, revision } = submission
  return {
    id: toTypeId('csub', id),
    name,
    title,
    kind,
    version,
    summary,
    licence: submission.licence,
    homepage: submission.homepage ?? null,
    hosts: [...hosts],
    operations: operations.map((operation) => ({ ...operation })),
    operationCount,
    checksum,
    checks: checks.map((check) => ({ ...check })),
    state,
    reason: submission.reason ?? null,
    own: submission.accountId === reader,
    revision,
    createdAt: submission.createdAt.toISOString(),
    decidedAt: submission.decidedAt?.toISOString() ?? null,
  }
}

export function connectorView(connector: Connector) {
  if ('manifest' in connector) {
    const { name, version, summary, input } = connector.manifest
    const origin = { kind: 'built-in' as const, submissionId: null, licence: 'Apache-2.0', approvedAt: null, checksum: null }
    return {
      id: name,
      name,
      version,
      title: name,
      summary,
      kind: 'function' as const,
      origin,
      hosts: [],
      inputSchema: input,
      document: null,
    }
  }
  if ('own' in connector) return ownConnectorView(connector.own, connector.document ?? null)
  const { submission, document = null } = connector
  const { id, name, version, title, summary, kind, licence, decidedAt, checksum, hosts } = submission
  const submissionId = toTypeId('csub', id)
  const origin = { kind: 'submission' as const, submissionId, licence, approvedAt: decidedAt?.toISOString() ?? null, checksum }
  return { id: submissionId, name, version, title, summary, kind, origin, hosts: [...hosts], inputSchema: null, document }
}

/** A connector of the account that reads it. */
export function ownConnectorView({ id, name, version, title, kind, functions, url }: AccountConnector, document: JsonValue | null = null) {
  const origin = { kind: 'account' as const, submissionId: null, licence: '', approvedAt: null, checksum: null }
  const hosts = url === undefined ? [] : [new URL(url).hostname]
  const summary = `${functions.length} functions: ${functions.map((entry) => entry.name).join(', ')}`.slice(0, 300)
  return { id: toTypeId('ctor', id), name, version, title, summary, kind, origin, hosts, inputSchema: null, document }
}
