import type { Fix } from '@millrace/dsl/fix'
import { createContext, useContext, useEffect, useState } from 'react'
import type { FlowDocument } from '#src/document/document-store.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'

/** Finds the corrections of a finding in a text. */
export type FindFixes = (text: string, finding: Finding) => Promise<readonly Fix[]>

interface Fixing {
  readonly doc: FlowDocument
  readonly find: FindFixes
  /** Names the place of a finding where its line is not shown. */
  readonly placeOf: ((finding: Finding) => string | undefined) | undefined
}

const context = createContext<Fixing | undefined>(undefined)

export const FixingProvider = context.Provider

/** The place of a finding in words: the step and its field beside the flow, and its line beside the text. */
export function usePlaceOf(): (finding: Finding) => string {
  const placeOf = useContext(context)?.placeOf
  return (finding) => placeOf?.(finding) ?? m.editor.line(finding.line)
}

/** What one finding shows of its corrections at most: the likeliest one, and of replaced data each way to the data. */
const shownMax = 1
const waysShownMax = 3

/** Buttons that correct a finding by one click, which one step of the history undoes. Nothing is shown for a finding without a correction. */
export function FixButtons({ finding }: { readonly finding: Finding }) {
  const fixing = useContext(context)
  const [found, setFound] = useState<{ readonly text: string; readonly fixes: readonly Fix[] }>()
  useEffect(() => {
    let current = true
    setFound(undefined)
    if (fixing === undefined) return undefined
    const { text } = fixing.doc.store.getState()
    void fixing.find(text, finding).then((fixes) => {
      if (current) setFound({ text, fixes: fixes.slice(0, finding.code === 'replaced_data' ? waysShownMax : shownMax) })
    })
    return () => {
      current = false
    }
  }, [fixing, finding])
  if (fixing === undefined || found === undefined) return null
  return found.fixes.map(({ title, changes }) => (
    <Button
      key={title}
      size="sm"
      icon="check"
      data-fix={title}
      title={title}
      onClick={() => {
        // A correction belongs to the text that it was found in.
        if (fixing.doc.store.getState().text === found.text) fixing.doc.change(changes, title)
      }}
    >
      {m.flowEditor.fix} <bdi dir="ltr">{title}</bdi>
    </Button>
  ))
}
