import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** Longer than the second press of a double click takes, and one that a person can no longer stop. */
const restMs = 1000

/** Whether an element has stood in its place for long enough that a press on it is meant for it. */
export function useSettled(element: RefObject<HTMLElement | null>): boolean {
  const [place, setPlace] = useState<number>()
  const [settled, setSettled] = useState(false)
  // Each drawing may have moved it, such as one in which a card above it became shorter.
  useLayoutEffect(() => setPlace(placeOf(element.current)))
  useEffect(() => {
    setSettled(false)
    const timer = setTimeout(() => setSettled(true), restMs)
    return () => clearTimeout(timer)
  }, [place])
  return settled
}

/** How far down the page an element is, whatever the reader has scrolled. */
function placeOf(element: Element | null): number {
  return element instanceof HTMLElement ? element.offsetTop + placeOf(element.offsetParent) : 0
}
