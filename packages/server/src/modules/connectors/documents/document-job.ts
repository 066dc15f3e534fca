import type { InvalidPart } from '@millrace/contract'
import type { ReadSource } from '#modules/connectors/account/model.ts'
import type { CheckedDocument, Proposal } from '#modules/connectors/model.ts'

/** What a thread computes from a document that someone sent. */
export type DocumentJob =
  | { readonly kind: 'check'; readonly proposal: Proposal }
  /** With the pointer to the member of the request that has or names the text. */
  | { readonly kind: 'openapi' | 'manifest'; readonly text: string; readonly pointer: string }

export type DocumentOutcome =
  | { readonly kind: 'checked'; readonly checked: CheckedDocument }
  | { readonly kind: 'read'; readonly source: ReadSource }
  | { readonly kind: 'invalid'; readonly errors: readonly InvalidPart[] }
