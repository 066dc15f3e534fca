import type { Json } from '@millrace/dsl'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { FlowDocument } from '#src/document/document-store.ts'
import { parsed, readSamples, type Samples, writeSamples } from '#src/rehearse/samples.ts'
import type { Rehearsal } from '#src/rehearse/rehearse.ts'

const restMs = 200

/** The rehearsal of a document on samples that are kept on this device. */
export interface Rehearsing {
  /** Of the last text that could be rehearsed. */
  readonly rehearsal: Rehearsal | undefined
  /** Whether the text changed since to one that cannot be rehearsed. */
  readonly stale: boolean
  readonly samples: Samples
  readonly setInput: (input: string) => void
  /** Sets the result of a task, by its path; undefined takes it away. */
  readonly pin: (path: string, value: Json | undefined) => void
}

export function useRehearsal(workflow: string, doc: FlowDocument): Rehearsing {
  const { text, outline } = useStore(doc.store)
  const [samples, setSamples] = useState(() => readSamples(workflow, doc.store.getState().json))
  const [found, setFound] = useState<{ readonly rehearsal: Rehearsal | undefined; readonly stale: boolean }>({
    rehearsal: undefined,
    stale: false,
  })
  useEffect(() => {
    let current = true
    const timer = setTimeout(() => {
      void import('#src/rehearse/rehearse.ts').then(({ rehearse }) => {
        const input = parsed(samples.input)
        if (!current || input === undefined) return
        const { places } = doc.store.getState().outline
        const pins = new Map(
          Object.entries(samples.pins).flatMap(([path, value]): [string, Json][] => {
            const pointer = places.get(path)?.pointer
            return pointer === undefined ? [] : [[pointer, value]]
          }),
        )
        const rehearsal = rehearse(text, doc.syntax, { input, pins, startedAtMs: Date.now(), elapsed: () => performance.now() })
        setFound((before) => (rehearsal === undefined ? { ...before, stale: true } : { rehearsal, stale: false }))
      })
    }, restMs)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [text, outline, samples, doc])
  const change = (next: Samples) => {
    writeSamples(workflow, next)
    setSamples(next)
  }
  return {
    ...found,
    samples,
    setInput: (input) => change({ ...samples, input }),
    pin(path, value) {
      const { [path]: _before, ...others } = samples.pins
      change({ ...samples, pins: value === undefined ? others : { ...others, [path]: value } })
    },
  }
}
