import type { Json } from '@millrace/dsl'
import { useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { jsonAt } from '#src/document/task-json.ts'
import type { FlowDocument } from '#src/document/document-store.ts'
import type { Finding } from '#src/editor/diagnose.ts'

/** The findings of the server that may still be true: what they are about is as it was when they came. The next save says the rest. */
export function useCurrentFindings(findings: readonly Finding[], doc: FlowDocument): readonly Finding[] {
  const json = useStore(doc.store, (state) => state.json)
  const found = useRef<{ readonly findings: readonly Finding[]; readonly json: Json | undefined }>({ findings, json })
  if (found.current.findings !== findings) found.current = { findings, json }
  const { json: before } = found.current
  return useMemo(() => {
    const current = findings.filter((finding) => isCurrent(finding, before, json))
    return current.length === findings.length ? findings : current
  }, [findings, before, json])
}

/** Whether what a finding is about is the same in two states of a document; without a place, it is about all of it. */
export function isCurrent({ pointer }: Pick<Finding, 'pointer'>, before: Json | undefined, now: Json | undefined): boolean {
  // A text that cannot be read now says nothing.
  if (before === now || now === undefined || pointer === undefined) return true
  return JSON.stringify(jsonAt(before, pointer)) === JSON.stringify(jsonAt(now, pointer))
}
