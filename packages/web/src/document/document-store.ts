import { history, isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import { EditorState, type Extension, Transaction, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { type Json, parseDefinition } from '@millrace/dsl'
import type { Edit, EditFault } from '@millrace/dsl/edit'
import { type Outline, outlineOf, type OutlineState } from '@millrace/dsl/outline'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { applyEdits, changeBetween, type Syntax } from '#src/document/apply-edits.ts'
import { type Drawing, drawingOf } from '#src/flow/drawing.ts'

/** What is known of a text that is being edited. */
export interface DocumentState {
  readonly text: string
  /** Of the last text that could be read. */
  readonly outline: Outline
  readonly drawing: Drawing
  /** The document as data; undefined while the text cannot be read. */
  readonly json: Json | undefined
  /** The path of the selected task, which no other edit changes. */
  readonly selected: string | undefined
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** What the last edit did, for the live region. */
  readonly done: string
}

/** A definition in an editor: the text is the truth, and every way of editing changes it. */
export interface FlowDocument {
  readonly store: StoreApi<DocumentState>
  readonly syntax: Syntax
  readonly state: () => EditorState
  /** Transactions of the text pane. */
  readonly accept: (transactions: readonly Transaction[], view: EditorView) => void
  readonly attach: (view: EditorView | undefined) => void
  readonly dispatch: (spec: TransactionSpec) => void
  /** Does edits as one step of the history. @returns why it cannot be done. */
  readonly edit: (edits: readonly Edit[], options?: EditOptions) => EditFault | undefined
  readonly setText: (text: string) => void
  readonly undo: () => void
  readonly redo: () => void
  readonly select: (path: string | undefined) => void
}

export interface EditOptions {
  /** Edits of one field that follow each other shortly are one step of the history. */
  readonly joined?: boolean
  /** Whether the result is selected. */
  readonly select?: boolean
}

const typingRestMs = 60

/** Creates a document of a text. Extensions are those of the text pane. */
export function createDocument(text: string, syntax: Syntax, extensions: Extension = []): FlowDocument {
  let state = EditorState.create({ doc: text, extensions: [history({ minDepth: 1000 }), extensions] })
  let view: EditorView | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let known = outlined(state.doc.toString(), syntax)
  const store = createStore<DocumentState>(() => initialOf(known))

  function read(): void {
    clearTimeout(timer)
    known = outlined(state.doc.toString(), syntax, known)
    store.setState((before) => stateAfter(before, known))
  }

  function applied(transactions: readonly Transaction[], atOnce: boolean): void {
    state = transactions.at(-1)?.state ?? state
    if (!transactions.some(({ docChanged }) => docChanged)) return
    store.setState({ text: state.doc.toString(), canUndo: undoDepth(state) > 0, canRedo: redoDepth(state) > 0 })
    if (atOnce) return read()
    clearTimeout(timer)
    timer = setTimeout(read, typingRestMs)
  }

  function dispatch(spec: TransactionSpec): void {
    const transaction = state.update(spec)
    view?.update([transaction])
    applied([transaction], true)
  }

  const step = (run: typeof undo) => () => {
    run({
      state,
      dispatch: (transaction) => {
        view?.update([transaction])
        applied([transaction], true)
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
      applied(transactions, false)
    },
    attach: (next) => {
      view = next
    },
    edit(edits, { joined = false, select = true } = {}) {
      const result = applyEdits(state.doc.toString(), syntax, edits)
      if ('fault' in result) return result.fault
      dispatch({
        changes: result.change,
        annotations: joined ? [Transaction.userEvent.of('input.field')] : [isolateHistory.of('full')],
      })
      const path = select ? pathOf(store.getState().outline, result.selection) : undefined
      store.setState({ done: result.title, ...(path === undefined ? {} : { selected: path }) })
      return undefined
    },
    setText: (next) => dispatch({ changes: changeBetween(state.doc.toString(), next), annotations: isolateHistory.of('full') }),
    undo: step(undo),
    redo: step(redo),
    select: (selected) => store.setState({ selected }),
  }
}

function outlined(text: string, syntax: Syntax, before?: OutlineState): OutlineState {
  return { text, syntax, outline: outlineOf(text, syntax, before) }
}

function initialOf({ text, syntax, outline }: OutlineState): DocumentState {
  return {
    text,
    outline,
    drawing: drawingOf(outline),
    json: parseDefinition(text, { format: syntax }).document,
    selected: undefined,
    canUndo: false,
    canRedo: false,
    done: '',
  }
}

/** While a text cannot be read whole, the last flow that could be read stays. */
function stateAfter(before: DocumentState, { text, syntax, outline }: OutlineState): Partial<DocumentState> {
  const json = parseDefinition(text, { format: syntax }).document
  const { brokenAt } = outline
  if (brokenAt !== undefined && outline.places.size < before.outline.places.size) return { json, outline: { ...before.outline, brokenAt } }
  const selected = before.selected !== undefined && outline.places.has(before.selected) ? before.selected : undefined
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
