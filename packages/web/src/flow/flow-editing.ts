import { createContext, type DragEvent, useContext } from 'react'
import { type StoreApi, useStore } from 'zustand'
import type { DrawnBlock, DrawnEntry, Place } from '#src/flow/drawing.ts'

/** A gap between steps, where steps are added and dropped. */
export interface SlotPlace extends Place {
  /** The switch and its lane, when the gap is in a lane that is a part of a list. */
  readonly lane?: { readonly owner: DrawnEntry; readonly block: DrawnBlock } | undefined
}

/** What a flow that is edited can do; a flow without it is read only. */
export interface FlowEditing {
  readonly onAdd: (slot: SlotPlace) => void
  readonly onAddLane: (entry: DrawnEntry) => void
  readonly onDrag: (entry: DrawnEntry | undefined) => void
  readonly onDrop: (slot: SlotPlace) => void
  /** Whether the step that is dragged may be dropped here. */
  readonly accepts: (slot: SlotPlace, event: DragEvent) => boolean
  /** The gap that a step is being added to; only the gap itself is drawn again when it changes. */
  readonly open: StoreApi<{ readonly slot: SlotPlace | undefined }>
}

const context = createContext<FlowEditing | undefined>(undefined)

export const FlowEditingProvider = context.Provider

export function useFlowEditing(): FlowEditing | undefined {
  return useContext(context)
}

/** Whether a gap is the one that a step is being added to. */
export function useIsOpen({ open }: FlowEditing, place: SlotPlace): boolean {
  return useStore(open, ({ slot }) => sameSlot(slot, place))
}

/** Whether two gaps are the same. */
function sameSlot(one: SlotPlace | undefined, other: SlotPlace): boolean {
  return one?.list === other.list && one.index === other.index && one.lane?.block.key === other.lane?.block.key
}
