import type { JsonObject } from '@millrace/engine'
import { charactersMax } from '#modules/connectors/code/data/limits.ts'
import { connectionArgument } from '#modules/connectors/functions/function-manifest.ts'

function input(required: readonly string[], properties: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['connection', ...required],
    properties: { connection: connectionArgument, ...properties },
    ...more,
  }
}

const key = {
  type: 'string',
  minLength: 1,
  maxLength: 1_024,
  pattern: String.raw`^[^\x00-\x1f\x7f]+$`,
  // A slash at the beginning, and a segment of one dot or two, would lead to another bucket.
  not: { pattern: String.raw`^/|(?:^|/)\.{1,2}(?:/|$)` },
  description: 'Key of the object in the bucket of the connection.',
}
const text = { type: 'string', maxLength: charactersMax }
const etag = { type: ['string', 'null'] }
const size = { type: 'integer', description: 'In bytes.' }

export const getInput = input(['key'], {
  key,
  as: { enum: ['base64', 'text'], description: 'Whether the content comes back as bytes in base64 or as text. Base64 unless given.' },
})
export const getOutput: JsonObject = {
  type: 'object',
  required: ['key', 'size', 'contentType', 'etag'],
  properties: { key: { type: 'string' }, size, contentType: { type: ['string', 'null'] }, etag, contentBase64: text, text },
}

export const putInput = input(
  ['key'],
  {
    key,
    text: { ...text, description: 'The content as text.' },
    contentBase64: { ...text, description: 'The content as bytes in base64.' },
    contentType: {
      type: 'string',
      maxLength: 200,
      pattern: String.raw`^[\w.+-]+/[\w.+-]+(?:\s*;[^\x00-\x1f\x7f]*)?$`,
      description: 'Media type of the object.',
    },
  },
  { oneOf: [{ required: ['text'] }, { required: ['contentBase64'] }] },
)
export const putOutput: JsonObject = {
  type: 'object',
  required: ['key', 'size', 'etag'],
  properties: { key: { type: 'string' }, size, etag },
}

export const listInput = input([], {
  prefix: { type: 'string', maxLength: 1_024, description: 'Only keys that begin with this text.' },
  limit: { type: 'integer', minimum: 1, maximum: 1_000, description: 'Objects of one page; 100 unless given.' },
  token: { type: 'string', maxLength: 4_096, description: 'The nextToken of the page before.' },
})
export const listOutput: JsonObject = {
  type: 'object',
  required: ['objects', 'nextToken'],
  properties: {
    objects: { type: 'array', items: { type: 'object', required: ['key', 'size', 'modifiedAt', 'etag'] } },
    nextToken: { type: ['string', 'null'], description: 'For the next page; null on the last.' },
  },
}

export const deleteInput = input(['key'], { key })
export const deleteOutput: JsonObject = { type: 'object', required: ['key'], properties: { key: { type: 'string' } } }

export const linkInput = input(['key'], {
  key,
  for: {
    enum: ['reading', 'writing'],
    description: 'What the link allows: a GET of the object, or a PUT of its content. Reading unless given.',
  },
  expiresInSeconds: { type: 'integer', minimum: 1, maximum: 604_800, description: 'Up to a week; an hour unless given.' },
})
export const linkOutput: JsonObject = {
  type: 'object',
  required: ['key', 'method', 'url', 'expiresAt'],
  properties: { key: { type: 'string' }, method: { enum: ['GET', 'PUT'] }, url: { type: 'string' }, expiresAt: { type: 'string' } },
}
