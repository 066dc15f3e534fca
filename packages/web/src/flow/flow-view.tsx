import { type ReactNode, useId } from 'react'
import type { DrawnEntry } from '#src/flow/drawing.ts'
import { useFlowEditing } from '#src/flow/flow-editing.ts'
import { Entries, type EntryLook } from '#src/flow/flow-steps.tsx'
import { m } from '#src/messages/messages.ts'
import { KindIcon } from '#src/ui/icon.tsx'

interface FlowProps {
  readonly entries: readonly DrawnEntry[]
  readonly look: (entry: DrawnEntry) => EntryLook
  readonly lookKey?: (entry: DrawnEntry) => string
  readonly selected: string | undefined
  readonly onSelect: (reference: string) => void
  readonly start: ReactNode
  readonly end: ReactNode
  /** Whether the way to the start and to the end is filled. */
  readonly ends: readonly [EntryLook['out'], EntryLook['into']]
}

/** From this length on, steps out of sight are not laid out. */
const longFrom = 60

/** The flow of a definition: nested lists on one channel, laid out by CSS alone. */
export function FlowView(props: FlowProps) {
  const id = useId()
  const editing = useFlowEditing()
  const { entries, ends } = props
  return (
    <section className={editing === undefined ? 'flow' : 'flow editing'} aria-labelledby={id}>
      <span id={id} className="vh">
        {m.flow.label}
      </span>
      <ol className={entries.length > longFrom ? 'list long' : 'list'}>
        <li className="entry thin" data-in="none" data-out={ends[0]}>
          <span className="node round">
            <KindIcon kind="start" />
          </span>
          <div className="card">{props.start}</div>
        </li>
        <Entries {...props} list="/do" from={0} to={entries.at(-1) === undefined ? 0 : lastIndex(entries) + 1} flow={ends[0]} />
        <li className="entry last thin" data-in={ends[1]} data-out="none">
          <span className="node round">
            <KindIcon kind="end" />
          </span>
          <div className="card">{props.end}</div>
        </li>
      </ol>
    </section>
  )
}

/** The last index of a list that its drawn entries reach; the lanes of a switch are entries of the same list. */
function lastIndex(entries: readonly DrawnEntry[]): number {
  const last = entries.at(-1)
  if (last === undefined) return -1
  return Math.max(last.index, ...last.blocks.flatMap(({ list, to }) => (list === last.list ? [to - 1] : [])))
}
