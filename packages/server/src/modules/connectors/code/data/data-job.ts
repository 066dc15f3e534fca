import type { Json, JsonObject } from '@millrace/engine'

/** What a thread computes: an operation on arguments that fit its schema. */
export interface DataJob {
  readonly operation: DataOperation
  readonly arguments: JsonObject
}

export type DataOperation =
  | 'csv.parse'
  | 'csv.write'
  | 'xml.parse'
  | 'xml.write'
  | 'spreadsheet.read'
  | 'spreadsheet.write'
  | 'pdf.text'
  | 'rss.read'
  | 'mail.read'
  | 'crypto.hash'
  | 'crypto.hmac'
  | 'crypto.random'
  | 'crypto.encrypt'
  | 'crypto.decrypt'
  | 'date.parse'
  | 'date.format'
  | 'date.add'
  | 'date.difference'

export type DataOutcome = { readonly kind: 'done'; readonly value: Json } | { readonly kind: 'invalid'; readonly detail: string }
