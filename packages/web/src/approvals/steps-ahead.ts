import type { Approval } from '#src/approvals/approval.ts'

/** What happens to an open approval at a time while no one decides. */
interface StepAhead {
  /** More people can decide, others decide in place of those before, or people get a notice. */
  readonly kind: 'also' | 'instead' | 'notice'
  readonly at: string
  /** As the approval names approvers, or mail addresses. */
  readonly whom: readonly string[]
}

/** The escalations of an approval that are still to come, in chronological order. */
export function stepsAhead(
  { approvers, escalations = [] }: Pick<Approval, 'approvers' | 'escalations'>,
  nowMs: number,
): readonly StepAhead[] {
  let before: readonly string[] = approvers
  return escalations
    .filter(({ at }) => Date.parse(at) > nowMs)
    .flatMap(({ at, approvers: then, notify }) => {
      const added = then.filter((one) => !before.includes(one))
      const isReplaced = before.some((one) => !then.includes(one))
      before = then
      const asked: readonly StepAhead[] = isReplaced
        ? [{ kind: 'instead', at, whom: then }]
        : added.length > 0
          ? [{ kind: 'also', at, whom: added }]
          : []
      return notify.length > 0 ? [...asked, { kind: 'notice' as const, at, whom: notify }] : asked
    })
}
