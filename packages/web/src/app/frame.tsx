import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { boot, rememberPreference } from '#src/boot.ts'
import { useKeys } from '#src/app/keys.ts'
import { isAt, type NavSection, sectionsFor } from '#src/app/nav.ts'
import type { NavEntry } from '#src/app/nav-entry.ts'
import { useCounts } from '#src/app/counts.ts'
import { useChanges } from '#src/app/live-changes.ts'
import { Palette } from '#src/app/palette.tsx'
import { SignInSheet } from '#src/app/sign-in-sheet.tsx'
import { SectionLinks } from '#src/app/section-links.tsx'
import { StepUpSheet } from '#src/app/step-up-sheet.tsx'
import { Strips } from '#src/app/strips.tsx'
import { switchTheme } from '#src/app/theme.ts'
import { m } from '#src/messages/messages.ts'
import { signOut, useSession } from '#src/session/session.ts'
import { IconButton } from '#src/ui/button.tsx'
import { Icon, Mark } from '#src/ui/icon.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { Person } from '#src/ui/person.tsx'

/** Shortcuts of Apple's keyboards have a key of their own. */
const isApple = /^(?:Mac|iP)/.test(navigator.platform)

/** Rail, top bar and the page between them. */
export function Frame() {
  const [finding, setFinding] = useState(false)
  useChanges()
  useKeys({ 'Mod+k': () => setFinding(true) })
  const path = useRouterState({ select: ({ location }) => location.pathname })
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
          <IconButton icon="theme" label={m.frame.theme} onClick={switchTheme} />
          <AccountMenu />
        </header>
        <main id="content" tabIndex={-1}>
          <SectionLinks sections={useSections()} path={path} />
          <Outlet />
        </main>
      </div>
      <TabBar path={path} />
      {finding && <Palette onClose={() => setFinding(false)} />}
      <StepUpSheet />
      <SignInSheet />
    </div>
  )
}

function AccountMenu() {
  const other = boot.locale === 'ar' ? 'en' : 'ar'
  return (
    <Menu
      label={m.frame.account}
      icon="more"
      items={[
        {
          label: m.frame.otherLanguage,
          icon: 'text',
          act: () => {
            rememberPreference('locale', other)
            location.reload()
          },
        },
        { label: m.session.signOut, icon: 'ext', act: () => void signOut() },
      ]}
    />
  )
}

function useSections() {
  const me = useSession((session) => session.me)
  return sectionsFor(me)
}

function Rail({ path }: { readonly path: string }) {
  const me = useSession((session) => session.me)
  const counts = useCounts()
  return (
    <aside className="rail">
      <Link to="/" className="brand" aria-label="Millrace">
        <Mark />
        <span>Millrace</span>
      </Link>
      <nav aria-label={m.nav.main}>
        {useSections().map((section) => (
          <RailSection key={section.title} section={section} path={path} counts={counts} />
        ))}
      </nav>
      {me !== undefined && (
        <div className="me">
          <Person name={me.name ?? me.email} large />
          <span className="folded-hide trunc">
            <span className="b trunc blk">{me.name ?? me.email}</span>
            <span className="t12 i3 trunc blk">{me.account.name}</span>
          </span>
        </div>
      )}
    </aside>
  )
}

interface RailSectionProps {
  readonly section: NavSection
  readonly path: string
  readonly counts: Readonly<Record<string, number>>
}

function RailSection({ section: { title, entries, entry }, path, counts }: RailSectionProps) {
  if (entry !== undefined) return <RailLink entry={entry} on={entries.some((one) => isAt(one, path))} count={0} />
  return (
    <div>
      {title !== '' && (
        <div className="sec">
          <span>{title}</span>
        </div>
      )}
      {entries.map((one) => (
        <RailLink key={one.path} entry={one} on={isAt(one, path)} count={counts[one.path] ?? 0} />
      ))}
    </div>
  )
}

function RailLink({ entry, on, count }: { readonly entry: NavEntry; readonly on: boolean; readonly count: number }) {
  return (
    <Link to={entry.path} className={on ? 'on' : ''} aria-current={on ? 'page' : undefined} title={entry.label}>
      <Icon name={entry.icon} />
      <span>{entry.label}</span>
      {count > 0 && <b className={`n ${entry.path === '/approvals' ? 'wait' : ''}`}>{count > 99 ? '99+' : count}</b>}
    </Link>
  )
}

/** The bar of a phone: four places, and everything else. */
function TabBar({ path }: { readonly path: string }) {
  const [open, setOpen] = useState(false)
  const entries = useSections().flatMap(({ entry, entries: all }) => entry ?? all)
  const first = ['/', '/workflows', '/runs', '/approvals'].flatMap((one) => entries.find((entry) => entry.path === one) ?? [])
  const isUnderMore = entries.some((entry) => !first.includes(entry) && isAt(entry, path))
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
