import { useEffect, useState } from 'react'
import type { Diagnosis } from '#src/editor/diagnose.ts'

const restMs = 250

/** The diagnosis of a text that rests for a moment; the validator is loaded when it is first needed. */
export function useDiagnosis(text: string): Diagnosis & { readonly isChecked: boolean } {
  const [diagnosis, setDiagnosis] = useState<Diagnosis & { readonly of?: string }>({ findings: [], document: undefined })
  useEffect(() => {
    let current = true
    const timer = setTimeout(() => {
      void import('#src/editor/diagnose.ts').then(({ diagnose }) => {
        if (!current) return
        const found = diagnose(text)
        // The last readable document stays drawn while the text cannot be read.
        setDiagnosis((before) => ({ ...found, document: found.document ?? before.document, of: text }))
      })
    }, restMs)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [text])
  return { ...diagnosis, isChecked: diagnosis.of === text }
}
