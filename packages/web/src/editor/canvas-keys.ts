import type { KeyboardEvent } from 'react'
import type { FlowDocument } from '#src/document/document-store.ts'
import { type DrawnEntry, entryAt, flatEntries } from '#src/flow/drawing.ts'
import type { SlotPlace } from '#src/flow/flow-editing.ts'
import type { StepCommands } from '#src/editor/step-commands.ts'
import { keyOf } from '#src/ui/key-of.ts'

interface CanvasActions {
  readonly doc: FlowDocument
  readonly commands: StepCommands
  readonly select: (entry: DrawnEntry) => void
  readonly open: () => void
  /** With a side, the gap is found again when the edits and the keys before it are done. */
  readonly add: (slot: SlotPlace, foundLate?: Side) => void
}

/** A side of the selected step. */
export type Side = 'before' | 'after'

interface CanvasKeys extends CanvasActions {
  readonly entries: readonly DrawnEntry[]
  readonly selected: DrawnEntry | undefined
  /** Whether an edit or keys before it are not done. */
  readonly early: boolean
}

type Key = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'target'>

/** The keys of the flow, in the order in which they are pressed. */
interface KeyQueue {
  readonly press: (event: KeyboardEvent, actions: CanvasActions) => void
  /** Acts after the keys that wait. */
  readonly after: (doc: FlowDocument, act: () => void) => void
}

/**
 * The keys of the flow: a tree that is walked by arrows.
 *
 * Keys that are pressed while an edit is computed wait for it, so that each means the step that is selected then. Only the search for a new step opens at
 * once, since what follows is typed into it; its gap is found when the edit and the keys before it are done.
 */
export function createKeyQueue(): KeyQueue {
  const waiting: { readonly key?: string; readonly act: () => void }[] = []
  async function drain(doc: FlowDocument) {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      try {
        await doc.settled()
        next.act()
      } catch (error) {
        reportError(error)
      } finally {
        waiting.shift()
      }
    }
  }
  function wait(doc: FlowDocument, next: (typeof waiting)[number]) {
    waiting.push(next)
    if (waiting.length === 1) void drain(doc)
  }
  return {
    after(doc, act) {
      if (waiting.length === 0) act()
      else wait(doc, { act })
    },
    press(event, actions) {
      if (event.defaultPrevented || isInField(event.target)) return
      const early = waiting.length > 0 || actions.doc.store.getState().busy
      const { altKey, ctrlKey, metaKey, shiftKey, target } = event
      const pressed: Key = { key: keyOf(event), altKey, ctrlKey, metaKey, shiftKey, target }
      const handler = handlerOf(pressed, { ...knownNow(actions), early })
      if (handler === undefined) return
      event.preventDefault()
      const isAdding = /^a$/i.test(pressed.key) && !altKey && !ctrlKey && !metaKey
      if (isAdding || !early) return handler()
      // What follows a key that opens a form is text, not a command.
      if (waiting.some(({ key }) => key === 'Enter')) return
      wait(actions.doc, { key: pressed.key, act: () => handlerOf(pressed, knownNow(actions))?.() })
    },
  }
}

function knownNow(actions: CanvasActions): CanvasKeys {
  const { drawing, selected } = actions.doc.store.getState()
  return { ...actions, entries: drawing.entries, selected: entryAt(drawing.entries, selected), early: false }
}

/** The gap beside the step that is selected now. */
export function slotNow(doc: FlowDocument, side: Side): SlotPlace {
  const { drawing, selected } = doc.store.getState()
  return slotBeside({ entries: drawing.entries, selected: entryAt(drawing.entries, selected) }, side)
}

function isInField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('dialog, input, textarea, .cm-editor') !== null
}

function handlerOf(key: Key, keys: CanvasKeys): (() => void) | undefined {
  return key.altKey ? moving(key.key, keys) : key.ctrlKey || key.metaKey ? withMod(key.key, keys) : plain(key, keys)
}

function moving(key: string, { selected, commands }: CanvasKeys): (() => void) | undefined {
  if (selected === undefined) return undefined
  if (key === 'ArrowUp') return () => commands.shift(selected, -1)
  return key === 'ArrowDown' ? () => commands.shift(selected, 1) : undefined
}

