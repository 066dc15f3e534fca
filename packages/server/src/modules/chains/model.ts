/** A member that runs one workflow. */
export interface ChainStep {
  readonly name: string
  /** Uuid. */
  readonly workflowId: string
  readonly mapping: string | undefined
  readonly condition: string | undefined
  readonly onFault: 'stop' | 'continue'
}

/** Members that run at the same time. */
export interface ChainGroup {
  readonly name: string
  readonly parallel: readonly ChainStep[]
  readonly condition: string | undefined
  readonly onFault: 'stop' | 'continue'
}

export type ChainMember = ChainStep | ChainGroup

/** Workflows that run one after the other. */
export interface Chain {
  readonly id: string
  readonly name: string
  readonly description: string | undefined
  readonly members: readonly ChainMember[]
  readonly workflowId: string
  /** The definition that was published last, as JSON. */
  readonly compiled: string
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Chains of one account. */
export const chainsMax = 1_000

/** The steps of members, with the pointer of each. */
export function stepsOf(members: readonly ChainMember[]): readonly { readonly step: ChainStep; readonly pointer: string }[] {
  return members.flatMap((member, index) => {
    if (!('parallel' in member)) return [{ step: member, pointer: `/members/${index}` }]
    return member.parallel.map((step, branch) => ({ step, pointer: `/members/${index}/parallel/${branch}` }))
  })
}
