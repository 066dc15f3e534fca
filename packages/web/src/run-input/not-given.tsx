import type { groups, Reply } from '@millrace/contract'
import { readsNotIn } from '@millrace/dsl/reads'
import { m } from '#src/messages/messages.ts'

/** A part of its input that a workflow reads. */
export type InputRead = NonNullable<Reply<(typeof groups)['workflows']['executionRequirements']>['reads']>[number]

const shownMax = 5

interface NotGivenProps {
  readonly reads: readonly Pick<InputRead, 'path' | 'task'>[]
  /** What lacks them. */
  readonly by: keyof typeof m.notGiven.by
}

/** Says that a workflow reads parts of its input that it does not get, and what to do. */
export function NotGiven({ reads, by }: NotGivenProps) {
  const w = m.notGiven
  if (reads.length === 0) return null
  return (
    <span className="t13 c-wait blk" role="note">
      {w.by[by]}{' '}
      {reads.slice(0, shownMax).map(({ path, task }, index) => (
        <span key={path}>
          {index > 0 && ', '}
          <bdi className="mono">.{path}</bdi>
          {task !== null && (
            <>
              {' ('}
              <bdi>{w.step(task)}</bdi>)
            </>
          )}
        </span>
      ))}
      {reads.length > shownMax ? ', …' : '.'} {w.advice[by]}
    </span>
  )
}

/** Of the parts that a workflow needs, those that a text of JSON does not have; none of a text that is no JSON. */
export function readsNotInText(reads: readonly InputRead[], text: string): readonly InputRead[] {
  if (reads.length === 0) return []
  try {
    return readsNotIn(reads, JSON.parse(text))
  } catch {
    return []
  }
}
