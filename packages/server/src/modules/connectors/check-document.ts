import { createHash } from 'node:crypto'
import { Fault, type InvalidPart, JsonObject } from '@millrace/contract'
import { dataParseLimits, parseDefinition } from '@millrace/dsl'
import { hostileParts } from '#platform/scan/hostile-text.ts'
import { scanJson, sentenceOf } from '#platform/scan/scan-json.ts'
import { hostOf } from './check-hosts.ts'
import { readManifest } from './read-manifest.ts'
import { readOpenApi } from './read-openapi.ts'
import { type Check, type CheckedDocument, type ConnectorDocument, operationsShown, type Proposal } from './model.ts'

const charactersMax = 2_000_000
const errorsMax = 100

/**
 * Checks a proposed document: form, size, hosts, references, secrets and hostile text. Fault `connector_invalid` with everything that is wrong; a
 * pointer begins with that of the member `document`.
 */
export async function checkDocument({ kind, document: given, summary }: Proposal): Promise<CheckedDocument> {
  const { document, size } = readDocument(given)
  const read = await (kind === 'manifest' ? readManifest(document) : readOpenApi(document))
  const found = scanJson(document, '/document')
  const servers = read.servers.map(({ url, pointer }) => ({ ...hostOf(url), pointer }))
  const errors: InvalidPart[] = [
    ...read.errors,
    ...servers.flatMap(({ problem, pointer }) => (problem === undefined ? [] : [{ pointer, detail: problem }])),
    ...found.filter(({ what }) => isCertain(what)).map((finding) => ({ pointer: finding.pointer, detail: sentenceOf(finding) })),
    ...hostileParts(document, '/document'),
    ...hostileParts(summary, '/summary'),
  ]
  if (errors.length > 0) refuse(errors)
  const doubtful = found.filter(({ what }) => !isCertain(what))
  const checks: Check[] = [
    ...read.checks,
    ...doubtful.slice(0, 20).map((finding): Check => {
      const name = finding.kind === 'secret' ? 'secrets' : 'personal-data'
      return { name, severity: 'warning', detail: sentenceOf(finding), pointer: finding.pointer }
    }),
    { name: 'size', severity: 'info', detail: `${size} characters, ${read.operations.length} operations.`, pointer: '/document' },
  ]
  return {
    title: read.title,
    version: read.version,
    hosts: [...new Set(servers.flatMap(({ host }) => (host === undefined ? [] : [host])))],
    operations: read.operations.slice(0, operationsShown),
    operationCount: read.operations.length,
    checks,
    document,
    checksum: createHash('sha256').update(JSON.stringify(document)).digest('hex'),
  }
}

/** Descriptions of APIs are full of examples that look like keys, so these are for the operator to judge. */
const doubtful = new Set(['a random key', 'a credential as plain text', 'a signed token (JWT)', 'a credential of an Authorization header'])

function isCertain(what: string): boolean {
  return !doubtful.has(what) && !/mail|phone|IBAN|card/.test(what)
}

function readDocument(given: string | ConnectorDocument): { readonly document: ConnectorDocument; readonly size: number } {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  if (text.length > charactersMax)
    refuse([{ pointer: '/document', detail: `Has ${text.length} characters, more than the ${charactersMax} that are allowed.` }])
  const { document, diagnostics } = parseDefinition(text, { limits: dataParseLimits })
  if (diagnostics.length > 0)
    refuse(diagnostics.map(({ pointer, line, message }) => ({ pointer: `/document${pointer}`, detail: `Line ${line}: ${message}` })))
  const parsed = JsonObject.safeParse(document)
  if (!parsed.success) refuse([{ pointer: '/document', detail: 'Must be an object.' }])
  return { document: parsed.data, size: text.length }
}

function refuse(errors: readonly InvalidPart[]): never {
  throw new Fault('connector_invalid', { errors: errors.slice(0, errorsMax) })
}
