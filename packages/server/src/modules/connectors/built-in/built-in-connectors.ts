import type { BuiltInConnector } from '#modules/connectors/functions/connector-source.ts'
import { github } from './github/manifest.ts'
import { googleSheets } from './google-sheets/manifest.ts'
import { slack } from './slack/manifest.ts'
import { stripe } from './stripe/manifest.ts'
import { telegram } from './telegram/manifest.ts'

/** The connectors of the installation that a manifest describes; one folder each. */
export const builtInConnectors: readonly BuiltInConnector[] = [
  { name: 'github', manifest: github },
  { name: 'google-sheets', manifest: googleSheets },
  { name: 'slack', manifest: slack },
  { name: 'stripe', manifest: stripe },
  { name: 'telegram', manifest: telegram },
]
