import { history } from '@codemirror/commands'
import { setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { Finding } from '#src/editor/diagnose.ts'
import { lintMark, textExtensions } from '#src/editor/text-extensions.ts'

interface TextEditorProps {
  readonly text: string
  readonly label: string
  readonly language?: 'yaml' | 'json'
  readonly findings?: readonly Finding[]
  /** Puts the caret at a line, each time the object changes. */
  readonly goTo?: { readonly line: number } | undefined
  /** Without it the text is only read. */
  readonly onChange?: (text: string) => void
  readonly onSave?: () => void
}

/** A text with line numbers, history, search and findings. Left to right in every language; Escape, then Tab leaves it. */
export function TextEditor({ text, label, language = 'yaml', findings = [], goTo, onChange, onSave }: TextEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef({ onChange, onSave })
  latest.current = { onChange, onSave }
  const initial = useRef(text)
  useEffect(() => {
    if (place.current === null) return undefined
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: initial.current,
        extensions: [
          history(),
          keymap.of([{ key: 'Mod-s', run: () => (latest.current.onSave?.(), true) }]),
          textExtensions(label, language),
          onChange === undefined ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [],
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, language])
  useEffect(() => {
    const editor = view.current
    if (editor !== null && editor.state.doc.toString() !== text)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
  }, [text])
  useEffect(() => {
    const editor = view.current
    if (editor !== null)
      editor.dispatch(
        setDiagnostics(
          editor.state,
          findings.map((finding) => lintMark(editor.state, finding)),
        ),
      )
  }, [findings])
  useEffect(() => {
    const editor = view.current
    if (editor === null || goTo === undefined) return
    const line = editor.state.doc.line(Math.min(Math.max(1, goTo.line), editor.state.doc.lines))
    editor.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: 'center' }) })
    editor.focus()
  }, [goTo])
  return <div ref={place} className="text-editor" />
}
