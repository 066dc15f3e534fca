import type { CodeConnector } from './code-connector.ts'
import { createSqlConnectors, type SqlConnectorDeps } from './sql/sql-connectors.ts'

export type CodeConnectorDeps = SqlConnectorDeps

/** The connectors of the installation whose functions are code; one folder for each subject. */
export function createCodeConnectors(deps: CodeConnectorDeps): readonly CodeConnector[] {
  return [...createSqlConnectors(deps)]
}
