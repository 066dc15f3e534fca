import '#src/styles/session.css'
import type { ReactNode } from 'react'
import { boot } from '#src/boot.ts'
import { switchTheme } from '#src/app/theme.ts'
import { m } from '#src/messages/messages.ts'
import { useTitle } from '#src/app/use-title.ts'
import { IconButton } from '#src/ui/button.tsx'
import { Mark } from '#src/ui/icon.tsx'
import { RaceArt } from '#src/pages/session/race-art.tsx'

/** A page without a session: the form at the inline start, the race beside it. */
export function Outside({
  title,
  lede,
  children,
  foot,
}: {
  readonly title: string
  readonly lede?: ReactNode
  readonly children: ReactNode
  readonly foot?: ReactNode
}) {
  useTitle(title)
  return (
    <main className="signin">
      <section className="si">
        <div className="brand">
          <Mark />
          Millrace
          <span className="sp" />
          <IconButton icon="theme" label={m.frame.theme} onClick={switchTheme} />
        </div>
        <div className="sibox">
          <h1>{title}</h1>
          {lede !== undefined && <p className="lede">{lede}</p>}
          {children}
        </div>
        <p className="t12 i3">
          {m.session.ownMachine} {m.session.version(boot.version)} {foot}
        </p>
      </section>
      <RaceArt />
    </main>
  )
}
