import type { JsonObject, JsonValue, marketplaceLicences, submissionKinds, submissionStates } from '@millrace/contract'
import type { FunctionManifest } from '@millrace/engine'
import type * as z from 'zod'
import type { AccountConnector } from './account/model.ts'
import type { CallableConnector } from './functions/callable-connector.ts'

export type SubmissionKind = (typeof submissionKinds)[number]
export type SubmissionState = (typeof submissionStates)[number]
export type Licence = (typeof marketplaceLicences)[number]
export type ConnectorDocument = z.output<typeof JsonObject>

export interface ConnectorOperation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly summary: string
}

/** What a check noticed and did not refuse. */
export interface Check {
  readonly name: string
  readonly severity: 'warning' | 'info'
  readonly detail: string
  readonly pointer: string
}

/** What the checks read from a document. */
export interface CheckedDocument {
  readonly title: string
  readonly version: string
  readonly hosts: readonly string[]
  readonly operations: readonly ConnectorOperation[]
  readonly operationCount: number
  readonly checks: readonly Check[]
  readonly document: ConnectorDocument
  readonly checksum: string
}

/** A connector that an account proposed; without its document. */
export interface Submission extends Omit<CheckedDocument, 'document'> {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly kind: SubmissionKind
  readonly summary: string
  readonly licence: Licence
  readonly homepage: string | undefined
  readonly state: SubmissionState
  readonly reason: string | undefined
  readonly revision: number
  readonly createdAt: Date
  readonly decidedAt: Date | undefined
}

/** An entry of the catalogue: a function or connector of the installation, a connector of the account, or an approved connector. */
export type Connector =
  | { readonly manifest: FunctionManifest }
  | { readonly builtIn: CallableConnector }
  | { readonly own: AccountConnector; readonly document?: JsonValue }
  | { readonly submission: Submission; readonly document?: ConnectorDocument }

export interface Proposal {
  readonly name: string
  readonly kind: SubmissionKind
  readonly summary: string
  readonly licence: Licence
  readonly homepage: string | undefined
  readonly document: string | ConnectorDocument
}

/** Undecided proposals of one account. */
export const pendingMax = 20
export const operationsShown = 100
