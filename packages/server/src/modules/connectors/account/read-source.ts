import { Fault } from '@millrace/contract'
import { type JsonObject, parseDocument, toWorkflowError, WorkflowError } from '@millrace/engine'
import { documentOf } from '#modules/connectors/functions/manifest-document.ts'
import { type ConnectorFunction, isObjectAt, namedOperations, withFunctionNames } from '#modules/connectors/functions/function-names.ts'
import { Manifest } from '#modules/connectors/manifest.ts'
import { readManifest } from '#modules/connectors/read-manifest.ts'
import { NetError } from '#platform/net/net-error.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import type { ReadSource } from './model.ts'

/** GitHub publishes its API as 13 MB of JSON. */
const bytesMax = 16 * 1024 * 1024
const timeoutMs = 20_000

/** The text of a document at an address. Fault `connector_invalid` if it cannot be fetched. */
export async function fetchText(http: Pick<GuardedFetch, 'request'>, url: string): Promise<string> {
  const headers = { accept: 'application/json, application/yaml, */*', 'user-agent': 'millrace' }
  const request = { method: 'GET', url, headers, followRedirects: true, timeoutMs, maxResponseBytes: bytesMax }
  const reply = await http.request(request, AbortSignal.timeout(timeoutMs)).catch((error: unknown) => {
    if (error instanceof NetError) throw refused('/url', `Cannot be fetched: ${error.message}.`)
    throw error
  })
  if (reply.status !== 200) throw refused('/url', `Cannot be fetched: the server answered ${reply.status}.`)
  return Buffer.from(reply.body).toString('utf8')
}

/** Reads an OpenAPI document. Fault `connector_invalid`. */
export function readOpenApiText(text: string, pointer: string): ReadSource {
  const { version, root } = parsed(text, pointer)
  if (version !== 3) throw refused(pointer, 'Must be an OpenAPI document of version 3.')
  const outside = outsideReference(root)
  if (outside !== undefined) throw refused(pointer, `The reference ${outside.slice(0, 200)} leads out of the document. Bundle it first.`)
  const document = withFunctionNames(root)
  const functions = functionsOf(document)
  if (functions.length === 0) throw refused(pointer, 'Has no operations under "paths".')
  const info = isObjectAt(root, 'info')
  return { title: textOf(info['title'], 'Without title'), version: versionOf(textOf(info['version'], '')), document, functions }
}

/** Reads the manifest of a connector. Fault `connector_invalid`. */
export function readManifestText(text: string, pointer: string): ReadSource {
  const given = parsedJson(text, pointer)
  const { errors } = readManifest(given)
  if (errors.length > 0) throw new Fault('connector_invalid', { errors: errors.slice(0, 100) })
  const manifest = Manifest.parse(given)
  const document = documentOf(manifest)
  return { title: manifest.title, version: manifest.version, document, functions: functionsOf(document) }
}

export function functionsOf(document: JsonObject): readonly ConnectorFunction[] {
  return namedOperations(document).map(({ name, summary, method, path }) => ({ name, summary, method, path }))
}

function parsed(text: string, pointer: string) {
  try {
    return parseDocument(Buffer.from(text), 'https://document.invalid/')
  } catch (error) {
    const raised = toWorkflowError(error)
    if (!(raised instanceof WorkflowError)) throw error
    throw refused(pointer, (raised.data.detail ?? raised.data.title).replace('https://document.invalid/', 'The text'))
  }
}

function parsedJson(text: string, pointer: string): Parameters<typeof readManifest>[0] {
  try {
    const value: unknown = JSON.parse(text)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Any value: the schema of the manifest checks it.
    return value as Parameters<typeof readManifest>[0]
  } catch {
    throw refused(pointer, 'Must be JSON.')
  }
}

function outsideReference(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string' && !member.startsWith('#')) return member
    const inside = outsideReference(member)
    if (inside !== undefined) return inside
  }
  return undefined
}

export function refused(pointer: string, detail: string): Fault {
  return new Fault('connector_invalid', { errors: [{ pointer, detail }] })
}

/** Versions of functions are semantic; those of documents are anything. */
function versionOf(text: string): string {
  const [, major = '1', minor = '0', patch = '0'] = /^v?(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?/.exec(text) ?? []
  return `${major}.${minor}.${patch}`
}

function textOf(value: unknown, fallback: string): string {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : fallback
}
