import { operations } from 'virtual:operations'
import { assistEntries, buildingEntries } from '#src/app/building-entries.ts'
import { type NavEntry, pagesOf } from '#src/app/nav-entry.ts'
import { operateEntries, settingsEntries, trustEntries } from '#src/app/trust-entries.ts'
import type { Me } from '#src/session/session.ts'
import { m } from '#src/messages/messages.ts'

export interface NavSection {
  readonly title: string
  readonly entries: readonly NavEntry[]
  /** Whether it stays at the end of the rail while the others scroll. */
  readonly isLast?: boolean
}

/** Everything that the rail may show. */
function allSections(): readonly NavSection[] {
  const n = m.nav
  return [
    { title: '', entries: [{ path: '/', label: n.home, icon: 'home' }] },
    {
      title: n.build,
      entries: [
        { path: '/workflows', label: n.workflows, icon: 'flow', scopes: ['workflows:read'] },
        ...buildingEntries(),
        { path: '/variables', label: n.variables, icon: 'var', needs: 'variables.list', scopes: ['variables:read'] },
        {
          path: '/tables',
          label: n.data,
          icon: 'list',
          pages: [
            { path: '/tables', label: n.tables, icon: 'list', needs: 'tables.list', scopes: ['tables:read'] },
            { path: '/files', label: n.files, icon: 'list', needs: 'files.list', scopes: ['files:read'] },
          ],
        },
        {
          path: '/events',
          label: n.events,
          icon: 'event',
          pages: [
            { path: '/events', label: n.events, icon: 'event', needs: 'events.list', scopes: ['events:read'] },
            { path: '/subscriptions', label: n.subscriptions, icon: 'ext', needs: 'eventSubscriptions.list', scopes: ['events:read'] },
          ],
        },
      ],
    },
    {
      title: n.watch,
      entries: [
        { path: '/runs', label: n.runs, icon: 'runs', needs: 'executions.search', scopes: ['executions:read'] },
        { path: '/approvals', label: n.approvals, icon: 'people', needs: 'approvals.list' },
        { path: '/insights', label: n.insights, icon: 'chart', needs: 'analytics.workflows', scopes: ['executions:read'] },
        { path: '/dead-letters', label: n.deadLetters, icon: 'letter', needs: 'queue.deadLetters', scopes: ['queue:read'] },
      ],
    },
    { title: m.assist.section, entries: assistEntries() },
    {
      title: n.trust,
      entries: trustEntries(),
    },
    {
      title: '',
      isLast: true,
      entries: [
        { path: '/operate/system', label: m.operate.nav, icon: 'eye', pages: operateEntries() },
        { path: '/settings/profile', label: n.settings, icon: 'settings', pages: settingsEntries() },
      ],
    },
  ]
}

/** What this version of the server serves and this user may see. */
export function sectionsFor(me: Me | undefined): readonly NavSection[] {
  return allSections()
    .map((section) => ({ ...section, entries: section.entries.flatMap((entry) => allowed(entry, me)) }))
    .filter(({ entries }) => entries.length > 0)
}

/** The page of notifications, which the top bar leads to, if there are any here. */
export function notificationsPage(): NavEntry | undefined {
  return exists('notifications.list') ? { path: '/notifications', label: m.nav.notifications, icon: 'notice' } : undefined
}

/** The entry with those of its pages that the user may see; an entry that stands for one page is that page. */
function allowed(entry: NavEntry, me: Me | undefined): readonly NavEntry[] {
  if (entry.pages === undefined) return isShown(entry, me) ? [entry] : []
  const pages = entry.pages.filter((page) => isShown(page, me))
  const first = pages[0]
  if (first === undefined) return []
  return pages.length === 1 ? [first] : [{ ...entry, path: first.path, pages }]
}

function isShown(entry: NavEntry, me: Me | undefined): boolean {
  return exists(entry.needs) && mayOpen(entry, me)
}

function mayOpen({ scopes, operator }: NavEntry, me: Me | undefined): boolean {
  return (scopes === undefined || me?.scopes.some((one) => scopes.includes(one)) === true) && (operator !== true || me?.isOperator === true)
}

/** The entry of a page that this user may not open. */
export function refusedEntry(me: Me | undefined, path: string): NavEntry | undefined {
  const pages = allSections().flatMap(({ entries }) => entries.flatMap(pagesOf))
  return me === undefined ? undefined : pages.find((page) => isAt(page, path) && !mayOpen(page, me))
}

function exists(operation: string | undefined): boolean {
  if (operation === undefined) return true
  const [group = '', name = ''] = operation.split('.')
  const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = operations
  return all[group]?.[name] !== undefined
}

/** The entry of the rail that stands for an open page and for others beside it. */
export function entryAbove(sections: readonly NavSection[], path: string): NavEntry | undefined {
  return sections.flatMap(({ entries }) => entries).find((entry) => entry.pages !== undefined && isOpen(entry, path))
}

/** Whether one of the pages that an entry stands for, or a page below one, is open. */
export function isOpen(entry: NavEntry, now: string): boolean {
  return pagesOf(entry).some((page) => isAt(page, now))
}

/** Whether a page, or a page below it, is open. */
export function isAt({ path }: NavEntry, now: string): boolean {
  return path === '/' ? now === '/' : now === path || now.startsWith(`${path}/`)
}
