import type { PageRoute } from '#src/app/page-route.ts'

/** Pages of what workflows are made from. */
export const buildingPages: readonly PageRoute[] = [
  { path: '/templates', load: () => import('#src/pages/templates/templates.tsx') },
  { path: '/templates/$id', load: () => import('#src/pages/templates/template.tsx') },
]
