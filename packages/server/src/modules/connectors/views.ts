import { toTypeId } from '#platform/ids.ts'
import type { JsonValue } from '@millrace/contract'
import { isObject, itemsOf } from '@millrace/engine'
import type { AccountConnector } from './account/model.ts'
import { accessOf } from './connector-access.ts'
import type { CallableConnector } from './functions/callable-connector.ts'
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

const ofInstallation = { kind: 'built-in' as const, submissionId: null, licence: 'Apache-2.0', approvedAt: null, checksum: null }

export function connectorView(connector: Connector) {
  if ('manifest' in connector) {
    const { name, version, summary, input } = connector.manifest
    return {
      id: name,
      name,
      version,
      title: name,
      summary,
      kind: 'function' as const,
      origin: ofInstallation,
      hosts: [],
      inputSchema: input,
      document: null,
      access: null,
    }
  }
  if ('builtIn' in connector) return builtInView(connector.builtIn)
  if ('own' in connector) return ownConnectorView(connector.own, connector.document ?? null)
  const { submission, document = null } = connector
  const { id, name, version, title, summary, kind, licence, decidedAt, checksum, hosts } = submission
  const submissionId = toTypeId('csub', id)
  const origin = { kind: 'submission' as const, submissionId, licence, approvedAt: decidedAt?.toISOString() ?? null, checksum }
  return {
    id: submissionId,
    name,
    version,
    title,
    summary,
    kind,
    origin,
    hosts: [...hosts],
    inputSchema: null,
    document,
    access: accessOf(document ?? undefined),
  }
}

function builtInView({ name, version, title, kind, functions, document }: CallableConnector) {
  const servers = document === undefined ? [] : itemsOf(document.root['servers'])
  const hosts = servers.flatMap((server) =>
    isObject(server) && typeof server['url'] === 'string' ? [new URL(server['url']).hostname] : [],
  )
  const summary = summaryOf(functions)
  return {
    id: name,
    name,
    version,
    title,
    summary,
    kind,
    origin: ofInstallation,
    hosts,
    inputSchema: null,
    document: null,
    access: accessOf(document?.root, name),
  }
}

/** A connector of the account that reads it. */
export function ownConnectorView({ id, name, version, title, kind, functions, url }: AccountConnector, document: JsonValue | null = null) {
  const origin = { kind: 'account' as const, submissionId: null, licence: '', approvedAt: null, checksum: null }
  const hosts = url === undefined ? [] : [new URL(url).hostname]
  const summary = summaryOf(functions)
  return {
    id: toTypeId('ctor', id),
    name,
    version,
    title,
    summary,
    kind,
    origin,
    hosts,
    inputSchema: null,
    document,
    access: accessOf(document ?? undefined),
  }
}

function summaryOf(functions: readonly { readonly name: string; readonly summary: string }[]): string {
  const [first, second] = functions
  if (first !== undefined && second === undefined) return first.summary === '' ? `1 function: ${first.name}` : first.summary
  return `${functions.length} functions: ${functions.map(({ name }) => name).join(', ')}`.slice(0, 300)
}
