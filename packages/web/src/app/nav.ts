import { operations } from 'virtual:operations'
import { buildingEntries } from '#src/app/building-entries.ts'
import type { NavEntry } from '#src/app/nav-entry.ts'
import { m } from '#src/messages/messages.ts'

export interface NavSection {
  readonly title: string
  readonly entries: readonly NavEntry[]
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
        { path: '/dead-letters', label: n.deadLetters, icon: 'letter', needs: 'queue.deadLetters', scope: 'queue:read' },
      ],
    },
    {
      title: n.trust,
      entries: [{ path: '/audit', label: n.audit, icon: 'ledger', needs: 'audit.query', scope: 'audit:read' }],
    },
    {
      title: n.settings,
      entries: [
        { path: '/settings/profile', label: n.profile, icon: 'settings' },
        { path: '/settings/security', label: n.security, icon: 'lock' },
        { path: '/settings/plan', label: n.plan, icon: 'note', needs: 'billing.subscription', scope: 'billing:read' },
        { path: '/notifications', label: n.notifications, icon: 'notice', needs: 'notifications.list' },
        { path: '/settings/api-keys', label: n.apiKeys, icon: 'key', needs: 'apiKeys.list', scope: 'api-keys:manage' },
      ],
    },
  ]
}

/** What this version of the server serves and this user may see. */
export function sectionsFor(scopes: readonly string[], isOperator: boolean): readonly NavSection[] {
  const shown = (entry: NavEntry) =>
    exists(entry.needs) && (entry.scope === undefined || scopes.includes(entry.scope)) && (entry.operator !== true || isOperator)
  return allSections()
    .map(({ title, entries }) => ({ title, entries: entries.filter(shown) }))
    .filter(({ entries }) => entries.length > 0)
}

function exists(operation: string | undefined): boolean {
  if (operation === undefined) return true
  const [group = '', name = ''] = operation.split('.')
  const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = operations
  return all[group]?.[name] !== undefined
}
