import type { BuiltInConnector } from '#modules/connectors/functions/connector-source.ts'
import { businessConnectors } from './business-connectors.ts'
import { messagingConnectors } from './messaging-connectors.ts'
import { officeConnectors } from './office-connectors.ts'

/** The connectors of the installation that a manifest describes; one folder each. */
export const builtInConnectors: readonly BuiltInConnector[] = [...businessConnectors, ...messagingConnectors, ...officeConnectors]
