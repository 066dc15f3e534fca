import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { stepButton } from '#src/editor/focus-step.ts'
import { createKeyQueue, type Side, slotNow } from '#src/editor/canvas-keys.ts'
import { StepPicker } from '#src/editor/picker/step-picker.tsx'
import { StartLine } from '#src/editor/start-line.tsx'
import type { StepCommands } from '#src/editor/step-commands.ts'
import { type FlowDocument, pathOf } from '#src/document/document-store.ts'
import { type DrawnEntry, entryAt } from '#src/flow/drawing.ts'
import { type FlowEditing, FlowEditingProvider, type SlotPlace } from '#src/flow/flow-editing.ts'
import type { EntryLook } from '#src/flow/flow-steps.tsx'
import { keyOf } from '#src/ui/key-of.ts'
import { FlowView } from '#src/flow/flow-view.tsx'
import { m } from '#src/messages/messages.ts'

interface CanvasProps {
  readonly workflow: string
  readonly doc: FlowDocument
  readonly commands: StepCommands
  readonly look: (entry: DrawnEntry) => EntryLook
  readonly lookKey: (entry: DrawnEntry) => string
  /** Opens the form of the selected step. */
  readonly onOpen: () => void
}

/** The flow of the text as it is now, to be changed by mouse and keyboard. */
export const Canvas = memo(function Canvas({ workflow, doc, commands, look, lookKey, onOpen }: CanvasProps) {
  const drawing = useStore(doc.store, (state) => state.drawing)
  const path = useStore(doc.store, (state) => state.selected)
  const definition = useStore(doc.store, ({ json }) => json)
  const brokenLine = useStore(doc.store, ({ outline, text }) =>
    outline.brokenAt === undefined ? undefined : text.slice(0, outline.brokenAt).split('\n').length,
  )
  const [open] = useState(() => createStore<{ readonly slot: SlotPlace | undefined }>(() => ({ slot: undefined })))
  const adding = useStore(open, ({ slot }) => slot)
  const dragged = useRef<DrawnEntry>(undefined)
  const [keys] = useState(createKeyQueue)
  const foundLate = useRef<Side>(undefined)
  const setAdding = useCallback(
    (slot: SlotPlace | undefined, late?: Side) => {
      foundLate.current = late
      open.setState({ slot })
    },
    [open],
  )
  const place = useRef<HTMLDivElement>(null)
  const selected = useMemo(() => entryAt(drawing.entries, path), [drawing, path])
  const focus = useRef(false)
  const shown = useRef('')
  useEffect(() => {
    const button = selected === undefined ? undefined : stepButton(selected.reference, place.current ?? document)
    if (button === undefined) return
    const moved = shown.current !== `${selected?.reference} ${adding === undefined}`
    shown.current = `${selected?.reference} ${adding === undefined}`
    if (moved || focus.current) button.scrollIntoView({ block: 'nearest' })
    const { busy } = doc.store.getState()
    // The focus stays in the text or in a form, if a person is there.
    const { activeElement } = document
    if (activeElement !== document.body && place.current?.contains(activeElement) !== true) focus.current = false
    if (focus.current) button.focus({ preventScroll: true })
    // The result of an edit that is still computed is focused as well.
    focus.current &&= busy
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
  const openForm = () => {
    focus.current = false
    onOpen()
  }
  const editing = useMemo<FlowEditing>(
    () => ({
      open,
      onAdd: (slot) => setAdding(slot),
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
    [open, setAdding, commands],
  )
  return (
    <div
      className="canvas"
      ref={place}
      onKeyDown={(event) => {
        if (/^(?:Alt|Arrow|Delete|Backspace|d|w|Home|End)/.test(keyOf(event))) focus.current = true
        keys.press(event, { doc, commands, select, open: openForm, add: setAdding })
      }}
    >
      {brokenLine !== undefined && <p className="notice t13">{m.flowEditor.broken(brokenLine)}</p>}
      <FlowEditingProvider value={editing}>
        <FlowView
          entries={drawing.entries}
          look={look}
          lookKey={lookKey}
          selected={selected?.reference}
          reached={selected?.reference ?? first}
          onSelect={onSelect}
          start={<StartLine workflow={workflow} definition={definition} />}
          end={<b className="bb t13">{m.run.ends}</b>}
          ends={['ready', 'ready']}
        />
      </FlowEditingProvider>
      {adding !== undefined && (
        <StepPicker
          onClose={close}
          onPick={({ task }) => {
            // A gap that was chosen while an edit was computed is found again after it, and after the keys that waited for it.
            const late = foundLate.current
            if (late === undefined) commands.add(adding, task)
            else keys.after(doc, () => commands.add(() => slotNow(doc, late), task))
            close()
          }}
        />
      )}
    </div>
  )
})
