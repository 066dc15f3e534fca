import type { groups, Reply } from '@millrace/contract'

export type Chain = Reply<(typeof groups)['chains']['get']>
export type Member = Chain['members'][number]

/** A member as its fields have it; a group has its members in `parallel`. */
export interface MemberDraft {
  /** Of the list alone. */
  readonly key: string
  readonly name: string
  readonly workflowId: string
  readonly mapping: string
  readonly condition: string
  readonly onFault: 'stop' | 'continue'
  readonly parallel: readonly MemberDraft[] | undefined
}

export function newMember(name: string, workflowId: string): MemberDraft {
  return { key: crypto.randomUUID(), name, workflowId, mapping: '', condition: '', onFault: 'stop', parallel: undefined }
}

/** The fields of a member that is saved. */
export function draftOf({ name, workflowId = '', mapping = '', condition = '', onFault, parallel }: Member): MemberDraft {
  const group = parallel?.map((one) => draftOf(one))
  return { key: crypto.randomUUID(), name, workflowId, mapping, condition, onFault, parallel: group }
}

/** What is sent of the fields; a field that is empty is left out. */
export function memberOf(draft: MemberDraft): Member {
  return draft.parallel === undefined
    ? stepOf(draft)
    : { ...withoutWorkflow(stepOf(draft)), parallel: draft.parallel.map((one) => stepOf(one)) }
}

type Step = NonNullable<Member['parallel']>[number]

function stepOf({ name, workflowId, mapping, condition, onFault }: MemberDraft): Step {
  return {
    name,
    workflowId,
    onFault,
    ...(mapping.trim() === '' ? {} : { mapping: mapping.trim() }),
    ...(condition.trim() === '' ? {} : { condition: condition.trim() }),
  }
}

function withoutWorkflow({ workflowId: _workflow, ...rest }: Step): Omit<Step, 'workflowId'> {
  return rest
}
