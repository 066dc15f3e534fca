import type { ReactNode } from 'react'
import { Crumbs } from '#src/app/crumbs.tsx'

interface PageProps {
  readonly title: string
  readonly lede?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Lists use the whole width. */
  readonly wide?: boolean
}

/** Title, actions and content of a page; the title is also that of the tab. */
export function Page({ title, lede, actions, children, wide = false }: PageProps) {
  return (
    <div className={wide ? 'page wide' : 'page'}>
      <Crumbs title={title}>
        <b>{title}</b>
      </Crumbs>
      <header className="row pagehead">
        <div>
          <h1>{title}</h1>
          {lede !== undefined && <p className="lede">{lede}</p>}
        </div>
        <span className="sp" />
        {actions !== undefined && <div className="row wrap">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
