import type { Json } from '#src/json.ts'
import type { Facts } from '#src/validate/facts.ts'
import type { ValidateOptions } from '#src/validate/options.ts'
import { checkAddresses } from './check-addresses.ts'
import { checkApprovals } from './check-approvals.ts'
import { checkCatches, checkRetries } from './check-catches.ts'
import { checkMetadata } from './check-metadata.ts'
import { checkPlainCredentials } from './check-plain-credentials.ts'
import { checkReplacedData } from './check-replaced-data.ts'
import { checkSkippedApprovals } from './check-skipped-approvals.ts'
import { checkWorkflowReads } from './check-workflow-reads.ts'

/** Warns of what a definition probably does not mean, although it can run. */
export function checkDoubts(facts: Facts, document: Json, { functions }: ValidateOptions): void {
  checkAddresses(facts, document)
  checkApprovals(facts)
  checkCatches(facts)
  checkRetries(facts, document)
  checkMetadata(facts, document)
  checkPlainCredentials(facts)
  checkReplacedData(facts, document, functions)
  // Later, since the check before leaves expressions with another finding alone.
  checkSkippedApprovals(facts, document)
  checkWorkflowReads(facts, document)
}
