import { setDiagnostics } from '@codemirror/lint'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { FlowDocument } from '#src/document/document-store.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { lintMark, textExtensions } from '#src/editor/text-extensions.ts'
import { m } from '#src/messages/messages.ts'

interface TextPaneProps {
  readonly doc: FlowDocument
  readonly findings: readonly Finding[]
  /** Puts the caret at a line, each time the object changes. */
  readonly goTo: { readonly line: number } | undefined
}

/** The text of a document; it shares text and history with the flow. */
export function TextPane({ doc, findings, goTo }: TextPaneProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  useEffect(() => {
    if (place.current === null) return undefined
    doc.equip(() => textExtensions(m.editor.definition, doc.syntax))
    const editor = new EditorView({ parent: place.current, state: doc.state(), dispatchTransactions: doc.accept })
    view.current = editor
    doc.attach(editor)
    return () => {
      doc.attach(undefined)
      editor.destroy()
    }
  }, [doc])
  useEffect(() => {
    const editor = view.current
    const marks = findings.map((finding) => lintMark(doc.state(), finding))
    editor?.dispatch(setDiagnostics(editor.state, marks))
  }, [doc, findings])
  useEffect(() => {
    const editor = view.current
    if (editor === null || goTo === undefined) return
    const line = editor.state.doc.line(Math.min(Math.max(1, goTo.line), editor.state.doc.lines))
    editor.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: 'center' }) })
    editor.focus()
  }, [goTo])
  return <div ref={place} className="text-editor" />
}