function withMod(key: string, { selected, commands }: CanvasKeys): (() => void) | undefined {
  return key === 'd' && selected !== undefined ? () => commands.duplicate(selected) : undefined
}

function plain(event: Key, keys: CanvasKeys): (() => void) | undefined {
  const { selected, commands } = keys
  const rtl = document.documentElement.dir === 'rtl'
  switch (event.key) {
    case 'ArrowDown':
      return () => step(keys, 1)
    case 'ArrowUp':
      return () => step(keys, -1)
    case 'Home':
      return () => step(keys, 'first')
    case 'End':
      return () => step(keys, 'last')
    case 'ArrowRight':
      return () => (rtl ? outward(keys) : inward(keys))
    case 'ArrowLeft':
      return () => (rtl ? inward(keys) : outward(keys))
    case 'a':
    case 'A':
      return () => addBeside(keys, event.shiftKey ? 'before' : 'after')
    case 'Enter':
      return selected === undefined || !isStepButton(event.target) ? undefined : () => keys.open()
    case 'Delete':
    case 'Backspace':
      return selected === undefined ? undefined : () => commands.remove(selected)
    case 'd':
      return selected === undefined ? undefined : () => commands.disable(selected, !selected.badges.includes('disabled'))
    case 'w':
      return selected === undefined ? undefined : () => commands.wrap(selected, 'try')
    default:
      return undefined
  }
}

function isStepButton(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.dataset['step'] !== undefined
}

function step({ entries, selected, select }: CanvasKeys, by: 1 | -1 | 'first' | 'last'): void {
  const all = [...flatEntries(entries)]
  const at = all.findIndex(({ path }) => path === selected?.path)
  const next = by === 'first' || (at === -1 && by === 1) ? all[0] : by === 'last' ? all.at(-1) : all[Math.max(0, at + by)]
  if (next !== undefined) select(next)
}

function addBeside(keys: CanvasKeys, side: Side): void {
  keys.add(slotBeside(keys, side), keys.early ? side : undefined)
}

function inward({ selected, select, add }: CanvasKeys): void {
  if (selected === undefined) return
  const [block] = selected.blocks
  const first = block?.owner ?? block?.entries[0]
  if (first !== undefined) select(first)
  else if (block !== undefined) add({ list: block.list, index: block.from })
}

function outward({ entries, selected, select }: CanvasKeys): void {
  const parent = [...flatEntries(entries)].findLast((entry) => selected?.path.startsWith(`${entry.path}/`))
  if (parent !== undefined) select(parent)
}

/** The gap after the selected step, or before it; inside a block that is empty; at the end of the flow without a selection. */
function slotBeside({ entries, selected }: Pick<CanvasKeys, 'entries' | 'selected'>, side: Side): SlotPlace {
  const last = entries.at(-1)
  if (selected === undefined)
    return {
      list: '/do',
      index: last === undefined ? 0 : Math.max(last.index, ...last.blocks.map(({ list, to }) => (list === '/do' ? to - 1 : 0))) + 1,
    }
  const lane = laneWithOwner(entries, selected.path)
  if (lane !== undefined && side === 'after') return { list: lane.list, index: lane.to }
  const [block] = selected.blocks
  if (side === 'after' && block !== undefined && selected.blocks.length === 1 && block.entries.length === 0)
    return { list: block.list, index: block.from }
  const shared = sharedLane(entries, selected)
  if (side === 'after' && block?.list === selected.list)
    return { list: selected.list, index: Math.max(...selected.blocks.map(({ to }) => to)), lane: shared }
  return { list: selected.list, index: selected.index + (side === 'before' ? 0 : 1), lane: shared }
}

function laneWithOwner(entries: readonly DrawnEntry[], path: string) {
  for (const entry of flatEntries(entries)) {
    const found = entry.blocks.find(({ owner }) => owner?.path === path)
    if (found !== undefined) return found
  }
  return undefined
}

/** The lane of a switch that is a part of the list of an entry. */
function sharedLane(entries: readonly DrawnEntry[], { path }: DrawnEntry): SlotPlace['lane'] {
  for (const owner of flatEntries(entries)) {
    const block = owner.blocks.find(
      (one) => one.list === owner.list && one.kind === 'lane' && one.entries.some((entry) => entry.path === path),
    )
    if (block !== undefined) return { owner, block }
  }
  return undefined
}
