import type { CodeConnector, HttpOf } from './code-connector.ts'
import { createDataConnectors } from './data/data-connectors.ts'
import { createEinvoiceConnector, type EinvoiceConnectorDeps } from './einvoice/einvoice-connector.ts'
import { createFilesConnector, type FilesConnectorDeps } from './files/files-connector.ts'
import { createHttpConnector, type HttpConnectorDeps } from './http/http-connector.ts'
import { type Piece, pieceConnector } from './pieces/piece-connectors.ts'
import { createPieceTurns } from './pieces/piece-turns.ts'
import { createS3Connector } from './s3/s3-connector.ts'
import { createTablesConnector, type TablesConnectorDeps } from './tables/tables-connector.ts'
import { createSqlConnectors, type SqlConnectorDeps } from './sql/sql-connectors.ts'

export interface CodeConnectorDeps
  extends SqlConnectorDeps,
    FilesConnectorDeps,
    HttpConnectorDeps,
    TablesConnectorDeps,
    EinvoiceConnectorDeps {
  readonly httpOf: HttpOf
  /** That the operator has installed. */
  readonly pieces: readonly Piece[]
}

/** The connectors of the installation whose functions are code; one folder for each subject. */
export function createCodeConnectors(deps: CodeConnectorDeps): readonly CodeConnector[] {
  const turns = createPieceTurns()
  const pieces = deps.pieces.map((piece) => pieceConnector(piece, { ...deps, turns }))
  return [
    ...createSqlConnectors(deps),
    ...createDataConnectors(deps),
    createS3Connector(deps),
    createFilesConnector(deps),
    createHttpConnector(deps),
    createTablesConnector(deps),
    createEinvoiceConnector(deps),
    ...pieces,
  ]
}
