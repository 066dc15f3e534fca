import { assistPages } from '#src/app/assist-pages.ts'
import type { PageRoute } from '#src/app/page-route.ts'
import { connectionPages } from '#src/pages/connections/routes.ts'

/** Pages of what workflows are made from. */
export const buildingPages: readonly PageRoute[] = [
  ...assistPages,
  ...connectionPages,
  { path: '/new', load: () => import('#src/pages/generate/ways.tsx') },
  { path: '/new/words', load: () => import('#src/pages/generate/words.tsx') },
  { path: '/new/import', load: () => import('#src/pages/generate/import-file.tsx') },
  { path: '/templates', load: () => import('#src/pages/templates/templates.tsx') },
  { path: '/templates/$id', load: () => import('#src/pages/templates/template.tsx') },
  { path: '/triggers', load: () => import('#src/pages/triggers/triggers.tsx') },
  { path: '/triggers/$id', load: () => import('#src/pages/triggers/trigger.tsx') },
  { path: '/chains', load: () => import('#src/pages/chains/chains.tsx') },
  { path: '/chains/new', load: () => import('#src/pages/chains/new-chain.tsx') },
  { path: '/chains/$id', load: () => import('#src/pages/chains/chain.tsx') },
  { path: '/marketplace', load: () => import('#src/pages/marketplace/marketplace.tsx') },
  { path: '/marketplace/publish', load: () => import('#src/pages/marketplace/publish.tsx') },
  { path: '/marketplace/imports', load: () => import('#src/pages/marketplace/imports.tsx') },
  { path: '/marketplace/$id', load: () => import('#src/pages/marketplace/entry.tsx') },
  { path: '/connectors', load: () => import('#src/pages/connectors/connectors.tsx') },
  { path: '/connectors/proposals', load: () => import('#src/pages/connectors/proposals.tsx') },
]
