import { useState } from 'react'
import { type FlowEditing, type SlotPlace, useFlowEditing, useIsOpen } from '#src/flow/flow-editing.ts'
import { m } from '#src/messages/messages.ts'
import { Icon } from '#src/ui/icon.tsx'

interface SlotProps {
  readonly place: SlotPlace
  readonly flow: string
  readonly empty?: boolean
}

/** The gap before a step, with the button that adds one there. A step that is dragged can be dropped on it. */
export function Slot(props: SlotProps) {
  const editing = useFlowEditing()
  return editing === undefined ? null : <Gap {...props} editing={editing} />
}

function Gap({ place, flow, empty = false, editing }: SlotProps & { readonly editing: FlowEditing }) {
  const [over, setOver] = useState(false)
  const open = useIsOpen(editing, place)
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
