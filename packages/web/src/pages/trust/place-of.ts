import type { groups, Reply } from '@millrace/contract'

export type FoundRecord = Reply<(typeof groups)['persons']['find']>['categories'][number]['records'][number]

export interface Place {
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

/** Pages of records that have none of their own. */
const pages: Readonly<Record<string, string>> = {
  events: '/events',
  'audit events': '/audit',
  'audit changes': '/audit',
  variables: '/variables',
  users: '/settings/team',
  'user phones': '/settings/team',
  invitations: '/settings/team',
  'dead letters': '/dead-letters',
  'privacy policies': '/privacy?view=policies',
  'privacy erasures': '/privacy?view=erasures',
  leads: '/operate/leads',
}

/** The page where a person sees a record; undefined without such a page. */
export function placeOf(category: string, record: FoundRecord): Place | undefined {
  const { id, name, executionId, workflowId, fileId, triggerId } = record
  if (fileId !== null) return { to: '/files', search: { prefix: name ?? '' } }
  if (executionId !== null) return { to: `/runs/${executionId}` }
  if (category === 'agent runs') return { to: `/agents/${id}` }
  if (category === 'assistant conversations') return { to: `/assistant/${id}` }
  if (category === 'data rows') return { to: `/tables/${encodeURIComponent(id.split('/')[1] ?? '')}` }
  if (triggerId !== null) return { to: `/triggers/${triggerId}` }
  if (workflowId !== null) return { to: `/workflows/${workflowId}` }
  const [to, view] = pages[category]?.split('?view=') ?? []
  return to === undefined ? undefined : { to, ...(view === undefined ? {} : { search: { view } }) }
}
