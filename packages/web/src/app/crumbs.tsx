import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTitle } from '#src/app/use-title.ts'

/** Where the page is, in the top bar. */
export function Crumbs({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useTitle(title)
  const [place, setPlace] = useState<Element | null>(null)
  useEffect(() => setPlace(document.querySelector('#crumb')), [])
  return place === null ? null : createPortal(<nav className="crumb-in">{children}</nav>, place)
}
