/** Why a record is kept: by a policy of the account, or by a reason of the product. */
export interface WhyKept {
  readonly purpose?: string
  readonly legalBasis?: string
  readonly retention?: string | undefined
  readonly reason?: string
}

/** A policy as a report states it. */
export interface StatedPolicy {
  readonly point: string
  readonly purpose: string
  readonly legalBasis: string
  readonly retention: string | undefined
}

export interface BackgroundDeps {
  /** The policies that apply to a workflow; those of the account without one. */
  readonly policiesOf: (accountId: string, workflowId: string | undefined) => Promise<readonly StatedPolicy[]>
  /** Masks the secrets of an account and of a workflow in a text; undefined without any. */
  readonly maskOf: (accountId: string, workflowId: string | undefined) => Promise<((text: string) => string) | undefined>
  readonly workflowName: (accountId: string, workflowId: string) => Promise<string | undefined>
}

/** What is known about the records of a report beside their data. */
export type Background = ReturnType<typeof createBackground>

/** The points of policies that govern the records of a table, the most specific first. */
const pointsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['journal', ['journal', 'input']],
  ['model_calls', ['prompts', 'input']],
  ['attempt_logs', ['logs', 'input']],
])

/** Reads it once for each workflow of a report. */
export function createBackground({ policiesOf, maskOf, workflowName }: BackgroundDeps, accountId: string) {
  const known = new Map<string, Promise<Known>>()

  async function read(workflowId: string | undefined): Promise<Known> {
    return {
      policies: await policiesOf(accountId, workflowId),
      mask: await maskOf(accountId, workflowId),
      workflow: workflowId === undefined ? undefined : await workflowName(accountId, workflowId),
    }
  }

  return {
    /** Policies are about workflows: of other records they say nothing. */
    async of(table: string, workflowId: string | undefined) {
      const found = known.get(workflowId ?? '') ?? read(workflowId)
      known.set(workflowId ?? '', found)
      const { policies, mask, workflow } = await found
      const points = workflowId === undefined ? [] : (pointsOf.get(table) ?? ['input'])
      const policy = points.map((point) => policies.find((each) => each.point === point)).find((each) => each !== undefined)
      return { workflow, mask, why: policy === undefined ? [] : [whyOf(policy)] }
    },
  }
}

interface Known {
  readonly policies: readonly StatedPolicy[]
  readonly mask: ((text: string) => string) | undefined
  readonly workflow: string | undefined
}

const whyOf = ({ purpose, legalBasis, retention }: StatedPolicy): WhyKept => ({
  purpose,
  legalBasis,
  ...(retention === undefined ? {} : { retention }),
})
