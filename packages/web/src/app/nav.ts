import { operations } from 'virtual:operations'
import { assistEntries, buildingEntries } from '#src/app/building-entries.ts'
import type { NavEntry } from '#src/app/nav-entry.ts'
import { operateEntries, settingsEntries, trustEntries } from '#src/app/trust-entries.ts'
import type { Me } from '#src/session/session.ts'
import { m } from '#src/messages/messages.ts'

export interface NavSection {
  readonly title: string
  readonly entries: readonly NavEntry[]
  /** The rail shows the section by this one entry; its pages show the others above them. */
  readonly entry?: NavEntry
}

/** Everything that the rail may show. */
function allSections(): readonly NavSection[] {
  const n = m.nav
  return [
    { title: '', entries: [{ path: '/', label: n.home, icon: 'home' }] },
    {
      title: n.build,
      entries: [
        { path: '/workflows', label: n.workflows, icon: 'flow', scope: 'workflows:read' },
        ...buildingEntries(),
        { path: '/variables', label: n.variables, icon: 'var', needs: 'variables.list', scope: 'variables:read' },
        { path: '/files', label: n.files, icon: 'list', needs: 'files.list', scope: 'files:read' },
        { path: '/events', label: n.events, icon: 'event', needs: 'events.list', scope: 'events:read' },
        { path: '/subscriptions', label: n.subscriptions, icon: 'ext', needs: 'eventSubscriptions.list', scope: 'events:read' },
      ],
    },
    {
      title: n.watch,
      entries: [
        { path: '/runs', label: n.runs, icon: 'runs', needs: 'executions.search', scope: 'executions:read' },
        { path: '/approvals', label: n.approvals, icon: 'people', needs: 'approvals.list' },
        { path: '/insights', label: n.insights, icon: 'chart', needs: 'analytics.workflows', scope: 'executions:read' },
        { path: '/notifications', label: n.notifications, icon: 'notice', needs: 'notifications.list' },
        { path: '/dead-letters', label: n.deadLetters, icon: 'letter', needs: 'queue.deadLetters', scope: 'queue:read' },
      ],
    },
    { title: m.assist.section, entries: assistEntries() },
    {
      title: n.trust,
      entries: trustEntries(),
    },
    { title: m.operate.nav, entries: operateEntries() },
    {
      title: n.settings,
      entry: { path: '/settings/profile', label: n.settings, icon: 'settings' },
      entries: settingsEntries(),
    },
  ]
}

/** What this version of the server serves and this user may see. */
export function sectionsFor(me: Me | undefined): readonly NavSection[] {
  const shown = ({ needs, scope, role, operator }: NavEntry) =>
    exists(needs) &&
    (scope === undefined || me?.scopes.some((one) => one === scope) === true) &&
    (role === undefined || me?.role === role || me?.role === 'owner') &&
    (operator !== true || me?.isOperator === true)
  return allSections()
    .map((section) => ({ ...section, entries: section.entries.filter(shown) }))
    .filter(({ entries }) => entries.length > 0)
}

function exists(operation: string | undefined): boolean {
  if (operation === undefined) return true
  const [group = '', name = ''] = operation.split('.')
  const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = operations
  return all[group]?.[name] !== undefined
}

/** The section of a page whose other pages are shown above it. */
export function sectionAbove(sections: readonly NavSection[], path: string): NavSection | undefined {
  return sections.find(({ entry, entries }) => entry !== undefined && entries.some((one) => isAt(one, path)))
}

/** Whether a page, or a page below it, is open. */
export function isAt({ path }: NavEntry, now: string): boolean {
  return path === '/' ? now === '/' : now === path || now.startsWith(`${path}/`)
}
