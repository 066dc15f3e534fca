import { buildingPages } from '#src/app/building-pages.ts'
import { trustPages } from '#src/app/trust-pages.ts'
import type { PageRoute } from '#src/app/page-route.ts'
import { dataPages } from '#src/pages/tables/routes.ts'
import { settingsPages } from '#src/pages/settings/routes.ts'

/** Pages in the frame, for people who are signed in. */
export const framedPages: readonly PageRoute[] = [
  ...buildingPages,
  ...settingsPages,
  ...trustPages,
  ...dataPages,
  { path: '/', load: () => import('#src/pages/home/home.tsx') },
  { path: '/workflows', load: () => import('#src/pages/workflows/workflows.tsx') },
  { path: '/workflows/new', load: () => import('#src/pages/workflows/new-workflow.tsx') },
  { path: '/workflows/$id', load: () => import('#src/pages/workflows/workflow.tsx') },
  { path: '/runs', load: () => import('#src/pages/runs/runs.tsx') },
  { path: '/insights', load: () => import('#src/pages/watch/insights.tsx') },
  { path: '/audit', load: () => import('#src/pages/trust/audit.tsx') },
  { path: '/runs/compare', load: () => import('#src/pages/runs/compare.tsx') },
  { path: '/runs/$id', load: () => import('#src/pages/runs/run.tsx') },
  { path: '/git', load: () => import('#src/pages/git/repositories.tsx') },
  { path: '/variables', load: () => import('#src/pages/build/variables.tsx') },
  { path: '/events', load: () => import('#src/pages/build/events.tsx') },
  { path: '/subscriptions', load: () => import('#src/pages/build/subscriptions.tsx') },
  { path: '/dead-letters', load: () => import('#src/pages/watch/dead-letters.tsx') },
  { path: '/approvals', load: () => import('#src/pages/approvals/approvals.tsx') },
]
