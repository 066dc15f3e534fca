import { apiKeyNames } from '#modules/access/index.ts'
import { approvalTitles } from '#modules/approvals/index.ts'
import { destinationNames, removedUserNames } from '#modules/audit/index.ts'
import { chainNames } from '#modules/chains/index.ts'
import { connectionNameSource } from '#modules/connections/index.ts'
import { subscriptionNames } from '#modules/events/index.ts'
import { repositoryNames } from '#modules/git/index.ts'
import { userNames } from '#modules/identity/index.ts'
import { entryNames } from '#modules/marketplace/index.ts'
import { triggerNames } from '#modules/triggers/index.ts'
import { variableNames } from '#modules/variables/index.ts'
import { workflowNames } from '#modules/workflows/index.ts'
import { executionNames } from './execution-names.ts'
import type { NameSource } from '#platform/db/name-source.ts'

/** Everything of an account that has a name by which people look for it. */
export const namedThings: readonly NameSource[] = [
  removedUserNames,
  userNames,
  apiKeyNames,
  workflowNames,
  triggerNames,
  chainNames,
  connectionNameSource,
  variableNames,
  repositoryNames,
  approvalTitles,
  executionNames,
  subscriptionNames,
  destinationNames,
  entryNames,
]
