import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { FlowDocument } from '#src/document/document-store.ts'
import { flatEntries } from '#src/flow/drawing.ts'

/** What an address asks for by `at` to show the input of the workflow, which is beside the flow while no step is selected. */
export const inputAsked = '/input'

/** Selects the step that the address asks for by `at`, its pointer. When steps were moved since, its name finds it. */
export function useAskedStep(doc: FlowDocument | undefined): void {
  const { at }: { at?: string } = useSearch({ strict: false })
  useEffect(() => {
    if (at === undefined || doc === undefined) return
    if (at === inputAsked) {
      doc.select(undefined)
      return
    }
    const name = at
      .slice(at.lastIndexOf('/') + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~')
    const entries = [...flatEntries(doc.store.getState().drawing.entries)]
    const asked = entries.find(({ reference }) => reference === at) ?? entries.find((entry) => entry.name === name)
    if (asked !== undefined) doc.select(asked.path)
  }, [at, doc])
}
