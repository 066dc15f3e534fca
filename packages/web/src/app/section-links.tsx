import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { entryAbove, isAt, type NavSection } from '#src/app/nav.ts'
import { pagesOf } from '#src/app/nav-entry.ts'

/** The pages that the rail shows by one entry, above each of them. */
export function SectionLinks({ sections, path }: { readonly sections: readonly NavSection[]; readonly path: string }) {
  const nav = useRef<HTMLElement>(null)
  const entry = entryAbove(sections, path)
  // On a phone the row is longer than the screen.
  useEffect(() => {
    // A statement: new browsers return a promise, and an effect must return nothing.
    nav.current?.querySelector('.on')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path])
  if (entry === undefined) return null
  return (
    <nav ref={nav} className="section-links" aria-label={entry.label}>
      {pagesOf(entry).map((page) => (
        <Link key={page.path} to={page.path} className={isAt(page, path) ? 'on' : ''} aria-current={isAt(page, path) ? 'page' : undefined}>
          {page.label}
        </Link>
      ))}
    </nav>
  )
}
