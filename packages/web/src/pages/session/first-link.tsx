import type { MouseEvent, ReactNode } from 'react'
import { goTo } from '#src/app/go-to.ts'

/** A link of a page that is drawn before the router is loaded. */
export function FirstLink({
  to,
  className,
  children,
}: {
  readonly to: string
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  const follow = (event: MouseEvent) => {
    // Other tabs and windows are the browser's.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void goTo(to)
  }
  return (
    <a href={to} className={className} onClick={follow}>
      {children}
    </a>
  )
}
