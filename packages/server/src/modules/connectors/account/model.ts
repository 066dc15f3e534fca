import type { accountConnectorKinds } from '@millrace/contract'
import type { JsonObject } from '@millrace/engine'
import type { ConnectorFunction } from '#modules/connectors/functions/function-names.ts'

export type AccountConnectorKind = (typeof accountConnectorKinds)[number]

/** A connector of one account, without its document. */
export interface AccountConnector {
  readonly id: string
  readonly name: string
  readonly kind: AccountConnectorKind
  readonly title: string
  readonly version: string
  readonly url: string | undefined
  readonly functions: readonly ConnectorFunction[]
  readonly revision: number
  readonly updatedAt: Date
}

/** What was read from a document or a server. */
export interface ReadSource {
  readonly title: string
  readonly version: string
  readonly document: JsonObject
  readonly functions: readonly ConnectorFunction[]
}

/** The same with the address that it was read from; undefined for a document that was given. */
export interface LocatedSource extends ReadSource {
  readonly url: string | undefined
}

/** Connectors of one account. */
export const accountConnectorsMax = 100
