import {
  type EffectCall,
  type EffectFunction,
  type Json,
  type JsonObject,
  membersOf,
  standardError,
  textOf,
  WorkflowError,
} from '@millrace/engine'
import type { UseConnection } from '#modules/connections/index.ts'
import type { AdmitTexts, CodeConnector } from '#modules/connectors/code/code-connector.ts'
import { serviceError } from '#modules/connectors/code/failures.ts'
import { listPage } from '#platform/s3/list-page.ts'
import { openBucket } from '#platform/s3/s3-bucket.ts'
import { s3Refusal } from '#platform/s3/s3-status.ts'
import {
  deleteInput,
  deleteOutput,
  getInput,
  getOutput,
  linkInput,
  linkOutput,
  listInput,
  listOutput,
  putInput,
  putOutput,
} from './s3-manifests.ts'

export interface S3ConnectorDeps {
  readonly use: UseConnection
  readonly admitTexts: AdmitTexts
}

type Bucket = ReturnType<typeof openBucket>
/** @param admit whether these texts may be sent to the service. */
type Action = (bucket: Bucket, args: JsonObject, admit: (texts: readonly string[]) => Promise<void>) => Promise<Json>

const totalMs = 120_000
const pageDefault = 100
const linkSecondsDefault = 3_600

/** `s3.get`, `s3.put`, `s3.list`, `s3.delete` and `s3.link`: objects in the bucket of a connection. */
export function createS3Connector(deps: S3ConnectorDeps): CodeConnector {
  const performed = (action: Action) => s3Function(deps, action)
  return {
    name: 's3',
    title: 'S3',
    version: '1.0.0',
    functions: [
      { name: 'get', summary: 'Reads an object of a bucket.', input: getInput, output: getOutput, perform: performed(getObject) },
      { name: 'put', summary: 'Writes an object of a bucket.', input: putInput, output: putOutput, perform: performed(putObject) },
      { name: 'list', summary: 'Lists the objects of a bucket.', input: listInput, output: listOutput, perform: performed(listObjects) },
      {
        name: 'delete',
        summary: 'Deletes an object of a bucket.',
        input: deleteInput,
        output: deleteOutput,
        perform: performed(deleteObject),
      },
      {
        name: 'link',
        summary: 'Makes a link by which anyone reads or writes an object of a bucket for a time, however large it is.',
        input: linkInput,
        output: linkOutput,
        perform: performed(linkObject),
      },
    ],
  }
}

function s3Function({ use, admitTexts }: S3ConnectorDeps, action: Action): EffectFunction {
  return (call) =>
    use(call, ['s3'], async ({ name, settings, secrets, http }, inner) => {
      if (settings.kind !== 's3') throw standardError('configuration', `The connection "${name}" is not for S3.`)
      const host = new URL(settings.url).hostname
      const deadline = AbortSignal.timeout(totalMs)
      const bucket = openBucket(
        { ...settings, secretAccessKey: secrets['secretAccessKey'] ?? '' },
        http,
        AbortSignal.any([inner.signal, deadline]),
      )
      try {
        return await action(bucket, membersOf(inner.arguments), (texts) => admitTexts(inner, { host, texts }))
      } catch (error) {
        throw failureOf(error, inner, deadline)
      }
    })
}

function failureOf(error: unknown, { signal }: Pick<EffectCall, 'signal'>, deadline: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (deadline.aborted) return standardError('timeout', 'The service took too long.')
  const refusal = s3Refusal(error)
  if (refusal === undefined) return serviceError(error)
  const { data } = standardError('communication', `The service refused: ${refusal.code}.`)
  return new WorkflowError({ ...data, status: refusal.status }, { cause: error })
}

const getObject: Action = async (bucket, { key, as }) => {
  const name = textOf(key) ?? ''
  const reply = await bucket.getObjectResponse(name)
  if (reply === null) throw missing(`The bucket has no object ${JSON.stringify(name)}.`)
  const body = Buffer.from(await reply.arrayBuffer())
  const { headers } = reply
  const about = { key: name, size: body.length, contentType: headers.get('content-type'), etag: headers.get('etag') }
  return as === 'text' ? { ...about, text: decoded(body) } : { ...about, contentBase64: body.toString('base64') }
}

function decoded(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (error) {
    const { data } = standardError('validation', 'The object is not text in UTF-8: read it as base64.')
    throw new WorkflowError(data, { cause: error })
  }
}

const putObject: Action = async (bucket, { key, text, contentBase64, contentType }, admit) => {
  const name = textOf(key) ?? ''
  const body = contentBase64 === undefined ? Buffer.from(textOf(text) ?? '') : bytesIn(contentBase64)
  // Bytes are sent whole or not at all: redaction would break them.
  await admit([name, body.toString('utf8')])
  const type = textOf(contentType) ?? (contentBase64 === undefined ? 'text/plain; charset=utf-8' : 'application/octet-stream')
  const reply = await bucket.putObject(name, body, type)
  return { key: name, size: body.length, etag: reply.headers.get('etag') }
}

function bytesIn(given: Json): Buffer {
  const encoded = (textOf(given) ?? '').replaceAll(/\s+/g, '')
  if (encoded.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return Buffer.from(encoded, 'base64')
  throw standardError('validation', '/contentBase64 is not base64.')
}

const listObjects: Action = async (bucket, { prefix, limit, token }) => {
  const page = await listPage(bucket, {
    prefix: textOf(prefix) ?? '',
    limit: typeof limit === 'number' ? limit : pageDefault,
    token: textOf(token),
  })
  if (page === undefined) throw missing('The bucket does not exist.')
  return { objects: page.objects.map((object) => ({ ...object })), nextToken: page.nextToken ?? null }
}

/** An object that does not exist is deleted, as services report it: a repetition is harmless. */
const deleteObject: Action = async (bucket, { key }) => {
  const name = textOf(key) ?? ''
  try {
    await bucket.deleteObject(name)
  } catch (error) {
    if (s3Refusal(error)?.code !== 'NoSuchKey') throw error
  }
  return { key: name }
}

const linkObject: Action = async (bucket, { key, for: purpose, expiresInSeconds }) => {
  const name = textOf(key) ?? ''
  const method = purpose === 'writing' ? 'PUT' : 'GET'
  const seconds = typeof expiresInSeconds === 'number' ? expiresInSeconds : linkSecondsDefault
  const url = await bucket.getPresignedUrl(method, name, seconds)
  return { key: name, method, url, expiresAt: expiryOf(url, seconds) }
}

/** When a link ends, from the time that the library has signed. */
function expiryOf(url: string, seconds: number): string {
  const signedAt = new URL(url).searchParams.get('X-Amz-Date') ?? ''
  const iso = signedAt.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  return new Date(Date.parse(iso) + seconds * 1_000).toISOString()
}

function missing(detail: string): WorkflowError {
  const { data } = standardError('communication', detail)
  return new WorkflowError({ ...data, status: 404, title: 'Not found' })
}
