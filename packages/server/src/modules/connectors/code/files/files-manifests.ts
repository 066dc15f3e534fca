import { fileNameMax } from '@millrace/contract'
import type { JsonObject } from '@millrace/engine'
import { objectOf } from '#modules/connectors/code/data/csv-manifests.ts'
import { charactersMax } from '#modules/connectors/code/data/limits.ts'
import { mediaPattern } from '#modules/files/index.ts'

/** Bytes that a workflow reads at once: as base64, they are as many as an output may have. */
export const readBytesMax = 6 * 1024 * 1024

const name = {
  type: 'string',
  minLength: 1,
  maxLength: fileNameMax,
  pattern: String.raw`^[^\\\x00-\x1f\x7f]+$`,
  // Neither a slash at an end, nor an empty part, nor one of a dot or two.
  not: { pattern: String.raw`^/|/$|//|(?:^|/)\.{1,2}(?:/|$)` },
  description: 'Name of the file: a path such as reports/2026-11.csv.',
}
const text = { type: 'string', maxLength: charactersMax }
const size = { type: 'integer', description: 'In bytes.' }
const about = {
  name: { type: 'string' },
  size,
  contentType: { type: 'string' },
  sha256: { type: 'string', description: 'Of the content, as hexadecimal digits.' },
  updatedAt: { type: 'string' },
  expiresAt: { type: ['string', 'null'] },
}
const described = objectOf(Object.keys(about), about)

export const putInput: JsonObject = {
  ...objectOf(['name'], {
    name,
    text: { ...text, description: 'The content as text.' },
    contentBase64: { ...text, description: 'The content as bytes in base64.' },
    json: { description: 'The content as a value, which is written as JSON.' },
    contentType: {
      type: 'string',
      maxLength: 200,
      pattern: mediaPattern.source,
      description: 'Media type of the file.',
    },
    expiresIn: {
      type: 'string',
      maxLength: 40,
      format: 'duration',
      description: 'After which time the file is deleted, such as P30D; it is kept unless given.',
    },
  }),
  oneOf: [{ required: ['text'] }, { required: ['contentBase64'] }, { required: ['json'] }],
}
export const putOutput = described

export const getInput = objectOf(['name'], {
  name,
  as: {
    enum: ['base64', 'text', 'json'],
    description: 'Whether the content comes back as bytes in base64, as text or as a value. Base64 unless given.',
  },
  offset: { type: 'integer', minimum: 0, description: 'The first byte to read; 0 unless given.' },
  length: { type: 'integer', minimum: 1, maximum: readBytesMax, description: 'Bytes to read; all that follow unless given.' },
})
export const getOutput = objectOf(Object.keys(about), { ...about, contentBase64: text, text, json: {} })

export const statInput = objectOf(['name'], { name })
export const statOutput = described

export const listInput = objectOf([], {
  prefix: { type: 'string', maxLength: fileNameMax, description: 'Only names that begin with this text.' },
  limit: { type: 'integer', minimum: 1, maximum: 1_000, description: 'Files of one page; 100 unless given.' },
  cursor: { type: 'string', maxLength: fileNameMax, description: 'The nextCursor of the page before.' },
})
export const listOutput = objectOf(['files', 'nextCursor'], {
  files: { type: 'array', items: described, description: 'In the order of their names.' },
  nextCursor: { type: ['string', 'null'], description: 'For the next page; null on the last.' },
})

export const deleteInput = objectOf(['name'], { name })
export const deleteOutput = objectOf(['name'], { name: { type: 'string' } })
