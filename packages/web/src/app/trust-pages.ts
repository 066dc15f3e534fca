import type { PageRoute } from '#src/app/page-route.ts'

/** Pages about people, trust, the account and money. */
export const trustPages: readonly PageRoute[] = [
  { path: '/evidence', load: () => import('#src/pages/trust/evidence.tsx') },
  { path: '/privacy', load: () => import('#src/pages/trust/privacy.tsx') },
  { path: '/e-invoices', load: () => import('#src/pages/einvoice/e-invoices.tsx') },
  { path: '/e-invoices/new', load: () => import('#src/pages/einvoice/new-e-invoice.tsx') },
  { path: '/e-invoices/$id', load: () => import('#src/pages/einvoice/e-invoice.tsx') },
  { path: '/readiness', load: () => import('#src/pages/readiness/readiness.tsx') },
  { path: '/operate/system', load: () => import('#src/pages/operate/system.tsx') },
  { path: '/operate/billing', load: () => import('#src/pages/operate/plans.tsx') },
  { path: '/operate/leads', load: () => import('#src/pages/operate/leads.tsx') },
  { path: '/operate/reports', load: () => import('#src/pages/operate/reports.tsx') },
  { path: '/settings/account', load: () => import('#src/pages/account/account.tsx') },
  { path: '/settings/data', load: () => import('#src/pages/account/data.tsx') },
  { path: '/settings/model-use', load: () => import('#src/pages/models/model-use.tsx') },
  { path: '/settings/models', load: () => import('#src/pages/models/models.tsx') },
  { path: '/settings/plan', load: () => import('#src/pages/billing/plan.tsx') },
  { path: '/settings/referrals', load: () => import('#src/pages/billing/referrals.tsx') },
  { path: '/settings/sign-in', load: () => import('#src/pages/team/sign-in-ways.tsx') },
  { path: '/settings/team', load: () => import('#src/pages/team/team.tsx') },
]
