import type { PageRoute } from '#src/app/page-route.ts'

/** The pages about the person and the account. */
export const settingsPages: readonly PageRoute[] = [
  { path: '/notifications', load: () => import('#src/pages/settings/notifications.tsx') },
  { path: '/settings/profile', load: () => import('#src/pages/settings/profile.tsx') },
  { path: '/settings/security', load: () => import('#src/pages/settings/security.tsx') },
  { path: '/settings/activity', load: () => import('#src/pages/settings/activity.tsx') },
  { path: '/oauth/authorize', load: () => import('#src/pages/settings/allow-client.tsx') },
  { path: '/settings/api-keys', load: () => import('#src/pages/settings/api-keys.tsx') },
]
