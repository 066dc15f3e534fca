import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isAt, type NavSection, sectionAbove } from '#src/app/nav.ts'

/** The pages of a section that the rail shows by one entry, above each of them. */
export function SectionLinks({ sections, path }: { readonly sections: readonly NavSection[]; readonly path: string }) {
  const nav = useRef<HTMLElement>(null)
  const section = sectionAbove(sections, path)
  // On a phone the row is longer than the screen.
  useEffect(() => {
    // A statement: new browsers return a promise, and an effect must return nothing.
    nav.current?.querySelector('.on')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path])
  if (section === undefined) return null
  return (
    <nav ref={nav} className="section-links" aria-label={section.title}>
      {section.entries.map((entry) => (
        <Link
          key={entry.path}
          to={entry.path}
          className={isAt(entry, path) ? 'on' : ''}
          aria-current={isAt(entry, path) ? 'page' : undefined}
        >
          {entry.label}
        </Link>
      ))}
    </nav>
  )
}
