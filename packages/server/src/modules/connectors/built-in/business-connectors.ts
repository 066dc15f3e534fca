import type { BuiltInConnector } from '#modules/connectors/functions/connector-source.ts'
import { anthropic } from './anthropic/manifest.ts'
import { github } from './github/manifest.ts'
import { gitlab } from './gitlab/manifest.ts'
import { hubspot } from './hubspot/manifest.ts'
import { jira } from './jira/manifest.ts'
import { openai } from './openai/manifest.ts'
import { shopify } from './shopify/manifest.ts'
import { stripe } from './stripe/manifest.ts'
import { zendesk } from './zendesk/manifest.ts'

/** Customers, shops, code and models. */
export const businessConnectors: readonly BuiltInConnector[] = [
  { name: 'anthropic', manifest: anthropic },
  { name: 'github', manifest: github },
  { name: 'gitlab', manifest: gitlab },
  { name: 'hubspot', manifest: hubspot },
  { name: 'jira', manifest: jira },
  { name: 'openai', manifest: openai },
  { name: 'shopify', manifest: shopify },
  { name: 'stripe', manifest: stripe },
  { name: 'zendesk', manifest: zendesk },
]
