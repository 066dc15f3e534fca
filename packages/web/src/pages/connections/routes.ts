import type { PageRoute } from '#src/app/page-route.ts'

/** Pages of connections. */
export const connectionPages: readonly PageRoute[] = [
  { path: '/connections', load: () => import('#src/pages/connections/connections.tsx') },
  { path: '/connections/callback', load: () => import('#src/pages/connections/callback.tsx') },
  { path: '/connections/$id', load: () => import('#src/pages/connections/one-connection.tsx') },
]
