import { history, isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import { EditorState, type Extension, StateEffect, Transaction, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { Json } from '@millrace/dsl'
import type { Edit, EditFault, TextChange } from '@millrace/dsl/edit'
import type { Outline } from '@millrace/dsl/outline'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Syntax } from '#src/document/apply-edits.ts'
import { changeBetween } from '#src/document/change-between.ts'
import type { DocumentComputer } from '#src/document/document-computer.ts'
import type { Reading } from '#src/document/reading.ts'
import { type DatedRename, presentPointer, type Rename, renamedPaths, renamesBetween } from '#src/document/renames.ts'
import { type Drawing, drawingOf } from '#src/flow/drawing.ts'

/** What is known of a text that is being edited. */
export interface DocumentState {
  readonly text: string
  /** Of the last text that could be read. */
  readonly outline: Outline
  readonly drawing: Drawing
  /** The document as data; undefined while the text cannot be read. */
  readonly json: Json | undefined
  /** Counts the readings of the text. */
  readonly edition: number
  /** The path of the selected task, which only a rename changes. */
  readonly selected: string | undefined
  /** Counts the tasks that were selected: a task that is renamed stays the same selection. */
  readonly selection: number
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** What the last edit did, for the live region. */
  readonly done: string
  /** Whether edits are being computed; what is selected may change with them. */
  readonly busy: boolean
}

/** A definition in an editor: the text is the truth, and every way of editing changes it. */
export interface FlowDocument {
  readonly store: StoreApi<DocumentState>
  readonly syntax: Syntax
  readonly state: () => EditorState
  /** Transactions of the text pane. */
  readonly accept: (transactions: readonly Transaction[], view: EditorView) => void
  readonly attach: (view: EditorView | undefined) => void
  /** Adds the extensions of a text pane, when the first one opens. */
  readonly equip: (extensions: () => Extension) => void
  readonly dispatch: (spec: TransactionSpec) => void
  /** Does edits as one step of the history, after those that were asked for before. @returns why it cannot be done. */
  readonly edit: (edits: readonly Edit[] | EditPlan, options?: EditOptions) => Promise<EditFault | undefined>
  /** Resolves when every edit is done and the text is read. */
  readonly settled: () => Promise<void>
  /** Makes changes of the text as it is now, as one step of the history with this title. */
  readonly change: (changes: readonly TextChange[], title: string) => void
  readonly setText: (text: string) => void
  readonly undo: () => void
  readonly redo: () => void
  readonly select: (path: string | undefined) => void
  /** The pointer now of what had a pointer in an edition; renames of tasks and members change it. */
  readonly present: (pointer: string, edition: number) => string
}

export interface EditOptions {
  /** Edits of one field that follow each other shortly are one step of the history. */
  readonly joined?: boolean
  /** Whether the result is selected; a function decides when the edit is done. */
  readonly select?: boolean | (() => boolean)
  /** The members that the edit renames, once it is planned. */
  readonly renames?: () => readonly Rename[]
}

/** Decides on edits when their turn comes, from the document as it is then. */
export type EditPlan = (json: Json) => readonly Edit[]

/** What a document is made of. */
export interface DocumentParts {
  readonly text: string
  readonly syntax: Syntax
  readonly computer: DocumentComputer
  /** Of the text. */
  readonly reading: Reading
}

const typingRestMs = 60
const triesMax = 10

/** Creates a document of a text. */
export function createDocument({ text, syntax, computer, reading }: DocumentParts): FlowDocument {
  let state = EditorState.create({ doc: text, extensions: history({ minDepth: 1000 }) })
  let equipped = false
  let view: EditorView | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let readDoc = state.doc
  let queue = Promise.resolve()
  let waiting = 0
  const renames: DatedRename[] = []
  const store = createStore<DocumentState>(() => initialOf(state.doc.toString(), reading))

  function know(next: Reading): void {
    readDoc = state.doc
    const before = store.getState()
    const paths = renamedPaths(before.outline, next.outline)
    const edition = before.edition + 1
    renames.push(...renamesBetween(before.outline, next.outline, paths).map((rename) => ({ ...rename, edition })))
    store.setState({ edition, ...stateAfter(before, next, paths) })
  }

  /** Reads the text as it is now; what changes meanwhile is read afterwards. */
  async function read(): Promise<void> {
    clearTimeout(timer)
    for (let left = triesMax; readDoc !== state.doc && left > 0; left--) {
      const { doc } = state
      const found = await computer.read(doc.toString())
      if (doc === state.doc) know(found)
    }
  }

  function applied(transactions: readonly Transaction[], restMs: number): void {
    state = transactions.at(-1)?.state ?? state
    if (!transactions.some(({ docChanged }) => docChanged)) return
    store.setState({ text: state.doc.toString(), canUndo: undoDepth(state) > 0, canRedo: redoDepth(state) > 0 })
    clearTimeout(timer)
    timer = setTimeout(() => void enqueue(read), restMs)
  }

  function dispatch(spec: TransactionSpec): void {
    const transaction = state.update(spec)
    view?.update([transaction])
    applied([transaction], 0)
  }

  /** One thing after the other. */
  async function enqueue<T>(act: () => Promise<T>): Promise<T> {
    waiting += 1
    if (waiting === 1) store.setState({ busy: true })
    const result = queue.then(act)
    queue = result.then(
      () => undefined,
      () => undefined,
    )
    try {
      return await result
    } finally {
      waiting -= 1
      if (waiting === 0) store.setState({ busy: false })
    }
  }

  async function perform(
    plan: readonly Edit[] | EditPlan,
    { joined = false, select = true, renames: renamed = () => [] }: EditOptions,
  ): Promise<EditFault | undefined> {
    for (let left = triesMax; left > 0; left--) {
      await read()
      const { doc } = state
      const edits = typeof plan === 'function' ? plan(store.getState().json ?? null) : plan
      if (edits.length === 0) return undefined
      const result = await computer.edit(doc.toString(), edits)
      // What was typed meanwhile stays: the edit is computed again for it.
      if (doc !== state.doc) continue
      if ('fault' in result) return result.fault
      const selects = typeof select === 'function' ? select() : select
      dispatch({
        changes: result.change,
        annotations: joined ? [Transaction.userEvent.of('input.field')] : [isolateHistory.of('full')],
      })
      clearTimeout(timer)
      know(result.reading)
      const { edition } = store.getState()
      renames.push(...renamed().map((rename) => ({ ...rename, edition })))
      const path = selects ? pathOf(result.reading.outline, result.selection) : undefined
      store.setState((before) => ({ done: result.title, ...(path === undefined ? {} : selecting(before, path)) }))
      return undefined
    }
    return { code: 'unsafe', message: 'The text changes too fast.' }
  }

  const step = (run: typeof undo) => () => {
    run({
      state,
      dispatch: (transaction) => {
        view?.update([transaction])
        applied([transaction], 0)
      },
    })
  }

  return {
    store,
    syntax,
    state: () => state,
    dispatch,
    accept(transactions, from) {
      from.update(transactions)
      applied(transactions, typingRestMs)
    },
    attach: (next) => {
      view = next
    },
    equip(extensions) {
      if (equipped) return
      equipped = true
      dispatch({ effects: StateEffect.appendConfig.of(extensions()) })
    },
    edit: (plan, options = {}) =>
      enqueue(() => perform(plan, options)).catch((error: unknown) => ({ code: 'unsafe', message: String(error) })),
    settled: () => enqueue(read),
    change(changes, title) {
      dispatch({ changes, annotations: isolateHistory.of('full') })
      store.setState({ done: title })
    },
    setText: (next) => dispatch({ changes: changeBetween(state.doc.toString(), next), annotations: isolateHistory.of('full') }),
    undo: step(undo),
    redo: step(redo),
    select: (path) => store.setState((before) => selecting(before, path)),
    present: (pointer, edition) => presentPointer(pointer, edition, renames),
  }
}

function initialOf(text: string, { outline, json }: Reading): DocumentState {
  return {
    text,
    outline,
    drawing: drawingOf(outline),
    json,
    edition: 0,
    selected: undefined,
    selection: 0,
    canUndo: false,
    canRedo: false,
    done: '',
    busy: false,
  }
}

function selecting({ selected, selection }: DocumentState, path: string | undefined): Partial<DocumentState> {
  return path === selected ? {} : { selected: path, selection: selection + 1 }
}

/** While a text cannot be read whole, the last flow that could be read stays. */
function stateAfter(before: DocumentState, { outline, json }: Reading, renamed: ReadonlyMap<string, string>): Partial<DocumentState> {
  const { brokenAt } = outline
  if (brokenAt !== undefined && outline.places.size < before.outline.places.size) return { json, outline: { ...before.outline, brokenAt } }
  const path = before.selected === undefined ? undefined : (renamed.get(before.selected) ?? before.selected)
  const selected = path !== undefined && outline.places.has(path) ? path : undefined
  return { json, outline, drawing: drawingOf(outline), selected }
}

/** The path of the task at a pointer, or around it. */
export function pathOf(outline: Outline, pointer: string): string | undefined {
  let best: readonly [path: string, length: number] | undefined
  for (const [path, place] of outline.places) {
    const around = pointer === place.pointer || pointer.startsWith(`${place.pointer}/`)
    if (around && place.pointer.length > (best?.[1] ?? -1)) best = [path, place.pointer.length]
  }
  return best?.[0]
}
