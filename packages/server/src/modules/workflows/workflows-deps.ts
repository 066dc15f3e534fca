import type { Definition } from '@millrace/dsl'
import type { Json } from '@millrace/engine'
import type { Tx } from '#platform/http/index.ts'
import type { AccountWarningDeps } from './account-warnings.ts'
import type { DefinitionReader } from './definition-reader.ts'
import type { FromTemplateDeps } from './importing/from-template.ts'
import type { PinnedResources } from './model.ts'
import type { PinResources } from './pins.ts'
import type { PublishingDeps } from './publishing/publishing.ts'
import type { RequirementsDeps } from './requirements.ts'
import type { ApproversNamed } from './workflows-using.ts'

export interface WorkflowsDeps extends RequirementsDeps, FromTemplateDeps, Omit<AccountWarningDeps, 'reader'>, PublishingDeps {
  readonly newId: () => string
  /** A number from 0 to 1. */
  readonly chance: () => number
  readonly reader: DefinitionReader
  /** A transaction of its own, bound to the account. */
  readonly transaction: <T>(accountId: string, fn: (tx: Tx) => Promise<T>) => Promise<T>
  readonly pinResources: PinResources
  /** Fault `input_invalid` for an input that the input schema of a definition refuses. */
  readonly assertInput: (
    accountId: string,
    of: { readonly definition: Definition; readonly resources: PinnedResources },
    input: Json,
  ) => Promise<void>
  /** The same for that of a published version. */
  readonly assertVersionInput: (accountId: string, versionId: string, input: Json) => Promise<void>
  /** Keeps what starts workflows by itself in step with their published definitions, in the transaction of the change. */
  readonly schedules?: Schedules
  /** Takes a workflow that is deleted from what is limited to it. */
  readonly forgetWorkflow: (tx: Tx, accountId: string, workflowId: string) => Promise<void>
  /** The workflows that ends of the executions of one start. */
  readonly startedByEnds: (tx: Tx, accountId: string, id: string) => Promise<readonly string[]>
  /** How many executions of a workflow wait for their turn, at most 1,000. */
  readonly awaitedTurns: (tx: Tx, accountId: string, id: string) => Promise<number>
  readonly approversNamed: ApproversNamed
}

/** Called with every change of what a workflow runs, and with its deletion. */
export interface Schedules {
  replace(
    tx: Tx,
    accountId: string,
    workflow: { readonly workflowId: string; readonly name: string; readonly definition: Definition | undefined },
    actor: string,
  ): Promise<void>
  remove(tx: Tx, accountId: string, workflowId: string): Promise<void>
}
