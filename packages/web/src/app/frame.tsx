import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useKeys } from '#src/app/keys.ts'
import { isAt, isOpen, type NavSection, refusedEntry, sectionsFor } from '#src/app/nav.ts'
import type { NavEntry } from '#src/app/nav-entry.ts'
import { AccountMenu } from '#src/app/account-menu.tsx'
import { NotificationsLink } from '#src/app/notifications-link.tsx'
import { useApprovalCount } from '#src/app/counts.ts'
import { useChanges } from '#src/app/live-changes.ts'
import { Palette } from '#src/app/palette.tsx'
import { SectionLinks } from '#src/app/section-links.tsx'
import { Questions } from '#src/app/questions.tsx'
import { Strips } from '#src/app/strips.tsx'
import { m } from '#src/messages/messages.ts'
import { useSession } from '#src/session/session.ts'
import { IconButton } from '#src/ui/button.tsx'
import { Icon, Mark } from '#src/ui/icon.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'

const NotForRole = onDemand(async () => (await import('#src/app/not-for-role.tsx')).NotForRole)

/** Shortcuts of Apple's keyboards have a key of their own. */
const isApple = /^(?:Mac|iP)/.test(navigator.platform)

/** Rail, top bar and the page between them. */
export function Frame() {
  const [finding, setFinding] = useState(false)
  useChanges()
  useKeys({ 'Mod+k': () => setFinding(true) })
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const refused = refusedEntry(
    useSession((session) => session.me),
    path,
  )
  const folded = /^\/(?:runs|workflows)\/[^/]+/.test(path)
  return (
    <div className={folded ? 'frame folded' : 'frame'}>
      <a className="skip" href="#content">
        {m.nav.skip}
      </a>
      <Rail path={path} />
      <div className="main-col">
        <Strips />
        <header className="top">
          <Link to="/" className="phone-only brand-link" aria-label={m.nav.home}>
            <Mark />
          </Link>
          <div className="crumb" id="crumb" />
          <span className="sp" />
          <button type="button" className="input find phone-hide" onClick={() => setFinding(true)}>
            <Icon name="search" />
            <span>{m.palette.find}</span>
            <kbd>
              {isApple ? (
                <>
                  <Icon name="cmd" />K
                </>
              ) : (
                'Ctrl K'
              )}
            </kbd>
          </button>
          <span className="phone-only">
            <IconButton icon="search" label={m.palette.find} onClick={() => setFinding(true)} />
          </span>
          <NotificationsLink path={path} />
          <AccountMenu />
        </header>
        <main id="content" tabIndex={-1}>
          <SectionLinks sections={useSections()} path={path} />
          {refused === undefined ? <Outlet /> : <NotForRole entry={refused} />}
        </main>
      </div>
      <TabBar path={path} />
      {finding && <Palette onClose={() => setFinding(false)} />}
      <Questions />
    </div>
  )
}

function useSections() {
  const me = useSession((session) => session.me)
  return sectionsFor(me)
}

function Rail({ path }: { readonly path: string }) {
  const approvals = useApprovalCount()
  const sections = useSections()
  const middle = useRef<HTMLDivElement>(null)
  // In a low window the rail scrolls.
  useEffect(() => {
    // A statement: new browsers return a promise, and an effect must return nothing.
    middle.current?.querySelector('.on')?.scrollIntoView({ block: 'nearest' })
  }, [path])
  const part = (section: NavSection) => <RailSection key={section.entries[0]?.path} section={section} path={path} approvals={approvals} />
  return (
    <aside className="rail">
      <Link to="/" className="brand" aria-label="Millrace">
        <Mark />
        <span>Millrace</span>
      </Link>
      <nav aria-label={m.nav.main}>
        <div ref={middle} className="rail-middle">
          {sections.filter(({ isLast }) => !isLast).map(part)}
        </div>
        {sections.filter(({ isLast }) => isLast).map(part)}
      </nav>
    </aside>
  )
}

interface RailSectionProps {
  readonly section: NavSection
  readonly path: string
  readonly approvals: number
}

function RailSection({ section: { title, entries }, path, approvals }: RailSectionProps) {
  return (
    <div>
      {title !== '' && (
        <div className="sec">
          <span>{title}</span>
        </div>
      )}
      {entries.map((one) => (
        <RailLink key={one.path} entry={one} on={isOpen(one, path)} count={one.path === '/approvals' ? approvals : 0} />
      ))}
    </div>
  )
}

function RailLink({ entry, on, count }: { readonly entry: NavEntry; readonly on: boolean; readonly count: number }) {
  return (
    <Link to={entry.path} className={on ? 'on' : ''} aria-current={on ? 'page' : undefined} title={entry.label}>
      <Icon name={entry.icon} />
      <span>{entry.label}</span>
      {count > 0 && <b className="n wait">{count > 99 ? '99+' : count}</b>}
    </Link>
  )
}

/** The bar of a phone: four places, and everything else. */
function TabBar({ path }: { readonly path: string }) {
  const [open, setOpen] = useState(false)
  const entries = useSections().flatMap((section) => section.entries)
  const first = ['/', '/workflows', '/runs', '/approvals'].flatMap((one) => entries.find((entry) => entry.path === one) ?? [])
  const isUnderMore = entries.some((entry) => !first.includes(entry) && isOpen(entry, path))
  return (
    <>
      {open && (
        <div className="more-sheet">
          <nav aria-label={m.nav.more}>
            {entries
              .filter((entry) => !first.includes(entry))
              .map((entry) => (
                <Link key={entry.path} to={entry.path} onClick={() => setOpen(false)} className="row">
                  <Icon name={entry.icon} />
                  {entry.label}
                </Link>
              ))}
          </nav>
        </div>
      )}
      <nav className="tabbar" aria-label={m.nav.phone}>
        {first.map((entry) => (
          <Link key={entry.path} to={entry.path} className={isAt(entry, path) ? 'on' : ''} onClick={() => setOpen(false)}>
            <Icon name={entry.icon} />
            {entry.label}
          </Link>
        ))}
        <button type="button" className={open || isUnderMore ? 'on' : ''} aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name="more" />
          {m.nav.more}
        </button>
      </nav>
    </>
  )
}
