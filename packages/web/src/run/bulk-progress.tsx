import { m } from '#src/messages/messages.ts'
import type { BulkProgress } from '#src/run/bulk.ts'

interface BulkProgressViewProps {
  readonly progress: BulkProgress
  readonly of: number
  readonly working: boolean
  /** What was done, by the number of things it was done with. */
  readonly done: (count: number) => string
  readonly refused: (count: number) => string
}

/** How far an action on many things is, and what was refused for which reason. */
export function BulkProgressView({ progress, of, working, done, refused }: BulkProgressViewProps) {
  const refusals = [...progress.refused.values()].reduce((sum, count) => sum + count, 0)
  const words = m.bulk.progress(progress.done, of)
  return (
    <div role="status">
      <progress className="meter" max={of} value={progress.done} aria-label={words} />
      <p className="t13">{working ? words : done(progress.done - refusals)}</p>
      {refusals > 0 && <p className="t13 c-bad">{refused(refusals)}</p>}
      <ul className="t13 i2">
        {[...progress.refused].map(([reason, count]) => (
          <li key={reason}>{`${count} × ${reason}`}</li>
        ))}
      </ul>
    </div>
  )
}
