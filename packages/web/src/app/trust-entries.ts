import type { NavEntry } from '#src/app/nav-entry.ts'
import { m } from '#src/messages/messages.ts'

/** Pages about what happened and who may rely on it. */
export function trustEntries(): readonly NavEntry[] {
  return [
    { path: '/audit', label: m.nav.audit, icon: 'ledger', needs: 'audit.query', scopes: ['audit:read'] },
    { path: '/evidence', label: m.evidence.nav, icon: 'seal', needs: 'archivist.analytics', scopes: ['audit:read'] },
    { path: '/privacy', label: m.privacy.nav, icon: 'shield', needs: 'privacy.check', scopes: ['privacy:use', 'privacy:read'] },
    { path: '/e-invoices', label: m.einvoice.nav, icon: 'note', needs: 'einvoice.generate', scopes: ['einvoice:write'] },
    { path: '/readiness', label: m.readiness.nav, icon: 'list', needs: 'dx.history', scopes: ['readiness:read'] },
  ]
}

/** Pages about the person, the account and its money. */
export function settingsEntries(): readonly NavEntry[] {
  const n = m.nav
  return [
    { path: '/settings/profile', label: n.profile, icon: 'settings' },
    { path: '/settings/security', label: n.security, icon: 'lock' },
    { path: '/settings/activity', label: m.reach.activity, icon: 'ledger', needs: 'audit.me', scopes: ['account:read'] },
    { path: '/settings/team', label: m.team.nav, icon: 'people', needs: 'accountUsers.list', scopes: ['account:read'] },
    { path: '/settings/account', label: m.account.nav, icon: 'home', needs: 'account.update', scopes: ['account:write'] },
    {
      path: '/settings/sign-in',
      label: m.signInWays.nav,
      icon: 'lock',
      needs: 'signInProviders.list',
      scopes: ['account:write'],
    },
    { path: '/settings/api-keys', label: n.apiKeys, icon: 'key', needs: 'apiKeys.list', scopes: ['api-keys:manage'] },
    { path: '/settings/models', label: m.ownModels.nav, icon: 'assist', needs: 'models.list', scopes: ['models:write'] },
    {
      path: '/settings/model-use',
      label: m.modelUse.nav,
      icon: 'assist',
      needs: 'modelCalls.usage',
      scopes: ['models:write'],
    },
    { path: '/settings/plan', label: n.plan, icon: 'note', needs: 'billing.subscription', scopes: ['billing:read'] },
    { path: '/settings/data', label: m.data.nav, icon: 'download', needs: 'account.consents', scopes: ['account:read'] },
    { path: '/settings/referrals', label: m.referrals.nav, icon: 'people', needs: 'referrals.me', scopes: ['billing:read'] },
  ]
}

/** Pages for the people who run the installation. */
export function operateEntries(): readonly NavEntry[] {
  const o = m.operate
  return [
    { path: '/operate/system', label: o.systemNav, icon: 'eye', needs: 'health.system', operator: true },
    { path: '/operate/billing', label: m.desk.nav, icon: 'note', needs: 'billing.updatePlan', operator: true },
    { path: '/operate/leads', label: o.leadsNav, icon: 'letter', needs: 'leads.list', operator: true },
    { path: '/operate/reports', label: m.reach.reportsNav, icon: 'warn', needs: 'marketplace.reports', operator: true },
  ]
}
