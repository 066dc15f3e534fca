import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { stepButton } from '#src/editor/focus-step.ts'
import { onCanvasKey } from '#src/editor/canvas-keys.ts'
import { StepPicker } from '#src/editor/picker/step-picker.tsx'
import type { StepCommands } from '#src/editor/step-commands.ts'
import { type FlowDocument, pathOf } from '#src/document/document-store.ts'
import { type DrawnEntry, flatEntries } from '#src/flow/drawing.ts'
import { type FlowEditing, FlowEditingProvider, type SlotPlace } from '#src/flow/flow-editing.ts'
import type { EntryLook } from '#src/flow/flow-steps.tsx'
import { FlowView } from '#src/flow/flow-view.tsx'
import { m } from '#src/messages/messages.ts'

interface CanvasProps {
  readonly doc: FlowDocument
  readonly commands: StepCommands
  readonly look: (entry: DrawnEntry) => EntryLook
  readonly lookKey: (entry: DrawnEntry) => string
  /** Opens the form of the selected step. */
  readonly onOpen: () => void
}

/** The flow of the text as it is now, to be changed by mouse and keyboard. */
export const Canvas = memo(function Canvas({ doc, commands, look, lookKey, onOpen }: CanvasProps) {
  const drawing = useStore(doc.store, (state) => state.drawing)
  const path = useStore(doc.store, (state) => state.selected)
  const brokenLine = useStore(doc.store, ({ outline, text }) =>
    outline.brokenAt === undefined ? undefined : text.slice(0, outline.brokenAt).split('\n').length,
  )
  const [adding, setAdding] = useState<SlotPlace>()
  const dragged = useRef<DrawnEntry>(undefined)
  const place = useRef<HTMLDivElement>(null)
  const all = [...flatEntries(drawing.entries)]
  const selected = all.find((entry) => entry.path === path)
  const focus = useRef(false)
  useEffect(() => {
    const button = selected === undefined ? undefined : stepButton(selected.reference, place.current ?? document)
    if (button === undefined) return
    button.scrollIntoView({ block: 'nearest' })
    if (focus.current) button.focus({ preventScroll: true })
    focus.current = false
  }, [selected?.reference, adding, drawing])
  const onSelect = useCallback((reference: string) => doc.select(pathOf(doc.store.getState().outline, reference)), [doc])
  const select = (entry: DrawnEntry) => {
    focus.current = true
    doc.select(entry.path)
  }
  const close = () => {
    setAdding(undefined)
    focus.current = true
  }
  const first = drawing.entries[0]?.reference
  const editing = useMemo<FlowEditing>(
    () => ({
      first,
      open: adding,
      onAdd: setAdding,
      onAddLane: (entry) => commands.addLane(entry, entry.kind === 'fork' ? 'branch' : 'way'),
      onDrag: (entry) => {
        dragged.current = entry
      },
      accepts: (slot) => dragged.current !== undefined && !`${slot.list}/`.startsWith(`${dragged.current.reference}/`),
      onDrop: (slot) => {
        if (dragged.current !== undefined) commands.move(dragged.current, slot)
        dragged.current = undefined
      },
    }),
    [adding, commands, first],
  )
  return (
    <div
      className="canvas"
      ref={place}
      onKeyDown={(event) => {
        if (/^(?:Alt|Arrow|Delete|Backspace|d|w|Home|End)/.test(event.key)) focus.current = true
        onCanvasKey(event, { entries: drawing.entries, selected, commands, select, open: onOpen, add: setAdding })
      }}
    >
      {brokenLine !== undefined && <p className="notice t13">{m.flowEditor.broken(brokenLine)}</p>}
      <FlowEditingProvider value={editing}>
        <FlowView
          entries={drawing.entries}
          look={look}
          lookKey={lookKey}
          selected={selected?.reference}
          onSelect={onSelect}
          start={<b className="bb t13">{m.run.startsBy}</b>}
          end={<b className="bb t13">{m.run.ends}</b>}
          ends={['ready', 'ready']}
        />
      </FlowEditingProvider>
      {adding !== undefined && (
        <StepPicker
          onClose={close}
          onPick={({ task }) => {
            commands.add(adding, task)
            close()
          }}
        />
      )}
    </div>
  )
})
