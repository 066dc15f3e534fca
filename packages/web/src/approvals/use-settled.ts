import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Longer than the second press of a double click takes, and one that a person can no longer stop. */
const restMs = 1000
/** For how long what appears may have taken the place of what was decided, on a slow line. */
const afterMs = 5000

let decidedAt = -Infinity

/** What was decided makes room for others, under the cursor of the person who pressed. */
export const settling = {
  begin(): void {
    decidedAt = performance.now()
  },
}

/**
 * Whether a press on an element is meant for it. What a page shows when it opens takes presses at once; what appears or moves after a decision, or moves later
 * because something above it changes, has to stand in its place first.
 */
export function useSettled(element: RefObject<HTMLElement | null>): boolean {
  const [place, setPlace] = useState<number>()
  const [settled, setSettled] = useState(() => !isAfterDecision())
  const openedAt = useRef(performance.now())
  // Each drawing may have moved it, such as one in which a card above it became shorter.
  useLayoutEffect(() => setPlace(placeOf(element.current)))
  useLayoutEffect(() => {
    const isOpening = performance.now() - openedAt.current < restMs
    if (place === undefined || (isOpening && !isAfterDecision())) return undefined
    setSettled(false)
    const timer = setTimeout(() => setSettled(true), restMs)
    return () => clearTimeout(timer)
  }, [place])
  return settled
}

const isAfterDecision = () => performance.now() - decidedAt < afterMs

/** How far down the page an element is, whatever the reader has scrolled. */
function placeOf(element: Element | null): number {
  return element instanceof HTMLElement ? element.offsetTop + placeOf(element.offsetParent) : 0
}
