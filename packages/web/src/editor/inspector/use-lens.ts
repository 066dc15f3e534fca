import { useEffect, useState } from 'react'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { lensPlace } from '#src/editor/inspector/lens-place.ts'
import type { Lens } from '#src/rehearse/lens.ts'

const restMs = 120

export interface OpenLens {
  readonly lens: Exclude<Lens, { kind: 'broken' }> | undefined
  /** Why the text as it is cannot be read; `lens` is that of the text before. */
  readonly problem: string | undefined
}

const closed: OpenLens = { lens: undefined, problem: undefined }

/** The lens of a text at a pointer while it is asked for: computed by the worker when the typing rests. What was known before stays until then. */
export function useLens(isAsked: boolean, pointer: string, text: string): OpenLens {
  const { json, lens } = useForm()
  const [found, setFound] = useState(closed)
  useEffect(() => {
    const place = isAsked && lens !== undefined ? lensPlace(json, lens.task, pointer) : undefined
    if (place === undefined || lens === undefined || text.trim() === '') {
      setFound(closed)
      return undefined
    }
    let isCurrent = true
    const ask = async () => {
      const next = await lens.ask({ ...place, text })
      if (isCurrent) setFound((before) => (next === undefined ? before : shown(next, before)))
    }
    const timer = setTimeout(() => void ask(), restMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [isAsked, json, lens, pointer, text])
  return found
}

function shown(next: Lens, { lens }: OpenLens): OpenLens {
  return next.kind === 'broken' ? { lens, problem: next.message } : { lens: next, problem: undefined }
}
