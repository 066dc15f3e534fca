import { useState } from 'react'
import { sameSlot, type SlotPlace, useFlowEditing } from '#src/flow/flow-editing.ts'
import { m } from '#src/messages/messages.ts'
import { Icon } from '#src/ui/icon.tsx'

interface SlotProps {
  readonly place: SlotPlace
  readonly flow: string
  readonly empty?: boolean
}

/** The gap before a step, with the button that adds one there. A step that is dragged can be dropped on it. */
export function Slot({ place, flow, empty = false }: SlotProps) {
  const editing = useFlowEditing()
  const [over, setOver] = useState(false)
  if (editing === undefined) return null
  const open = sameSlot(editing.open, place)
  return (
    <li
      className={['gap', over ? 'over' : '', open ? 'open' : '', empty ? 'empty' : ''].filter(Boolean).join(' ')}
      data-in={flow}
      onDragOver={(event) => {
        if (!editing.accepts(place, event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        editing.onDrop(place)
      }}
    >
      <button
        type="button"
        className="gap-add"
        aria-label={m.flowEditor.addHere}
        title={m.flowEditor.addHere}
        data-slot={`${place.list}:${place.index}`}
        tabIndex={empty ? 0 : -1}
        onClick={() => editing.onAdd(place)}
      >
        <Icon name="plus" />
        {empty && <span>{m.flowEditor.addFirst}</span>}
      </button>
    </li>
  )
}

/** Adds a way to a switch or a branch to a fork. */
export function AddLane({ onAdd, label }: { readonly onAdd: () => void; readonly label: string }) {
  return (
    <button type="button" className="btn quiet sm add-lane" onClick={onAdd} tabIndex={-1}>
      <Icon name="plus" />
      {label}
    </button>
  )
}
