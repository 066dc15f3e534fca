import { unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { textExtensions } from '#src/editor/text-extensions.ts'
import { m } from '#src/messages/messages.ts'

interface DifferenceProps {
  readonly before: string
  readonly after: string
  readonly syntax: 'yaml' | 'json'
}

/** What differs between two texts of a definition; equal parts are folded. */
export function Difference({ before, after, syntax }: DifferenceProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place.current === null) return undefined
    const extensions = [
      textExtensions(m.editor.definition, syntax),
      EditorState.readOnly.of(true),
      unifiedMergeView({ original: before.replaceAll(/\r\n?/g, '\n'), mergeControls: false, collapseUnchanged: { margin: 3 } }),
    ]
    const view = new EditorView({ parent: place.current, doc: after, extensions })
    return () => view.destroy()
  }, [before, after, syntax])
  return <div ref={place} className="merge text-editor" />
}
