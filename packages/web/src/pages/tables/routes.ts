import type { PageRoute } from '#src/app/page-route.ts'

/** What the platform keeps for the account: tables and files. */
export const dataPages: readonly PageRoute[] = [
  { path: '/tables', load: () => import('#src/pages/tables/tables.tsx') },
  { path: '/tables/$name', load: () => import('#src/pages/tables/table.tsx') },
  { path: '/files', load: () => import('#src/pages/files/files.tsx') },
]
