import type { JsonObject } from '@millrace/dsl'
import type { Edit } from '@millrace/dsl/edit'
import { addBranchEdits, addWayEdits, insertEdits, removeEdits, removeLaneEdits } from '#src/document/flow-edits.ts'
import type { EditPlan, FlowDocument } from '#src/document/document-store.ts'
import { below, freeName, jsonAt, namesIn, placeOf } from '#src/document/task-json.ts'
import { inLoop } from '#src/editor/picker/in-loop.ts'
import { stepButton } from '#src/editor/focus-step.ts'
import { type DrawnEntry, entryAt, flatEntries } from '#src/flow/drawing.ts'
import type { SlotPlace } from '#src/flow/flow-editing.ts'
import { toast } from '#src/ui/toast.tsx'

export type Wrapper = 'do' | 'for' | 'fork' | 'try'

/** What can be done with steps; each is one step of the history. A refusal is shown. */
export interface StepCommands {
  /** In a gap, which may be found when the edits before are done; in a loop, the examples of the task read the item. */
  readonly add: (slot: SlotPlace | (() => SlotPlace), task: JsonObject) => void
  readonly addLane: (entry: DrawnEntry, name: string) => void
  readonly remove: (entry: DrawnEntry) => void
  readonly move: (entry: DrawnEntry, slot: SlotPlace) => void
  /** One place up or down within its list. */
  readonly shift: (entry: DrawnEntry, by: 1 | -1) => void
  readonly duplicate: (entry: DrawnEntry) => void
  readonly wrap: (entry: DrawnEntry, kind: Wrapper) => void
  readonly unwrap: (entry: DrawnEntry) => void
  /** @returns the reason if the name is refused. */
  readonly rename: (entry: DrawnEntry, name: string) => Promise<string | undefined>
  readonly disable: (entry: DrawnEntry, off: boolean) => void
}

const wrapperNames: Readonly<Record<Wrapper, string>> = { do: 'group', for: 'each', fork: 'parallel', try: 'guard' }

/** The commands of a document. */
export function stepCommands(doc: FlowDocument): StepCommands {
  const run = (plan: EditPlan) =>
    doc.edit(plan).then((fault) => {
      if (fault !== undefined) toast(fault.message, 'faulted')
    })
  const range = ({ list, index }: DrawnEntry) => ({ list, from: index, count: 1 })
  return {
    add: (slot, task) =>
      void run((json) => {
        const place = typeof slot === 'function' ? slot() : slot
        return insertEdits(json, place, inLoop(json, place.list, task))
      }),
    addLane: (entry, name) =>
      void run((json) => (entry.kind === 'fork' ? addBranchEdits(json, entry.reference, name) : addWayEdits(json, entry.reference, name))),
    remove: (entry) => {
      const lane = isLane(doc, entry)
      const plan: EditPlan = (json) => (lane ? removeLaneEdits(json, entry.reference) : removeEdits(json, entry.reference))
      // The menu and the form of a step go with it.
      void run(plan).then(() => requestAnimationFrame(() => focusSelected(doc)))
    },
    move: (entry, slot) => void run(() => [{ kind: 'move', ...range(entry), to: slot.list, at: slot.index }]),
    shift: (entry, by) =>
      void run((json) => {
        const { length } = namesIn(json, entry.list)
        const at = by === 1 ? entry.index + 2 : entry.index - 1
        return at >= 0 && at <= length ? [{ kind: 'move', ...range(entry), to: entry.list, at }] : []
      }),
    duplicate: (entry) => void run(() => [{ kind: 'duplicate', ...range(entry) }]),
    wrap: (entry, kind) =>
      void run((json) => [{ kind: 'wrap', in: kind, name: freeName(wrapperNames[kind], namesIn(json, entry.list)), ...range(entry) }]),
    unwrap: (entry) => void run(() => [{ kind: 'unwrap', task: entry.reference }]),
    async rename(entry, name) {
      // Another step may have been selected meanwhile.
      const { edition } = doc.store.getState()
      const select = () => doc.store.getState().selected === entry.path
      const fault = await doc.edit((json) => renameEdits(json, doc.present(entry.reference, edition), name), { select })
      return fault?.message
    },
    disable: (entry, off) => void run(() => [{ kind: off ? 'disable' : 'enable', task: entry.reference }]),
  }
}

/** Puts a focus that was lost on the selected step. */
function focusSelected(doc: FlowDocument): void {
  const { drawing, selected } = doc.store.getState()
  const entry = entryAt(drawing.entries, selected)
  if (entry !== undefined && document.activeElement === document.body) stepButton(entry.reference)?.focus()
}

/** Whether a task is drawn as the name of a lane. */
export function isLane(doc: FlowDocument, entry: DrawnEntry): boolean {
  return [...flatEntries(doc.store.getState().drawing.entries)].some(
    ({ kind, blocks }) => kind === 'switch' && blocks.some(({ owner }) => owner?.path === entry.path),
  )
}

/** A name with what refers to it; the case of a lane that has the lane's name follows. */
function renameEdits(document: Parameters<typeof jsonAt>[0], task: string, name: string): readonly Edit[] {
  const { name: old, list } = placeOf(task)
  if (name === old) return []
  const choose = below(list, 0)
  const [first] = namesIn(document, list)
  const cases = first === undefined ? undefined : jsonAt(document, below(below(choose, first), 'switch'))
  const renamed =
    Array.isArray(cases) && cases.some((one) => Object.hasOwn(Object(one), old))
      ? caseRename(below(below(choose, first ?? ''), 'switch'), cases, old, name)
      : []
  return [...renamed, { kind: 'rename', task, name }]
}

function caseRename(pointer: string, cases: readonly unknown[], old: string, name: string): readonly Edit[] {
  return cases.flatMap((one, index): Edit[] => {
    const entry: unknown = Object(one)[old]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A part of the parsed document.
    return entry === undefined ? [] : [{ kind: 'set', pointer: below(pointer, index), value: { [name]: entry } as JsonObject }]
  })
}
