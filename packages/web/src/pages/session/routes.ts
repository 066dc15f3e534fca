import type { PageRoute } from '#src/app/page-route.ts'

/** The pages that most people see first: they load few texts, and no library for queries. */
export const firstPages: readonly PageRoute[] = [
  { path: '/sign-in', load: () => import('#src/pages/session/sign-in.tsx') },
  { path: '/register', load: () => import('#src/pages/session/register.tsx') },
  { path: '/sign-in/link', load: () => import('#src/pages/session/ask-link.tsx') },
  { path: '/sign-in/forgot', load: () => import('#src/pages/session/ask-reset.tsx') },
]

/** Other pages without a session. */
export const outsidePages: readonly PageRoute[] = [
  { path: '/sign-in/organisation', load: () => import('#src/pages/session/organisation.tsx') },
  { path: '/sign-in/return', load: () => import('#src/pages/session/provider-return.tsx') },
  { path: '/r/$code', load: () => import('#src/pages/session/referral.tsx') },
  { path: '/mail/$kind', load: () => import('#src/pages/session/mail-link.tsx') },
  { path: '/approve/$token', load: () => import('#src/pages/approvals/approve-by-link.tsx') },
]
