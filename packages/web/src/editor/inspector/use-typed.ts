import { useEffect, useRef, useState } from 'react'

const restMs = 250

/** A text that is being typed: it belongs to the field until it rests or the field is left, then it becomes one change. */
export function useTyped(value: string, commit: (text: string) => void) {
  const [typed, setTyped] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ typed, value, commit })
  latest.current = { typed, value, commit }
  /** How many of the next changes of the value are own ones. */
  const own = useRef(0)
  const flush = () => {
    clearTimeout(timer.current)
    const now = latest.current
    if (now.typed === undefined || now.typed === now.value) return
    own.current += 1
    now.commit(now.typed)
  }
  const flushed = useRef(flush)
  flushed.current = flush
  useEffect(() => () => flushed.current(), [])
  // An undo, or a change in the text, replaces what was typed before.
  useEffect(() => {
    if (own.current === 0) setTyped(undefined)
    own.current = Math.max(0, own.current - 1)
  }, [value])
  return {
    text: typed ?? value,
    change(text: string) {
      setTyped(text)
      latest.current = { ...latest.current, typed: text }
      clearTimeout(timer.current)
      timer.current = setTimeout(() => flushed.current(), restMs)
    },
    leave() {
      flush()
      setTyped(undefined)
    },
  }
}
