import { type ReactNode, useState } from 'react'
import { m } from '#src/messages/messages.ts'
import { IconButton } from '#src/ui/button.tsx'

interface Selection<T> {
  readonly chosen: readonly T[]
  /** The boxes before the rows of a list. */
  readonly boxes: Boxes<T>
  readonly clear: () => void
}

export interface Boxes<T> {
  readonly head: ReactNode
  readonly cell: (row: T) => ReactNode
  /** Unchecks all. */
  readonly clear: () => void
}

/**
 * The rows of a list that a person chose, also those of other pages.
 * @param nameOf what a row is called for who hears the page
 */
export function useSelection<T extends { readonly id: string }>(nameOf: (row: T) => string): Selection<T> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map())
  const toggle = (row: T) =>
    setChosen((before) => new Map(before.has(row.id) ? [...before].filter(([id]) => id !== row.id) : [...before, [row.id, row]]))
  const clear = () => setChosen(new Map())
  return {
    chosen: [...chosen.values()],
    boxes: {
      head: <span className="vh">{m.bulk.select('')}</span>,
      cell: (row) => (
        <label className="lead-box">
          <input
            type="checkbox"
            className="check"
            aria-label={m.bulk.select(nameOf(row))}
            checked={chosen.has(row.id)}
            onChange={() => toggle(row)}
          />
        </label>
      ),
      clear,
    },
    clear,
  }
}

/** What can be done with the chosen rows; nothing while none is chosen. */
export function SelectionBar({
  count,
  clear,
  children,
}: {
  readonly count: number
  readonly clear: () => void
  readonly children: ReactNode
}) {
  if (count === 0) return null
  return (
    <div className="bulk" role="region" aria-label={m.bulk.selected(count)}>
      <b>{m.bulk.selected(count)}</b>
      <span className="sp" />
      {children}
      <IconButton icon="x" label={m.bulk.clear} onClick={clear} />
    </div>
  )
}
