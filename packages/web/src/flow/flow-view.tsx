import { type ReactNode, startTransition, useEffect, useId, useState } from 'react'
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
  readonly reached?: string | undefined
  readonly onSelect: (reference: string) => void
  readonly start: ReactNode
  readonly end: ReactNode
  /** Whether the way to the start and to the end is filled. */
  readonly ends: readonly [EntryLook['out'], EntryLook['into']]
}

/** From this length on, steps out of sight are not laid out, and those after the first ones are drawn when the first are on the screen. */
const longFrom = 60
const firstDrawn = 24

/** The flow of a definition: nested lists on one channel, laid out by CSS alone. */
export function FlowView(props: FlowProps) {
  const id = useId()
  const editing = useFlowEditing()
  const { ends } = props
  const [whole, setWhole] = useState(props.entries.length <= longFrom)
  useEffect(() => startTransition(() => setWhole(true)), [])
  const entries = whole ? props.entries : props.entries.slice(0, firstDrawn)
  return (
    <section className={editing === undefined ? 'flow' : 'flow editing'} aria-labelledby={id}>
      <span id={id} className="vh">
        {m.flow.label}
      </span>
      <ol className={props.entries.length > longFrom ? 'list long' : 'list'}>
        <li className="entry thin" data-in="none" data-out={ends[0]}>
          <span className="node round">
            <KindIcon kind="start" />
          </span>
          <div className="card">{props.start}</div>
        </li>
        <Entries
          {...props}
          entries={entries}
          list="/do"
          from={0}
          to={entries.at(-1) === undefined ? 0 : lastIndex(entries) + 1}
          flow={ends[0]}
        />
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
