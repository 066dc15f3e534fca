import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { boot } from '#src/boot.ts'
import type { Finding } from '#src/editor/diagnose.ts'

interface TextEditorProps {
  readonly text: string
  readonly label: string
  readonly language?: 'yaml' | 'json'
  readonly findings?: readonly Finding[]
  /** Puts the caret at a line, each time the object changes. */
  readonly goTo?: { readonly line: number } | undefined
  readonly onChange: (text: string) => void
  readonly onSave?: () => void
}

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.attributeName], class: 'tok-key' },
  { tag: tags.string, class: 'tok-text' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: 'tok-value' },
  { tag: tags.comment, class: 'tok-comment' },
  { tag: [tags.punctuation, tags.separator, tags.meta], class: 'tok-mark' },
])

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
          EditorView.cspNonce.of(boot.nonce),
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          search({ top: true }),
          language === 'yaml' ? yaml() : json(),
          syntaxHighlighting(highlight),
          lintGutter(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, dir: 'ltr' }),
          keymap.of([
            { key: 'Mod-s', run: () => (latest.current.onSave?.(), true) },
            indentWithTab,
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString())
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
          findings.map((finding) => marked(editor.state, finding)),
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

function marked(state: EditorState, { line, column, endLine, endColumn, severity, message, hint }: Finding): Diagnostic {
  const at = (row: number, place: number) => {
    const { from, to } = state.doc.line(Math.min(Math.max(1, row), state.doc.lines))
    return Math.min(to, from + Math.max(0, place - 1))
  }
  const from = at(line, column)
  return {
    from,
    to: Math.max(from, at(endLine ?? line, endColumn ?? column + 1)),
    severity,
    message: hint === undefined ? message : `${message} ${hint}`,
  }
}
