import type { PageRoute } from '#src/app/page-route.ts'

/** Pages about people, trust, the account and money. */
export const trustPages: readonly PageRoute[] = [
  { path: '/evidence', load: () => import('#src/pages/trust/evidence.tsx') },
  { path: '/privacy', load: () => import('#src/pages/trust/privacy.tsx') },
  { path: '/settings/team', load: () => import('#src/pages/team/team.tsx') },
]
