import { defaultKeymap, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, indentService, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import type { EditorState, Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { boot } from '#src/boot.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { yamlColours, yamlIndent } from '#src/editor/yaml-colours.ts'

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.attributeName], class: 'tok-key' },
  { tag: tags.string, class: 'tok-text' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: 'tok-value' },
  { tag: tags.comment, class: 'tok-comment' },
  { tag: [tags.punctuation, tags.separator, tags.meta], class: 'tok-mark' },
])

/** Line numbers, search, colours and keys of a text pane. Left to right in every language; Escape, then Tab leaves it. */
export function textExtensions(label: string, language: 'yaml' | 'json'): Extension {
  return [
    EditorView.cspNonce.of(boot.nonce),
    lineNumbers(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    language === 'yaml'
      ? [yamlColours, indentService.of(({ state }, at) => yamlIndent(state, at))]
      : [json(), syntaxHighlighting(highlight)],
    lintGutter(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, dir: 'ltr', tabindex: '0' }),
    keymap.of([indentWithTab, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
  ]
}

/** A finding as a mark in the text. */
export function lintMark(state: EditorState, { line, column, endLine, endColumn, severity, message, hint }: Finding): Diagnostic {
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
