import { useEffect, useRef, useState } from 'react'

const restMs = 250

/** A text that is being typed: it belongs to the field until it rests or the field is left, then it becomes one change. */
export function useTyped(value: string, commit: (text: string) => void) {
  const [typed, setTyped] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ typed, value, commit })
  latest.current = { typed, value, commit }
  /** The own change that the value does not have yet. */
  const sent = useRef<string>(undefined)
  const left = useRef(false)
  const flush = () => {
    clearTimeout(timer.current)
    const now = latest.current
    if (now.typed === undefined || now.typed === (sent.current ?? now.value)) return
    sent.current = now.typed
    now.commit(now.typed)
  }
  const flushed = useRef(flush)
  flushed.current = flush
  useEffect(() => () => flushed.current(), [])
  // An undo, or a change in the text, replaces what was typed before.
  useEffect(() => {
    if (sent.current === undefined || left.current) setTyped(undefined)
    sent.current = undefined
  }, [value])
  return {
    text: typed ?? value,
    change(text: string) {
      left.current = false
      setTyped(text)
      latest.current = { ...latest.current, typed: text }
      clearTimeout(timer.current)
      timer.current = setTimeout(() => flushed.current(), restMs)
    },
    /** What was typed does not count: something else replaces it. */
    forget() {
      clearTimeout(timer.current)
      latest.current = { ...latest.current, typed: undefined }
      setTyped(undefined)
    },
    /** What was typed stays in sight until the document has it. */
    leave() {
      flush()
      left.current = true
      if (sent.current === undefined) setTyped(undefined)
    },
  }
}
