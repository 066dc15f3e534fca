import type { CodeConnector, HttpOf } from './code-connector.ts'
import { createDataConnectors } from './data/data-connectors.ts'
import { createS3Connector } from './s3/s3-connector.ts'
import { createSqlConnectors, type SqlConnectorDeps } from './sql/sql-connectors.ts'

export interface CodeConnectorDeps extends SqlConnectorDeps {
  readonly httpOf: HttpOf
}

/** The connectors of the installation whose functions are code; one folder for each subject. */
export function createCodeConnectors(deps: CodeConnectorDeps): readonly CodeConnector[] {
  return [...createSqlConnectors(deps), ...createDataConnectors(deps), createS3Connector(deps)]
}
