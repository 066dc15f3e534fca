import { connectors, connectorSubmissions, marketplace, templates } from '@millrace/contract'
import { catalog } from '#catalog/catalog.ts'
import {
  connectorHandlers,
  createConnectorCatalogue,
  createOpenApiValidation,
  createSubmissions,
  deleteSubmissionsOf,
  submissionHandlers,
} from '#modules/connectors/index.ts'
import { createBrowsing, createMarketplace, deleteMarketplaceOf, marketplaceHandlers } from '#modules/marketplace/index.ts'
import { templateHandlers, type Templates } from '#modules/templates/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** Templates, the marketplace and connectors: where workflows and their parts come from. */
export function composeMarketplace(
  { database: { system: db }, system: { now, newId } }: FeatureParts,
  { workflows, catalogue }: { readonly workflows: Workflows; readonly catalogue: Templates },
): Feature {
  const service = createMarketplace({ now, newId, system: db, workflows })
  const connectorCatalogue = createConnectorCatalogue({ system: db, functions: catalog })
  const submissions = createSubmissions({ now, newId, system: db })
  return {
    groups: {
      templates: served(templates, templateHandlers({ catalogue, service: workflows, now })),
      marketplace: served(marketplace, marketplaceHandlers({ service, browsing: createBrowsing(db), workflows, now })),
      connectorSubmissions: served(connectorSubmissions, submissionHandlers(submissions, connectorCatalogue, createOpenApiValidation())),
      connectors: served(connectors, connectorHandlers(connectorCatalogue)),
    },
    async purge(executor, accountId) {
      await deleteMarketplaceOf(executor, accountId)
      await deleteSubmissionsOf(executor, accountId)
    },
  }
}
