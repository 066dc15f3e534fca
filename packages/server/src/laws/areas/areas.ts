import type { LawArea } from './area.ts'
import { agentsArea } from './agents.ts'
import { analyticsArea } from './analytics.ts'
import { assistantArea } from './assistant.ts'
import { auditArea } from './audit.ts'
import { chainsArea } from './chains.ts'
import { changesArea } from './changes.ts'
import { externalSignInArea } from './external-sign-in.ts'
import { connectionsArea } from './connections.ts'
import { filesArea } from './files.ts'
import { tablesArea } from './tables.ts'
import { gitArea } from './git.ts'
import { identityArea } from './identity.ts'
import { billingArea } from './billing.ts'
import { modelsArea } from './models.ts'
import { liveCaptureArea } from './live-capture.ts'
import { marketplaceArea } from './marketplace.ts'
import { mcpArea } from './mcp.ts'
import { notificationsArea } from './notifications.ts'
import { einvoiceArea } from './einvoice.ts'
import { publicFormsArea } from './public-forms.ts'
import { teamArea } from './team.ts'
import { triggersArea } from './triggers.ts'
import { privacyArea } from './privacy.ts'
import { variablesArea } from './variables.ts'
import { workflowDraftsArea } from './workflow-drafts.ts'
import { workflowTestsArea } from './workflow-tests.ts'

/** One entry for each area that is not in `exercise-operations.ts`. */
export const areas: readonly LawArea[] = [
  agentsArea,
  analyticsArea,
  assistantArea,
  auditArea,
  billingArea,
  chainsArea,
  changesArea,
  connectionsArea,
  filesArea,
  tablesArea,
  gitArea,
  identityArea,
  modelsArea,
  liveCaptureArea,
  marketplaceArea,
  mcpArea,
  notificationsArea,
  einvoiceArea,
  publicFormsArea,
  teamArea,
  triggersArea,
  privacyArea,
  variablesArea,
  workflowDraftsArea,
  workflowTestsArea,
  externalSignInArea,
]
