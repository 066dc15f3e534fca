import { composeConnections } from './account-connections.ts'
import { composeAccountFiles } from './account-files.ts'
import { composeTables } from './account-tables.ts'
import { composeAgents } from './agents.ts'
import { composeAnalytics } from './analytics.ts'
import { composeApprovals } from './approvals.ts'
import { composeArchivist } from './archivist.ts'
import { composeAssistant } from './assistant.ts'
import { composeAudit } from './audit.ts'
import { composeBilling } from './billing.ts'
import { composeEvents } from './events.ts'
import { composeChains } from './chains.ts'
import { composeChanges } from './changes.ts'
import { composeExternalSignIn } from './external-sign-in.ts'
import { composeErasures } from './erasures.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { composeGit } from './git.ts'
import { composeIdentity } from './identity.ts'
import { composeModels } from './models.ts'
import { namedThings } from './named-things.ts'
import { composeLiveCapture } from './live-capture.ts'
import { composeMarketplace } from './marketplace.ts'
import { composeMcp } from './mcp.ts'
import { composeNotifications } from './notifications.ts'
import { composePublicForms } from './public-forms.ts'
import { composeEinvoice } from './einvoice.ts'
import { quotaOfModels, startQuota } from './quotas.ts'
import { composeReadiness } from './readiness.ts'
import { composePrivacy } from './privacy.ts'
import { composeVariables } from './variables.ts'
import { composeProvisioning } from './scim.ts'
import { composeTeam } from './team.ts'
import { composeTriggers } from './triggers.ts'
import { composeWorkflowTests } from './workflow-tests.ts'
import { composeWorkflows } from './workflows.ts'

/** Every area of the product. An area takes what it needs of an earlier one as a parameter. */
export function composeFeatures(given: FeatureParts): readonly Feature[] {
  const commerce = composeBilling(given)
  const files = composeAccountFiles(given, commerce.usage)
  const parts = { ...given, models: quotaOfModels(given.models, commerce.usage) }
  const workflows = composeWorkflows({
    ...parts,
    withinQuota: startQuota(commerce.usage, given.definitions, given.models),
  })
  const privacy = composePrivacy(parts, { hasWorkflow: workflows.workflows.exists, accountFiles: files.accountFiles })
  const events = composeEvents({
    ...parts,
    retry: (accountId, id, command) => workflows.executions.control.retry(accountId, id, { ...command, version: undefined }),
  })
  const approvals = composeApprovals({ ...parts, accountFiles: files.accountFiles, address: parts.config.http })
  const audit = composeAudit(parts, namedThings)
  const tests = composeWorkflowTests({ ...parts, workflows: workflows.workflows, executions: workflows.executions })
  const triggers = composeTriggers({
    ...parts,
    workflows: workflows.workflows,
    executions: workflows.executions,
    tests: tests.service,
    accountFiles: files.accountFiles,
  })
  const models = composeModels(parts, { workflows: workflows.workflows })
  const assistant = composeAssistant({ ...parts, ...workflows, models: models.models })
  return [
    workflows.feature,
    models,
    composeAgents({ ...parts, workflows: workflows.workflows, executions: workflows.executions, readers: assistant.readers }),
    composeIdentity(parts),
    composeTeam({ ...parts, approvals: approvals.approvals }, commerce.usage.seatOf),
    events,
    approvals.feature,
    audit.feature,
    composeArchivist({
      ...parts,
      accountFiles: files.accountFiles,
      reading: audit.reading,
      keys: audit.keys,
      assertStorage: (accountId) => commerce.usage.assertWithin(accountId, 'storage_bytes'),
    }),
    triggers,
    composeChains({ ...parts, workflows: workflows.workflows, executions: workflows.executions }),
    composeChanges(parts),
    tests.feature,
    commerce.feature,
    files.feature,
    composeTables(parts, commerce.usage),
    ...privacy.features,
    composeErasures(parts, files.accountFiles),
    composeMarketplace(parts, { workflows: workflows.workflows, catalogue: workflows.templates }),
    composeNotifications(parts),
    composeAnalytics(parts),
    composePublicForms(parts),
    composeReadiness(parts),
    assistant,
    composeMcp({
      ...parts,
      workflows: workflows.workflows,
      executions: workflows.executions,
      models: models.models,
      proposals: assistant.proposals,
      readers: assistant.readers,
    }),
    composeLiveCapture({ ...parts, workflows: workflows.workflows }),
    composeEinvoice(parts, commerce.invoices),
    composeConnections(parts),
    composeGit({ ...parts, workflows: workflows.workflows }),
    composeVariables(parts, { hasWorkflow: workflows.workflows.exists }),
    composeExternalSignIn(parts, commerce.usage.seatOf),
    composeProvisioning(parts, commerce.usage.seatOf),
  ]
}
