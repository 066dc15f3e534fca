import type { ReactNode } from 'react'
import { Crumbs } from '#src/app/crumbs.tsx'

interface PageProps {
  readonly title: string
  readonly lede?: ReactNode
  /** Text of the top bar and of the browser tab; the title unless given. */
  readonly place?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Lists use the whole width. */
  readonly wide?: boolean
}

/** Title, actions and content of a page; its place is also the title of the tab. */
export function Page({ title, place = title, lede, actions, children, wide = false }: PageProps) {
  return (
    <div className={wide ? 'page wide' : 'page'}>
      <Crumbs title={place}>
        <b>{place}</b>
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
