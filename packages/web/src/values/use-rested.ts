import { useEffect, useState } from 'react'

const restMs = 300

/** A value that is typed, once it has rested for a moment; requests that follow it are few. */
export function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
    // The text of the value decides, not its identity.
  }, [key])
  return rested
}
