import type { CompiledWorkflow } from '#core/node.ts'

export interface ResolvedWorkflow {
  readonly workflowId: string
  readonly versionId: string
}

/** Loads definitions. The result for a version never changes. */
export interface Definitions {
  load(accountId: string, versionId: string): Promise<CompiledWorkflow>
  /** @returns undefined when the account has no published workflow of that name and version. */
  resolve(
    accountId: string,
    reference: { readonly namespace: string; readonly name: string; readonly version: string },
  ): Promise<ResolvedWorkflow | undefined>
}
