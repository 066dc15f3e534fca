import type { JsonObject, OpenApiDocument } from '@millrace/engine'
import type { AccountConnectorKind } from '#modules/connectors/account/model.ts'
import type { CodeConnector } from '#modules/connectors/code/code-connector.ts'
import type { Manifest } from '#modules/connectors/manifest.ts'
import type { ConnectorFunction } from './function-names.ts'

/** A connector whose functions can be called. */
export interface CallableConnector {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly origin: 'account' | 'built-in' | 'submission'
  readonly kind: AccountConnectorKind | 'code'
  readonly functions: readonly Pick<ConnectorFunction, 'name' | 'summary'>[]
  readonly root: JsonObject
  readonly document: OpenApiDocument | undefined
  /** A success with this member is a refusal. */
  readonly refusal?: Manifest['refusal']
  /** Headers of every request. */
  readonly headers?: Manifest['headers']
  /** Of the kind `code`. */
  readonly code?: CodeConnector
}
