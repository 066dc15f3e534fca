import { createHash } from 'node:crypto'
import type { Side } from './model.ts'

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The texts of one file: here, in the repository, and the digest of what both had last. Undefined where it does not exist. */
export interface Sides {
  readonly repository: string | undefined
  readonly workflow: string
  /** Undefined if both were never equal. */
  readonly base: string | undefined
  readonly resolve: Side | undefined
}

export type FilePlan = 'unchanged' | 'take' | 'give' | 'conflict' | 'removed'

/** What a comparison of both sides with what they had last means: `take` the text of the repository, or `give` it that of the workflow. */
export function planFile({ repository, workflow, base, resolve }: Sides): FilePlan {
  if (repository === undefined) return base === undefined || resolve === 'workflow' ? 'give' : 'removed'
  if (repository === workflow) return 'unchanged'
  if (resolve !== undefined) return resolve === 'repository' ? 'take' : 'give'
  if (base === undefined) return 'conflict'
  if (sha256Of(workflow) === base) return 'take'
  return sha256Of(repository) === base ? 'give' : 'conflict'
}
