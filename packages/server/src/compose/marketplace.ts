import { connectors, connectorSubmissions, functions, marketplace, templates } from '@millrace/contract'
import { catalog } from '#catalog/catalog.ts'
import {
  connectorHandlers,
  createAccountConnectors,
  createConnectorCatalogue,
  createDocumentWork,
  createFunctions,
  createSubmissions,
  deleteAccountConnectorsOf,
  deleteSubmissionsOf,
  functionHandlers,
  submissionHandlers,
} from '#modules/connectors/index.ts'
import { createBrowsing, createMarketplace, deleteMarketplaceOf, marketplaceHandlers } from '#modules/marketplace/index.ts'
import { templateHandlers, type Templates } from '#modules/templates/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** Templates, the marketplace and connectors: where workflows and their parts come from. */
export function composeMarketplace(
  { database, http, connectors: opened, system: { now, newId } }: FeatureParts,
  { workflows, catalogue }: { readonly workflows: Workflows; readonly catalogue: Templates },
): Feature {
  const { system: db } = database
  const { source, readMcp } = opened
  const reserved = new Set([...catalog, ...source.builtIn].map(({ name }) => name.split('.')[0] ?? ''))
  const documents = createDocumentWork()
  const accountConnectors = createAccountConnectors({
    now,
    newId,
    http,
    reserved,
    documents,
    callMcp: readMcp,
    transaction: (accountId, fn) => database.account(accountId, fn),
  })
  const service = createMarketplace({ now, newId, system: db, workflows })
  const connectorCatalogue = createConnectorCatalogue({ system: db, functions: catalog, builtIn: source.builtIn })
  const submissions = createSubmissions({ now, newId, system: db })
  return {
    groups: {
      templates: served(templates, templateHandlers({ catalogue, service: workflows, now })),
      marketplace: served(marketplace, marketplaceHandlers({ service, browsing: createBrowsing(db), workflows, now })),
      connectorSubmissions: served(connectorSubmissions, submissionHandlers(submissions, connectorCatalogue, documents)),
      connectors: served(connectors, connectorHandlers(connectorCatalogue, accountConnectors)),
      functions: served(functions, functionHandlers(createFunctions({ db, catalog, source }))),
    },
    async purge(executor, accountId) {
      await deleteMarketplaceOf(executor, accountId)
      await deleteAccountConnectorsOf(executor, accountId)
      await deleteSubmissionsOf(executor, accountId)
    },
  }
}
